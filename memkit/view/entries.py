"""Entries: the steps or turns of a stream, as what a view shows or leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from memkit.locators import Locator
from memkit.records import Step, Turn, Unit
from memkit.transcript import session_title


@frozen
class Part:
    """A field of an entry, with what a view writes before and after it."""

    field: str
    text: str
    before: str
    after: str = ""


@frozen
class Entry:
    """A step or a turn.

    `number` is the source's own step number; turns are counted from 1. `blocks` are the parts that a view writes one
    after another before it breaks the line: of a step its action, then its observation. `session` is the title of
    the session a turn belongs to, which is written above its first turn.
    """

    number: int
    locator: Locator
    blocks: tuple[tuple[Part, ...], ...]
    session: str = ""

    @property
    def parts(self) -> Iterator[Part]:
        """Every part in order."""
        return (part for block in self.blocks for part in block)

    @property
    def text(self) -> str:
        """Every field, a line apart."""
        return "\n".join(part.text for part in self.parts)

    @property
    def name(self) -> str:
        """`step 14` or `S5T3`: the locator without its brackets, which would claim that the entry is shown."""
        return str(self.locator)[1:-1]

    @property
    def action(self) -> str:
        """What a step did; what a turn said."""
        return next(part.text for part in self.parts if part.field in {"action", "text"})


def entries_of(units: Iterable[Unit]) -> list[Entry]:
    """The entries of a stream in order."""
    entries: list[Entry] = []
    for unit in units:
        if isinstance(unit, Step):
            entries.append(_step(unit))
        else:
            title = session_title(unit)
            entries += [_turn(turn, number, title) for number, turn in enumerate(unit.turns, len(entries) + 1)]
    return entries


def _step(step: Step) -> Entry:
    action = Part("action", step.action, f"{step.locator} ")
    # Its own label keeps what an observation begins with apart from the action, for readers and for token counts.
    observation = Part("observation", step.observation, "Observation: ")
    return Entry(step.index, step.locator, ((action,), (observation,)))


def _turn(turn: Turn, number: int, title: str) -> Entry:
    parts = [Part("speaker", turn.speaker, f"{turn.locator} "), Part("text", turn.text, ": ")]
    if turn.caption:
        parts.append(Part("caption", turn.caption, " [image: ", "]"))
    return Entry(number, turn.locator, (tuple(parts),), title)
