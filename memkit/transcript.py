"""Units of a stream as text with inline locators: the form in which builders and models read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from attrs import asdict, evolve

from memkit.records import Session, Step, Turn, Unit

R = TypeVar("R", Turn, Step)
UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")
"""What no text file can hold: NUL and half a surrogate pair."""


def writable(unit: Unit) -> Unit:
    """The unit itself when text files can hold it; else a copy with U+FFFD for each character they cannot."""
    if isinstance(unit, Step):
        return _writable_record(unit)
    turns = tuple(_writable_record(turn) for turn in unit.turns)
    unchanged = all(new is old for new, old in zip(turns, unit.turns, strict=True))
    return unit if unchanged else evolve(unit, turns=turns)


def _writable_record(record: R) -> R:
    fields = asdict(record, recurse=False)
    changed: dict[str, Any] = {
        name: UNWRITABLE.sub("\ufffd", value)
        for name, value in fields.items()
        if isinstance(value, str) and UNWRITABLE.search(value)
    }
    return evolve(record, **changed) if changed else record


def render_turn(turn: Turn) -> str:
    """`[S5T3] Caroline: text [image: caption]`. Text with line breaks keeps them."""
    picture = f" [image: {turn.caption}]" if turn.caption else ""
    return f"{turn.locator} {turn.speaker}: {turn.text}{picture}"


def render_step(step: Step) -> str:
    """`[step 14] action`, then the observation on the lines below."""
    return f"{step.locator} {step.action}\n{step.observation}"


def render_turns(turns: Iterable[Turn]) -> str:
    """One turn after another, each ending its line."""
    return "".join(render_turn(turn) + "\n" for turn in turns)


def render_unit(unit: Unit) -> str:
    """The whole unit, headed by its date where it has one."""
    if isinstance(unit, Step):
        return render_step(unit) + "\n"
    return session_heading(unit) + render_turns(unit.turns)


def session_heading(session: Session) -> str:
    """`Session 5, 2023-05-08T13:56` and a blank line: dates travel with the turns they date."""
    return f"{session_title(session)}\n\n"


def session_title(session: Session) -> str:
    """`Session 5, 2023-05-08T13:56`, or without the time where none is known."""
    return f"Session {session.number}" + (f", {session.time}" if session.time else "")


def render_options(options: Sequence[str]) -> str:
    """Multiple-choice options as `(a) text` lines; empty for an open question."""
    return "".join(f"({chr(ord('a') + number)}) {option}\n" for number, option in enumerate(options))
