"""Sections that say what another says: the same words, or nearly the same with the same details.

Near is a Jaccard index of five-word shingles (Broder 1997). A changed number, date, name or negation makes an update
or a contradiction out of a copy, and is never called one. Nor are the same words about another subject: two sections
must cite the same sources, or have one title below one title or a name in the text; files without headings need not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from math import ceil
from typing import TypeAlias

from attrs import frozen

from memkit.lint.finding import Finding
from memkit.lint.wording import Details, LabelKey, details, label_key, without_sources, words
from memkit.locators import Locator, find_locators
from memkit.metrics.adherence import UNIT_CHARACTERS
from memkit.metrics.tree import Tree

SHINGLE_WORDS = 5
NEAR = 0.9
"""The least Jaccard index of near-duplicates: a section of fifty words may then differ in one at its very end."""

Shingles: TypeAlias = frozenset[int]
"""Runs of words by their hashes, which are those of numbers and so the same in every process."""


@frozen
class _Section:
    """`title` and `above` are the keys of its label and of its parent's; `sources` are the locators it cites."""

    path: str
    line: int
    place: str
    text: str
    words: tuple[str, ...]
    details: Details
    sources: frozenset[Locator]
    title: LabelKey | None
    above: LabelKey

    def copies(self, other: _Section) -> bool:
        """Whether the two may be about one subject, and have the same details."""
        if self.details != other.details:
            return False
        if self.sources and self.sources == other.sources:
            return True
        return self.title == other.title and (not self.title or self.above == other.above or bool(self.details.names))


def check_duplicates(tree: Tree) -> Iterator[Finding]:
    """A finding for each section or file without headings that copies an earlier one, naming the earliest."""
    sections = [section for number in tree.leaves if (section := _section(tree, number))]
    said: dict[tuple[str, ...], list[_Section]] = defaultdict(list)
    distinct: list[_Section] = []
    for section in sections:
        same = said[section.words]
        if earlier := next((one for one in same if section.copies(one)), None):
            mend = "keep one of the two, and refer to it from the other place"
            yield _finding("duplicate-exact", section, earlier, "says the same as", mend)
            continue
        if not same:
            distinct.append(section)
        same.append(section)
    for later, earlier, index in _near(distinct):
        mend = "merge the two, keeping what differs"
        yield _finding("duplicate-near", later, earlier, f"is {index:.0%} the same as", mend)


def _section(tree: Tree, number: int) -> _Section | None:
    node = tree.nodes[number]
    text = without_sources(node.text)
    # Titles of speakers and marks of lists are short: what has fewer letters than a unit says no fact twice.
    if sum(map(str.isalnum, text)) < UNIT_CHARACTERS:
        return None
    return _Section(
        node.path,
        node.line,
        node.place,
        text,
        words(text),
        details(text),
        frozenset(find_locators(node.text)),
        label_key(node.name) if node.kind == "section" else None,
        label_key(tree.nodes[node.parent].name),
    )


def _finding(rule: str, later: _Section, earlier: _Section, how: str, mend: str) -> Finding:
    message = f"{later.place} {how} {earlier.place}, line {earlier.line}"
    return Finding(later.path, later.line, rule, message, mend)


def _near(sections: Sequence[_Section]) -> Iterator[tuple[_Section, _Section, float]]:
    """(later, earliest near one, index) of each section that has one."""
    number: dict[str, int] = defaultdict(lambda: len(number))
    shingles = [_shingles([number[word] for word in section.words]) for section in sections]
    for later, rarest, candidates in _candidates(shingles):
        for earlier in candidates:
            index = _jaccard(rarest, shingles[earlier])
            if index >= NEAR and sections[later].copies(sections[earlier]):
                yield sections[later], sections[earlier], index
                break


def _candidates(shingles: Sequence[Shingles]) -> Iterator[tuple[int, list[int], list[int]]]:
    """For each set its shingles, the rarest first, and the earlier sets that may reach `NEAR` with it: no other can.

    Two such sets share a shingle among the rarest 1 - NEAR of each (prefix filtering: Bayardo, Ma & Srikant 2007).
    """
    found = Counter(shingle for each in shingles for shingle in each)
    having: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(shingles):
        rarest = sorted(each, key=lambda shingle: (found[shingle], shingle))
        prefix = rarest[: _spare(each) + 1]
        yield number, rarest, sorted({earlier for shingle in prefix for earlier in having[shingle]})
        for shingle in prefix:
            having[shingle].append(number)


def _spare(shingles: Collection[int]) -> int:
    """How many of a set another may lack that reaches `NEAR` with it."""
    return len(shingles) - ceil(NEAR * len(shingles))


def _shingles(said: Sequence[int]) -> Shingles:
    """Every run of `SHINGLE_WORDS` words, given by number; the whole where there are fewer."""
    last = max(1, len(said) - SHINGLE_WORDS + 1)
    return frozenset(hash(tuple(said[at : at + SHINGLE_WORDS])) for at in range(last))


def _jaccard(rarest: Sequence[int], other: Shingles) -> float:
    """The index of two sets; 0 as soon as it is sure to be below `NEAR`, which the rarest shingles show first."""
    spare, lacking = _spare(rarest), 0
    for shingle in rarest:
        if shingle not in other:
            lacking += 1
            if lacking > spare:
                return 0.0
    shared = len(rarest) - lacking
    return shared / (len(other) + lacking)
