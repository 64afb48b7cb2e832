"""A memory whose file descriptions shout the longest thing that was said."""

from memkit import Layout, Memory, Receipt, Registry, Session, Unit, hookimpl, render_frontmatter, render_unit


class Shout:
    """One file a unit, described by its longest text in capitals."""

    layout: Layout = "flat"

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        if isinstance(unit, Session):
            number, texts = unit.number, [turn.text for turn in unit.turns]
            locators = tuple(turn.locator for turn in unit.turns)
        else:
            number, texts, locators = unit.index, [unit.action], (unit.locator,)
        name = f"shout_{number:04}"
        head = render_frontmatter(name, max(texts, key=len, default="silence")[:100].upper())
        memory.store.write(f"/memories/{name}.md", f"{head}\n{render_unit(unit)}")
        return Receipt("stored", locators)

    async def consolidate(self, memory: Memory) -> None:
        """Nothing is left to do: each file was finished when it was written."""


@hookimpl
def memkit_register(registry: Registry) -> None:
    registry.builder("shout", Shout)
