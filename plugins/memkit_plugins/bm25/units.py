"""Units: what of a file is indexed and ranked.

In a store of notes a unit is a line; in a chunk store it is the whole body of a file, because a chunk is served
whole or not at all. A line or body without a single term is no unit.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

from memkit import Analyzer, frontmatter_end, split_lines

UnitKind: TypeAlias = Literal["line", "file"]
Part: TypeAlias = Literal["front", "heading", "body"]

_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_FENCES = ("```", "~~~")


class Unit(NamedTuple):
    """`line` is where it begins, counted from 1; `part` is what of the file it belongs to."""

    line: int
    part: Part
    terms: list[str]


def units_of(data: bytes, kind: UnitKind, analyzer: Analyzer) -> list[Unit]:
    """The units of a file in order; none when it is not UTF-8 text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return []
    lines = split_lines(text)
    front = frontmatter_end(text)
    if kind == "file":
        terms = analyzer.terms(analyzer.words("\n".join(lines[front:])))
        return [Unit(front + 1, "body", terms)] if terms else []
    units = []
    fenced = False
    for number, line in enumerate(lines, 1):
        part: Part = "front" if number <= front else "body"
        if part == "body":
            start = line[:8].lstrip(" ")
            if start.startswith(_FENCES):
                fenced = not fenced
            elif start.startswith("#") and not fenced and _HEADING.match(line):
                part = "heading"
        if terms := analyzer.terms(analyzer.words(line)):
            units.append(Unit(number, part, terms))
    return units
