"""Reading back the values of rendered results: what a program takes from the text that a model would read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from attrs import frozen

from memkit.query.result import Status

Steps: TypeAlias = tuple[tuple[int, int], ...]
"""Ranges of steps, both ends included."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_FIRST_LINE = re.compile(
    rf"""\[(?P<number>\d+)\]\ (?P<operation>
        (?:count|list|first|last\ per\ target|last|timeline|group\ by\ \w+
        |(?:sum|min|max|mean|state)\ of\ (?:{_STRING}|\w+)))
    (?:\ \((?P<status>relaxed|verified\ zero|ungrounded)\))?\ =\ (?P<value>.*)""",
    re.VERBOSE,
)
_GROUP = re.compile(rf"({_STRING}) (?:step )?(-?\d+)")
_RANGE = re.compile(r"(-?\d+)(?:-(-?\d+))?")
_CUT = re.compile(r"(?:^|, |steps )\.\.\. (\d+) more$")


@frozen
class ReadValue:
    """The first line of a rendered result.

    `text` is the value as it was written. `value` is a number, a step, a state, ranges of steps, the counts (the
    last steps) by group, or None. `left_out` is how many groups or steps were left out for want of room.
    """

    operation: str
    status: Status
    text: str
    value: int | float | str | Steps | Mapping[str, int] | None
    left_out: int = 0


def read_values(rendered: str) -> tuple[ReadValue, ...]:
    """The values of what `render_results` gave, in order. Other text among it is passed over."""
    return tuple(_read(match) for match in map(_FIRST_LINE.fullmatch, rendered.split("\n")) if match)


def _read(match: re.Match[str]) -> ReadValue:
    text = match["value"]
    cut = _CUT.search(text)
    whole = text[: cut.start()] if cut else text
    value = _value(match["operation"], whole)
    return ReadValue(
        match["operation"], cast(Status, match["status"] or "computed"), text, value, int(cut[1]) if cut else 0
    )


def _value(operation: str, text: str) -> int | float | str | Steps | Mapping[str, int] | None:
    if text == "none":
        return None
    if operation.startswith(("group by", "last per")):
        return {json.loads(name): int(number) for name, number in _GROUP.findall(text)}
    if operation in ("list", "timeline"):
        return tuple(_ranges(text))
    if text.startswith('"'):
        return cast(str, json.loads(text))
    number = text.removeprefix("step ")
    return int(number) if re.fullmatch(r"-?\d+", number) else float(number)


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    for first, last in _RANGE.findall(text):
        yield int(first), int(last or first)
