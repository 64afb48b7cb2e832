"""The closed-book row of the filesystem paper: what answers are worth when nothing is remembered."""

from __future__ import annotations

from memkit import Layout, Memory, Receipt, Session, Unit


class ClosedBook:
    """No store: the question is answered from what the model knows, in one round. The floor of every comparison."""

    layout: Layout = "none"

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:  # noqa: ARG002 - nothing is written
        """Leave it at the archive, which holds the unit already."""
        located = unit.turns if isinstance(unit, Session) else (unit,)
        return Receipt("stored", tuple(place.locator for place in located))

    async def consolidate(self, memory: Memory) -> None:
        """Nothing to do: there is no store."""
