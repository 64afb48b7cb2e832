"""Scores of lines by the windows around them: BM25 at several widths, summed.

A conversation spreads what a question asks for over neighbouring turns. The BM25 score of a line therefore
adds those of the windows centred on it, each a document of its own with its own length normalisation, while the
weight of a term stays that of lines. Windows cross neither a file's borders nor the end of its frontmatter.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from math import log
from typing import TypeAlias

from memkit_plugins.bm25.units import Unit

WINDOWS = (1, 5, 11)
"""Widths in lines: the line, the exchange around it, the topic. On LoCoMo one width alone serves less evidence at
every budget (benchmarks/perf/recall_curve.py); widths and weights near these change little."""
K1 = 1.2
"""Saturation of a repeated term: BM25's usual value, and tantivy's."""
B = 0.75
"""Share of the length normalisation: BM25's usual value, and tantivy's."""
REMEMBERED_GAINS = 32
"""Gains kept for each line of a file, of 12 bytes: a term that questions share, such as a name, is worked out once."""

Averages: TypeAlias = tuple[float, ...]
"""The average number of terms in a window of each of `WINDOWS`, over the whole index."""


def inverse_frequency(units: int, frequency: int) -> float:
    """BM25's weight of a term that occurs in `frequency` of `units` lines (the form that is never negative)."""
    return log(1 + (units - frequency + 0.5) / (frequency + 0.5))


def window_totals(units: Sequence[Unit]) -> tuple[int, ...]:
    """For each of `WINDOWS`, the number of terms in all windows of a file added up."""
    blocks = [[len(unit.terms) for unit in block] for _, block in groupby(units, _in_frontmatter)]
    return tuple(sum(_window_total(block, width // 2) for block in blocks) for width in WINDOWS)


class WindowedFile:
    """The terms of one file, ready to be scored again and again.

    They are kept as one text, a few times smaller than any table of them, and searched by `str.find`.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self.lines = [unit.line for unit in units]
        self.parts = [unit.part for unit in units]
        pieces = [" ".join(unit.terms) for unit in units]
        self._text = f" {' '.join(pieces)} "
        self._starts = list(accumulate((len(piece) + 1 for piece in pieces), initial=0))
        lengths = [len(unit.terms) for unit in units]
        self._body = self.parts.count("front")
        front, body = lengths[: self._body], lengths[self._body :]
        self._lengths = [
            array("I", _window_lengths(front, width // 2) + _window_lengths(body, width // 2)) for width in WINDOWS
        ]
        self._averages: Averages = ()
        self._norms: list[array[float]] = []
        self._gains: dict[str, tuple[Sequence[int], Sequence[float]]] = {}
        self._room = 0

    def scores(self, weights: Mapping[str, float], averages: Averages) -> dict[int, float]:
        """The score of every line that has a term in one of its windows, by its position in `lines`."""
        if averages != self._averages:
            self._averages, self._room = averages, 0
            self._norms = [
                array("d", [K1 * (1 - B + B * length / average) for length in lengths])
                for lengths, average in zip(self._lengths, averages, strict=True)
            ]
        scores: dict[int, float] = defaultdict(float)
        for term, weight in weights.items():
            for position, gain in zip(*self._gains_of(term), strict=True):
                scores[position] += weight * gain
        return scores

    def _gains_of(self, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """The lines a term adds to, and how much before its weight. Kept, as far as `REMEMBERED_GAINS` allows."""
        if self._room <= 0:
            self._gains, self._room = {}, REMEMBERED_GAINS * len(self.lines)
        held = self._gains.get(term)
        if held is None:
            gains = self._work_out(list(self._find(term)))
            held = self._gains[term] = array("I", gains), array("d", gains.values())
            self._room -= 1 + len(gains)
        return held

    def _find(self, term: str) -> Iterator[int]:
        """The position of the line of each occurrence of a term."""
        needle = f" {term} "
        at = self._text.find(needle)
        while at >= 0:
            yield bisect_right(self._starts, at) - 1
            at = self._text.find(needle, at + len(needle) - 1)

    def _work_out(self, positions: Sequence[int]) -> dict[int, float]:
        gains: dict[int, float] = {}
        for width, norms in zip(WINDOWS, self._norms, strict=True):
            counts = self._counts(positions, width // 2)
            for around, count in counts.items():
                gains[around] = gains.get(around, 0.0) + count * (K1 + 1) / (count + norms[around])
        return gains

    def _counts(self, positions: Sequence[int], half: int) -> dict[int, int]:
        """How often the term is in the window of each line that has it there."""
        counts: dict[int, int] = {}
        for position in positions:
            low, high = (0, self._body) if position < self._body else (self._body, len(self.lines))
            for around in range(max(low, position - half), min(high, position + half + 1)):
                counts[around] = counts.get(around, 0) + 1
        return counts


def _window_lengths(lengths: Sequence[int], half: int) -> list[int]:
    """The terms in the window of each line, `half` lines to either side."""
    count = len(lengths)
    below = list(accumulate(lengths, initial=0))
    return [below[min(count, at + half + 1)] - below[max(0, at - half)] for at in range(count)]


def _window_total(lengths: Sequence[int], half: int) -> int:
    """sum(_window_lengths(lengths, half)), without making the list."""
    count = len(lengths)
    below = list(accumulate(lengths, initial=0))
    return sum(below[half + 1 :]) + min(half, count) * below[-1] - sum(below[: max(0, count - half)])


def _in_frontmatter(unit: Unit) -> bool:
    return unit.part == "front"
