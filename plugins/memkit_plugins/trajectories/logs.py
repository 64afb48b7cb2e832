"""What the three logs share: text in parts, tool calls as the model wrote them, steps, and names of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Raw, Struct

from memkit import Case, DataError, Locator, Step, Trajectory, decode_json

Said: TypeAlias = str | list[dict[str, Any]] | None
"""The content of a chat message: text, or parts of which those of type `text` hold text."""


class Function(Struct):
    """`arguments` is JSON text, as the model wrote it, valid or not."""

    name: str
    arguments: str = ""


class Call(Struct):
    """A tool call of a chat message."""

    function: Function
    id: str = ""


def call_text(calls: Iterable[Call]) -> str:
    """Calls as a step's action, one below the other: `name: arguments`, the arguments untouched."""
    return "\n".join(f"{call.function.name}: {call.function.arguments}" for call in calls)


def said(content: Said) -> str:
    """The text of a message's content."""
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))
    return content or ""


class _Content(Struct):
    content: Said


def said_raw(content: Raw, where: str) -> str:
    """The text of content that was left undecoded. Raises DataError."""
    written = bytes(content)
    return said(decode_json(b'{"content": %b}' % written, _Content, where=where).content) if written else ""


def make_step(number: int, action: str, observation: str) -> Step:
    """A step under its number."""
    return Step(Locator("step", 0, number), number, action, observation)


def make_case(name: str, where: str, task: str, steps: Sequence[Step], notes: Iterable[str] = ()) -> Case:
    """A run without questions; steps of which both sides are empty are left out and noted. Raises DataError."""
    kept = tuple(step for step in steps if step.action or step.observation)
    if not kept:
        raise DataError("this run has no steps; leave it out", where=where)
    empty = [str(step.index) for step in steps if not step.action and not step.observation]
    left_out = [f"steps with neither action nor observation were left out: {', '.join(empty)}"] if empty else []
    return Case(Trajectory(name, task, kept), (), (*left_out, *notes))


def run_names(files: Sequence[Path], endings: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Each file with the name of its run: the file's own without its ending, with its folder's where two share it."""
    bare = {file: _bare(file, endings) for file in files}
    count = Counter(bare.values())
    for file, name in bare.items():
        yield name if count[name] == 1 else f"{file.parent.name}/{name}", file


def _bare(file: Path, endings: Sequence[str]) -> str:
    return next((file.name.removesuffix(end) for end in endings if file.name.endswith(end)), file.stem)


def check_notes(cases: Iterable[Case]) -> Iterator[str]:
    """What cases note, a sentence each."""
    for case in cases:
        yield from (f"{case.stream.id}: {note}" for note in case.notes)
