"""Dialogue ids (`D5:3` is turn 3 of session 5), as annotators wrote them into `evidence`.

Written forms include `D8:6; D9:17`, `D9:1 D4:4`, `D30:05`, `D:11:26`, `D5:3.`, `D13:45:D20:19` and
ranges such as `D12:3-D12:5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from memkit import Locator

DialogId: TypeAlias = tuple[int, int]
"""Session and turn, as numbered by the source."""

_ID = r"D:?(\d{1,9}):(\d{1,9})"
_ONE_OR_RANGE = re.compile(rf"{_ID}(?:\s*[-–]\s*(?:{_ID}|(\d{{1,9}})(?![\d:])))?", re.ASCII | re.IGNORECASE)
_JOINTS = re.compile(r"[\s,;:.]+")


def parse_dialog_id(text: str) -> DialogId | None:
    """The one id that `text` is; None when it is anything else."""
    match = re.fullmatch(_ID, text, re.ASCII)
    return (int(match[1]), int(match[2])) if match else None


def find_evidence(evidence: Iterable[Any], turns: Mapping[DialogId, Locator]) -> tuple[tuple[Locator, ...], list[str]]:
    """The locators that `evidence` names, each once, and a sentence for each part that names no turn.

    A range takes in every turn of the conversation between its ends: numbers may be missing there.
    """
    found: dict[Locator, None] = {}
    notes: list[str] = []
    for entry in evidence:
        if not isinstance(entry, str):
            notes.append(f"evidence {entry!r} is not text and was left out")
            continue
        for first, last, written in _ranges(entry):
            named = [turns[i] for i in sorted(turns) if first <= i <= last] if first != last else _one(first, turns)
            found.update(dict.fromkeys(named))
            if not named:
                notes.append(f"evidence {written!r} names no turn and was left out")
        if rest := _JOINTS.sub(" ", _ONE_OR_RANGE.sub(" ", entry)).strip():
            notes.append(f"evidence {entry!r} has a part that is no dialogue id, {rest!r}, which was left out")
    return tuple(found), notes


def _one(dialog_id: DialogId, turns: Mapping[DialogId, Locator]) -> list[Locator]:
    return [turns[dialog_id]] if dialog_id in turns else []


def _ranges(entry: str) -> Iterator[tuple[DialogId, DialogId, str]]:
    for match in _ONE_OR_RANGE.finditer(entry):
        session, turn, last_session, last_turn, last_alone = match.groups()
        first = (int(session), int(turn))
        last = (int(last_session or session), int(last_turn or last_alone or turn))
        yield first, last, match[0]
