"""The rows that fit one filter: as a list of places, or as a test of given places, whichever takes less."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import compress
from operator import or_
from typing import TypeAlias

from memkit.query.column import Column, Places, common, merge

Hits: TypeAlias = tuple[Column, Sequence[int]]
"""Values of a column, by ascending indices."""

_MANY = 8
"""One row in so many is sooner taken from a mask over all rows than merged from lists."""


class Selection:
    """The rows, of `total`, that have one of some values in one of one or two columns."""

    def __init__(self, total: int, hits: Sequence[Hits]) -> None:
        self._total = total
        self._coded = hits if hits and all(column.coded for column, _ in hits) else ()
        self._places: list[int] | None = None
        self.size = 0
        """How many rows they are, or a few more."""
        if self._coded:
            lists = [column.places(index) for column, indices in hits for index in indices]
            self.size = sum(map(len, lists))
            if self.size * _MANY < total or all(each == lists[0] for each in lists):
                self._places = merge(lists)
        else:
            self._places = merge([column.union(indices) for column, indices in hits]) if hits else []
        if self._places is not None:
            self.size = len(self._places)

    @classmethod
    def of(cls, places: list[int]) -> Selection:
        """The rows at these places."""
        selection = cls(0, ())
        selection._places, selection.size = places, len(places)
        return selection

    @property
    def places(self) -> list[int]:
        """The rows; the list is not to be changed."""
        if self._places is None:
            masks = (column.codes.translate(_flags(indices)) for column, indices in self._coded)
            mask = reduce(or_, (int.from_bytes(mask, "little") for mask in masks))
            self._places = list(compress(range(self._total), mask.to_bytes(self._total, "little")))
        return self._places

    def among(self, places: Places) -> Places:
        """Those of `places` that are selected."""
        if not self._coded:
            return common(places, self.places) if len(places) < self.size else common(self.places, places)
        tests = [
            map(_flags(indices).__getitem__, map(column.codes.__getitem__, places)) for column, indices in self._coded
        ]
        return list(compress(places, tests[0] if len(tests) == 1 else map(or_, *tests)))


def _flags(indices: Sequence[int]) -> bytes:
    """By code, whether its value is one of these."""
    flags = bytearray(256)
    for index in indices:
        flags[index + 1] = 1
    return bytes(flags)
