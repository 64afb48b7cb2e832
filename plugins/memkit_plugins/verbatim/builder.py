"""The verbatim dump of the filesystem paper (section 3): zero cost, zero curation."""

from __future__ import annotations

from memkit import ROOT, Layout, Memory, Receipt, Session, Unit, render_frontmatter, render_unit, session_title


class Verbatim:
    """One file a session (or step), content verbatim, described by number, date and speakers alone."""

    layout: Layout = "flat"

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Write the unit's file; written again, it is the same file."""
        if isinstance(unit, Session):
            stem = f"session_{unit.number:02d}"
            speakers = ", ".join(unit.speakers)
            description = session_title(unit) + (f": {speakers}" if speakers else "")
            locators = tuple(turn.locator for turn in unit.turns)
        else:
            stem, description, locators = f"step_{unit.index:04d}", f"Step {unit.index}", (unit.locator,)
        memory.store.write(f"{ROOT}/{stem}.md", f"{render_frontmatter(stem, description)}\n{render_unit(unit)}")
        return Receipt("stored", locators)

    async def consolidate(self, memory: Memory) -> None:
        """Nothing to do: each file is final when written."""
