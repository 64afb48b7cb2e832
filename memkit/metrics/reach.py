"""Whether a search would find a place: BM25 over the passages of a store, with the terms of the question.

It is the yardstick of the funnel, one for every memory: no model chooses the terms, and nothing is browsed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import field, frozen

from memkit.locators import Locator, find_locators
from memkit.records import Unit
from memkit.store.lines import split_lines
from memkit.terms import Analyzer
from memkit.view.entries import Part, entries_of
from memkit.view.scoring import Postings

FOUND = 50
"""Passages that a search is looked through: about what five pages of ten results show."""


@frozen(slots=False)
class Passage:
    """Lines `first` to `last` of the file `path`, from 1, and the locators written in them; of the archive, line 0."""

    path: str
    first: int
    last: int
    text: str

    @cached_property
    def locators(self) -> tuple[Locator, ...]:
        """Distinct, in order."""
        return tuple(dict.fromkeys(find_locators(self.text)))

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is searched."""
        return (Part("text", self.text, ""),)


def passages_of(files: Mapping[str, str]) -> list[Passage]:
    """The passages of texts by path: one begins at a heading, and where a second line with a locator follows."""
    return [passage for path, text in files.items() for passage in _passages(path, text)]


def archived_passages(units: Iterable[Unit]) -> list[Passage]:
    """Each turn or step as a passage: what there is to search where a memory has no store."""
    return [Passage("archive", 0, 0, f"{entry.locator} {entry.text}") for entry in entries_of(units)]


def _passages(path: str, text: str) -> Iterator[Passage]:
    lines = split_lines(text)
    start, located = 0, False
    for at, line in enumerate(lines):
        here = next(find_locators(line), None) is not None
        if at > start and (line.startswith("#") or (here and located)):
            yield Passage(path, start + 1, at, "\n".join(lines[start:at]))
            start, located = at, False
        located = located or here
    if lines:
        yield Passage(path, start + 1, len(lines), "\n".join(lines[start:]))


@frozen(slots=False)
class Reach:
    """The passages of one memory, ready to be searched."""

    passages: Sequence[Passage] = field(repr=False)

    def holding(self, locator: Locator) -> tuple[Passage, ...]:
        """The passages that a locator is written in."""
        return tuple(self.passages[at] for at in self._holding.get(locator, ()))

    def ranks(self, question: str, wanted: Collection[Locator]) -> dict[Locator, int]:
        """The rank, from 1, of the best passage with each of the `wanted` locators that has one sharing a term.

        Passages of equal score are ranked in the order of the store.
        """
        scores = self._postings.bm25(self._analyzer.query(question))
        order = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: (-scores[at], at))
        rank = {at: number for number, at in enumerate(order, 1)}
        best = {locator: [rank[at] for at in self._holding.get(locator, ()) if at in rank] for locator in wanted}
        return {locator: min(ranks) for locator, ranks in best.items() if ranks}

    @cached_property
    def _analyzer(self) -> Analyzer:
        return Analyzer()

    @cached_property
    def _postings(self) -> Postings:
        return Postings(self.passages, self._analyzer)

    @cached_property
    def _holding(self) -> dict[Locator, list[int]]:
        found: dict[Locator, list[int]] = defaultdict(list)
        for at, passage in enumerate(self.passages):
            for locator in passage.locators:
                found[locator].append(at)
        return found
