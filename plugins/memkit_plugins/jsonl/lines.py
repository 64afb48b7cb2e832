"""One line of the format: the keys of each record, and how wrong ones are told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any, TypeAlias

from memkit import DataError, Locator, UserError

Record: TypeAlias = dict[str, Any]

_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}
_LABEL = (str, int, float)

KEYS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "stream": {"id": (str,), "kind": (str,), "task": (str,), "success": (bool,)},
    "turn": {"stream": (str,), "session": (int,), "time": (str,), "speaker": (str,), "text": (str,), "caption": (str,)},
    "step": {"stream": (str,), "index": (int,), "action": (str,), "observation": (str,)},
    "question": {
        "stream": (str,),
        "id": (str,),
        "question": (str,),
        "answer": _LABEL,
        "options": (list,),
        "evidence": (list,),
        "category": _LABEL,
        "answerable": (bool,),
        "defect": (str,),
        "load": (int,),
    },
}
"""Each type's keys and what their values may be; null stands for a key left out."""

REQUIRED = {
    "stream": ("id",),
    "turn": ("speaker", "text"),
    "step": ("action", "observation"),
    "question": ("question",),
}
KINDS = ("conversation", "trajectory")
NUMBER_MAX = 999_999_999
"""Of a session or step: what a locator can write."""


def parse_line(line: bytes, where: str) -> Record:
    """The object on a line, unchecked. Raises DataError."""
    try:
        record = json.loads(line.decode("utf-8"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise DataError(f"byte {error.start + 1} is not UTF-8; save the file as UTF-8", where=where) from None
    except json.JSONDecodeError as error:
        raise DataError(
            f"not JSON at column {error.colno} ({error.msg}); write one object a line", where=where
        ) from None
    except (RecursionError, ValueError) as error:
        raise DataError(f"{error}; write one flat object a line", where=where) from None
    if not isinstance(record, dict):
        raise DataError('expected an object such as {"type": "turn", ...}', where=where)
    return record


def check_record(record: Record, where: str) -> Record:
    """The record without its nulls, if its type, keys and kinds of values are right. Raises DataError."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in KEYS:
        fault = f"type {_show(kind)} is unknown" if "type" in record else "lacks the key 'type'"
        raise DataError(f"{fault}; {nearest(str(kind), list(KEYS))}", where=where)
    keys = KEYS[kind]
    present = {key: value for key, value in record.items() if value is not None}
    for key in record.keys() - {"type"} - keys.keys():
        raise DataError(f"a {kind} has no key {_show(key)}; {nearest(key, list(keys))}", where=where)
    for key in REQUIRED[kind]:
        if key not in present:
            raise DataError(f"a {kind} needs the key {key!r}", where=where)
    for key, kinds in keys.items():
        if key in present and type(present[key]) not in kinds:
            raise DataError(f"{key} is {_show(present[key])}; it must be {_NAMES[kinds[0]]}", where=where)
    if present.get("kind", KINDS[0]) not in KINDS:
        raise DataError(f"kind {_show(present['kind'])} is unknown; {nearest(present['kind'], KINDS)}", where=where)
    return present


def check_time(text: str, where: str) -> str:
    """`text` as it is, if it is an ISO 8601 date or datetime, with or without an offset. Raises DataError."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        hint = "write a date 2024-05-08 or a time 2024-05-08T13:56 with an offset such as +02:00 where you know it"
        raise DataError(f"time {_show(text)} is not ISO 8601; {hint}", where=where) from None
    return text


def check_number(value: int, key: str, where: str, *, low: int) -> int:
    """`value` if a locator can hold it. Raises DataError."""
    if not low <= value <= NUMBER_MAX:
        raise DataError(f"{key} is {value}; it must be from {low} to {NUMBER_MAX}", where=where)
    return value


def parse_evidence(entries: Sequence[Any], where: str) -> tuple[Locator, ...]:
    """Locators, with or without their brackets (`S5T3`, `[step 14]`), each once. Raises DataError."""
    found: dict[Locator, None] = {}
    for entry in entries:
        text = entry.strip().removeprefix("[").removesuffix("]") if isinstance(entry, str) else ""
        try:
            found[Locator.parse(f"[{text}]")] = None
        except UserError:
            hint = 'write "S5T3" for turn 3 of session 5, or "step 14"'
            raise DataError(f"evidence {_show(entry)} is not a locator; {hint}", where=where) from None
    return tuple(found)


def nearest(name: str, known: Sequence[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, or all of them."""
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else f"it may be {', '.join(map(repr, known))}"


def _object(pairs: list[tuple[str, Any]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {next(key for key in keys if keys.count(key) > 1)!r} stands twice")
    return record


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
