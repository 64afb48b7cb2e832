"""How an action's parameters differ from those of the last action of the same tool and path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import field, mutable

from memkit.events.call import Call

VALUE_CHARACTERS = 80
"""A value longer than this is shown from shortly before the first difference."""
ABSENT = "(absent)"
_BEFORE = 10
_CHUNK = 256


@mutable
class Deltas:
    """The parameters of the last action of every (tool, path)."""

    _last: dict[tuple[str, str], Mapping[str, Any]] = field(factory=dict)

    def of(self, call: Call) -> tuple[str, ...]:
        """`name: before -> after` for each parameter that differs; empty for the first action of a tool and path."""
        key = (call.tool, call.path)
        before = self._last.get(key)
        self._last[key] = call.arguments
        if before is None or before == call.arguments:
            return ()
        names = dict.fromkeys((*before, *call.arguments))
        return tuple(_shown(name, before, call.arguments) for name in names if _differs(name, before, call.arguments))


def _differs(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return name not in before or name not in after or before[name] != after[name]


def _shown(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    old, new = _text(name, before), _text(name, after)
    start = 0
    if max(len(old), len(new)) > VALUE_CHARACTERS and name in before and name in after:
        start = max(0, _first_difference(old, new) - _BEFORE)
    return f"{name[:VALUE_CHARACTERS]}: {_part(old, start)} -> {_part(new, start)}"


def _text(name: str, values: Mapping[str, Any]) -> str:
    if name not in values:
        return ABSENT
    value = values[name]
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return "(too deep)"


def _part(text: str, start: int) -> str:
    part = text[start : start + VALUE_CHARACTERS]
    return f"{'…' if start else ''}{part}{'…' if start + VALUE_CHARACTERS < len(text) else ''}"


def _first_difference(old: str, new: str) -> int:
    """The first place where two texts differ, found a chunk at a time."""
    shorter = min(len(old), len(new))
    at = 0
    while at < shorter and old[at : at + _CHUNK] == new[at : at + _CHUNK]:
        at += _CHUNK
    while at < shorter and old[at] == new[at]:
        at += 1
    return min(at, shorter)
