"""Scores of entries against a question: shared terms as the paper counts them, and BM25 over entries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log
from typing import Protocol

from memkit.terms import Analyzer
from memkit.view.entries import Part

K1 = 1.2
"""Saturation of a repeated term: BM25's usual value."""
B = 0.75
"""Share of the length normalisation: BM25's usual value."""


class Worded(Protocol):
    """What has words to search: an entry, or a passage of a store."""

    @property
    def parts(self) -> Iterable[Part]:
        """Its texts."""
        ...


class Postings:
    """Where each term of a stream occurs, by the positions of its entries. Made once, in one pass."""

    def __init__(self, entries: Sequence[Worded], analyzer: Analyzer) -> None:
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for at, entry in enumerate(entries):
            words = [word for part in entry.parts for text in _sorted(part.text) for word in analyzer.words(text)]
            self._lengths.append(len(words))
            for term, count in Counter(analyzer.terms(words)).items():
                self._places[term].append((at, count))
        self._average = sum(self._lengths) / len(self._lengths) if any(self._lengths) else 1.0

    def shared(self, terms: Iterable[str]) -> list[int]:
        """How many of the distinct `terms` each entry has: |T(q) and T(x)| (ledger paper, equation 3)."""
        scores = [0] * len(self._lengths)
        for term in terms:
            for at, _ in self._places.get(term, ()):
                scores[at] += 1
        return scores

    def bm25(self, terms: Iterable[str]) -> list[float]:
        """The BM25 score of each entry for the distinct `terms`."""
        scores = [0.0] * len(self._lengths)
        entries = len(self._lengths)
        norms = [K1 * (1 - B + B * length / self._average) for length in self._lengths]
        for term in terms:
            places = self._places.get(term, ())
            weight = log(1 + (entries - len(places) + 0.5) / (len(places) + 0.5))
            for at, count in places:
                scores[at] += weight * count * (K1 + 1) / (count + norms[at])
        return scores


def _sorted(text: str) -> tuple[str, ...]:
    """The text, or its lines in ASCII and the others: a few accents in a page do not make all of it slow to read."""
    if text.isascii():
        return (text,)
    lines = text.split("\n")
    plain = [line for line in lines if line.isascii()]
    return "\n".join(plain), "\n".join(line for line in lines if not line.isascii())
