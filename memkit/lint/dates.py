"""The same fact with two dates.

Only facts that have one date, told in the same words, with one date in the line each: what happens again has many,
and the date that an entry of a log begins with is no part of what it says. English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath
from typing import TypeAlias

from attrs import frozen

from memkit.lint.finding import Finding
from memkit.lint.wording import MARKS, without_sources, words
from memkit.metrics.dates import DATE, Day, day_of, may_be_one
from memkit.metrics.kept import find_names
from memkit.store.frontmatter import end_line
from memkit.store.lines import split_lines

ONCE = frozenset(
    """
    birthday birth born died death married wedding anniversary engaged graduated graduation founded retired hired
    joined
    """.split()  # noqa: SIM905
)
"""Words of facts that have one date."""
YEARLY = frozenset({"birthday", "anniversary"})
"""Of those, what comes back every year: in another year it may be kept on another day."""

_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+]|\d{1,3}[.)])\s")
_BEFORE = re.compile(r"[\s\-*+>|#.()\d\[\]_`]*")
_AFTER = re.compile(r"[\s\])*_]*:")
"""What stands before, or after, the date of an entry."""
_POSSESSIVE = re.compile(r"\b[^\W\d_a-z][\w-]*['’]s?\b")
_NUMBER = re.compile(r"\d")


@frozen
class _Fact:
    path: str
    line: int
    day: Day
    shown: str


_Words: TypeAlias = tuple[str, ...]
_About: TypeAlias = tuple[str, int]
"""The file and the first line of the list that a line speaks for, or ("", 0) for one that says whom it is about."""


def check_dates(files: Mapping[str, str]) -> Iterator[Finding]:
    """A finding for each line that gives a fact another date than an earlier line, in the order of the files."""
    known = {word for path in files for word in words(PurePosixPath(path).stem)} - ONCE
    told: dict[tuple[_Words, _About], list[_Fact]] = {}
    for path, text in files.items():
        for said, about, fact in _facts(path, text, known):
            earlier = told.setdefault((said, about), [])
            yearly = not YEARLY.isdisjoint(said)
            if other := next((one for one in earlier if _clash(one.day, fact.day, yearly=yearly)), None):
                message = f"this is dated {fact.shown}, and {other.shown} at {other.path}:{other.line}"
                mend = "keep the right date, or say which one was true until when"
                yield Finding(path, fact.line, "date-contradiction", message, mend)
            earlier.append(fact)


def _facts(path: str, text: str, known: AbstractSet[str]) -> Iterator[tuple[_Words, _About, _Fact]]:
    skipped, listed, indent = end_line(text), 0, None
    for number, raw in enumerate(split_lines(text)[skipped:], skipped + 1):
        item = _ITEM.match(raw)
        if (item["indent"] if item else None) != indent or item is None:
            listed, indent = number, item["indent"] if item else None
        if not DATE.search(raw):
            continue
        line = MARKS.sub("", without_sources(raw))
        dates = list(DATE.finditer(line))
        if len(dates) != 1:
            continue
        before, after = line[: dates[0].start()], line[dates[0].end() :]
        said = words(f"{before} {after}")
        if ONCE.isdisjoint(said) or _NUMBER.search(before + after) or _BEFORE.fullmatch(before) or _AFTER.match(after):
            continue
        # What names nobody, or lies below another item, is about what its list is about. The first word has a
        # capital in any case, so it is a name when a file has it.
        named = find_names(before + after) or _POSSESSIVE.search(before + after) or said[0] in known
        own = named and not indent
        yield said, ("", 0) if own else (path, listed), _Fact(path, number, day_of(dates[0]), dates[0][0])


def _clash(one: Day, other: Day, *, yearly: bool) -> bool:
    """Whether a fact cannot have both dates."""
    if yearly and None not in (one[0], other[0]) and one[0] != other[0]:
        return False
    return not may_be_one(one, other)
