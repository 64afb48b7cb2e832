"""A field of the ledger by value: its distinct values, and the rows that have each.

Plain lists and strings: they answer as fast as a columnar library does, without its start-up. Rows are meant by their
place in the ledger, from 0, and sets of them are ascending sequences.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, compress
from typing import TypeAlias

from memkit.query.match import Haystack

Places: TypeAlias = Sequence[int]
"""Rows, by their places, ascending. Lists among them may belong to a column and are not to be changed."""

MOST_CODED = 255
"""Distinct values that a byte tells apart, beside the lack of one."""
_FEW = 16
"""So many times fewer rows are looked up one by one."""


class Column:
    """The distinct values of a field, in order of first appearance, and where each occurs. Empty ones count as none.

    `without` are the rows that have no value. `coded` says that there are few values, one a row, so that the rows'
    values can be had as `codes`.
    """

    def __init__(
        self, firsts: Mapping[str, int], repeats: Mapping[str, list[int]], without: list[int], *, single: bool
    ) -> None:
        self.values = list(firsts)
        self.without = without
        self.coded = single and len(self.values) <= MOST_CODED
        self._firsts = list(firsts.values())
        self._repeats = {
            index: [place, *repeats[value]] for index, (value, place) in enumerate(firsts.items()) if value in repeats
        }
        self._haystack: Haystack | None = None
        self._codes: bytes | None = None

    @classmethod
    def of_one(cls, values: Iterable[str]) -> Column:
        """A column of a field with one value a row."""
        firsts: dict[str, int] = {}
        repeats: defaultdict[str, list[int]] = defaultdict(list)
        for place, value in enumerate(values):
            if firsts.setdefault(value, place) != place:
                repeats[value].append(place)
        without = [firsts.pop(""), *repeats.pop("", ())] if "" in firsts else []
        return cls(firsts, repeats, without, single=True)

    @classmethod
    def of_many(cls, values: Iterable[Iterable[str]]) -> Column:
        """A column of a field with several values a row; the same value twice in a row counts once."""
        firsts: dict[str, int] = {}
        repeats: defaultdict[str, list[int]] = defaultdict(list)
        without: list[int] = []
        for place, row in enumerate(values):
            value = ""
            for value in filter(None, row):
                if firsts.setdefault(value, place) != place:
                    others = repeats[value]
                    if not others or others[-1] != place:
                        others.append(place)
            if not value:
                without.append(place)
        return cls(firsts, repeats, without, single=False)

    @property
    def haystack(self) -> Haystack:
        """The values, to be searched."""
        if self._haystack is None:
            self._haystack = Haystack(self.values)
        return self._haystack

    def places(self, index: int) -> list[int]:
        """The rows that have the value with that index."""
        return self._repeats.get(index) or [self._firsts[index]]

    def union(self, indices: Sequence[int]) -> list[int]:
        """The rows that have any of the values, which have these ascending indices."""
        repeats, firsts = self._repeats, self._firsts
        parts = [repeats[index] for index in indices if index in repeats]
        if len(parts) < len(indices):
            # Values that occur once may still be in the same row.
            parts.append(list(dict.fromkeys([firsts[index] for index in indices if index not in repeats])))
        return merge(parts)

    @property
    def codes(self) -> bytes:
        """Of each row the index of its value plus 1, or 0 for none; only of a coded column."""
        if self._codes is None:
            codes = bytearray(len(self.without) + sum(map(len, map(self.places, range(len(self.values))))))
            for index in range(len(self.values)):
                for place in self.places(index):
                    codes[place] = index + 1
            self._codes = bytes(codes)
        return self._codes


def merge(parts: Sequence[list[int]]) -> list[int]:
    """The rows that are in any of `parts`."""
    different = [part for number, part in enumerate(parts) if number == 0 or part != parts[number - 1]]
    if len(different) == 1:
        return different[0]
    found = list(chain.from_iterable(different))
    found.sort()  # which merges parts that are ascending already
    return list(dict.fromkeys(found))


def within(places: Places, span: range) -> Places:
    """Those of `places` that are in `span`, a range of rows one after another."""
    if not places or (span.start <= places[0] and places[-1] < span.stop):
        return places
    if isinstance(places, range):
        return range(max(places.start, span.start), min(places.stop, span.stop))
    return places[bisect_left(places, span.start) : bisect_left(places, span.stop)]


def common(few: Places, many: Places) -> Places:
    """The rows in both; `few` should be the shorter."""
    if isinstance(many, range):
        return within(few, many)
    if len(few) * _FEW < len(many):
        return [place for place in few if _holds(many, place)]
    members = set(many)
    return [place for place in few if place in members]


def parted(column: Column, places: Places, total: int) -> dict[str, Places]:
    """`places`, of `total` rows, by the values of `column` in order of first appearance; what has none is left out."""
    if isinstance(places, range):
        parts = [(value, within(column.places(index), places)) for index, value in enumerate(column.values)]
    else:
        chosen = bytearray(total)
        for place in places:
            chosen[place] = 1
        flag = chosen.__getitem__
        every = ((value, column.places(index)) for index, value in enumerate(column.values))
        parts = [(value, list(compress(having, map(flag, having)))) for value, having in every]
    kept = [(value, part) for value, part in parts if part]
    kept.sort(key=lambda item: item[1][0])
    return dict(kept)


def _holds(places: Places, place: int) -> bool:
    at = bisect_left(places, place)
    return at < len(places) and places[at] == place
