"""What a store kept of the stream, measured without a model, and what is wrong with its labels and references.

Details are compared as they are written: a number spelled out or a name in another spelling counts as lost, and
names of scripts without capitals are found only where they name a speaker. The shares are for comparing stores
of one stream with one another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from attrs import frozen

from memkit.errors import BadFrontmatter
from memkit.locators import PATTERN as LOCATOR
from memkit.locators import Locator, find_locators
from memkit.metrics.dates import DATE, covers, find_days
from memkit.metrics.references import find_references
from memkit.records import Session, Unit
from memkit.store.frontmatter import parse

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SENTENCE = re.compile(r"(?:^|(?<=[.!?:…\"“”(\n]))\s*[\"“'‘(\[]*")
_NO_NAMES = frozenset(
    "I I'm I’m I'd I’d I'll I’ll I've I’ve Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905
)
"""Capitalised words that name nobody; a weekday may rightly have become a date."""


@frozen
class Share:
    """How many of `total` distinct details are still there."""

    kept: int
    total: int

    @property
    def share(self) -> float | None:
        """`kept` of `total` in [0, 1]; None when there was nothing to keep."""
        return self.kept / self.total if self.total else None


@frozen
class Kept:
    """Distinct locators cited, and numbers, dates and proper names of the stream that the store's files still hold.

    Defects are a sentence each: of frontmatter (absent, unreadable, a name unlike the file's, no description) and
    of references to files or sections that do not exist.
    """

    locators: Share
    numbers: Share
    dates: Share
    names: Share
    frontmatter: tuple[str, ...]
    references: tuple[str, ...]


def measure_kept(units: Iterable[Unit], files: Mapping[str, str]) -> Kept:
    """Compare the stream with the texts of a store by their virtual paths."""
    said = list(_said(units))
    cited = {locator for text in files.values() for locator in find_locators(text)}
    stored = "\n".join(LOCATOR.sub(" ", text) for text in files.values())
    names = {name for part in said for name in (*_words(part.speaker), *find_names(part.text))}
    days = {day for part in said for day in find_days(f"{part.text}\n{part.time}")}
    held = find_days(stored)
    return Kept(
        locators=_share({part.locator for part in said}, cited),
        numbers=_share({number for part in said for number in find_numbers(part.text)}, find_numbers(stored)),
        dates=Share(sum(any(covers(other, day) for other in held) for day in days), len(days)),
        names=_share(names, set(_words(stored))),
        frontmatter=tuple(fault for path, text in files.items() if (fault := _frontmatter_fault(path, text))),
        references=tuple(fault for path, text in files.items() for fault in _reference_faults(path, text, files)),
    )


@frozen
class _Part:
    """A turn or step, its text without what looks like a locator."""

    locator: Locator
    text: str
    time: str = ""
    speaker: str = ""


def _said(units: Iterable[Unit]) -> Iterator[_Part]:
    for unit in units:
        if isinstance(unit, Session):
            for turn in unit.turns:
                text = LOCATOR.sub(" ", f"{turn.text}\n{turn.caption}")
                yield _Part(turn.locator, text, turn.time or unit.time or "", turn.speaker)
        else:
            yield _Part(unit.locator, LOCATOR.sub(" ", f"{unit.action}\n{unit.observation}"))


def _share(wanted: Collection[object], held: Collection[object]) -> Share:
    return Share(sum(detail in held for detail in wanted), len(wanted))


def find_numbers(text: str) -> set[str]:
    """Numbers that are no part of a date."""
    return set(_NUMBER.findall(DATE.sub(" ", text)))


def _words(text: str) -> Iterator[str]:
    return (match[0].removesuffix("'s").removesuffix("’s") for match in _WORD.finditer(text))


def find_names(text: str) -> set[str]:
    """Capitalised words that do not owe their capital to the beginning of a sentence."""
    text = DATE.sub(" ", text)
    starts = {match.end() for match in _SENTENCE.finditer(text)}
    found = (match for match in _WORD.finditer(text) if match[0][0].isupper() and match.start() not in starts)
    return {word for match in found if match[0] not in _NO_NAMES for word in _words(match[0])}


def _frontmatter_fault(path: str, text: str) -> str:
    try:
        front = parse(text)
    except BadFrontmatter as error:
        return f"{path}: {error}"
    stem = PurePosixPath(path).stem
    if front is None:
        return f"{path} has no frontmatter"
    if front.name != stem:
        return f"{path} is named {front.name!r} in its frontmatter, not {stem!r}"
    return "" if front.description else f"{path} has no description"


def _reference_faults(path: str, text: str, files: Mapping[str, str]) -> Iterator[str]:
    for reference in {one.text: one for one in find_references(text)}.values():
        if reference.target not in files:
            yield f"{path} refers to {reference.target}, which does not exist"
        elif not reference.reaches(files[reference.target]):
            yield f"{path} refers to {reference.text}, and there is no such section"
