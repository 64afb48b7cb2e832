"""The verbatim dump of the filesystem paper (section 3): zero cost, zero curation."""

from __future__ import annotations

from memkit import Layout, Memory, Receipt, Unit, store_transcript


class Verbatim:
    """One file a session (or step), content verbatim, described by number, date and speakers alone."""

    layout: Layout = "flat"

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Write the unit's file; written again, it is the same file."""
        return store_transcript(memory, unit)

    async def consolidate(self, memory: Memory) -> None:
        """Nothing to do: each file is final when written."""
