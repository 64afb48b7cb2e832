"""Scores by load: how many events contribute to an answer (ledger paper, section 4 and appendix E)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Protocol

from attrs import frozen

BINS = ((0, 5), (6, 15), (16, 50), (51, 100), (101, None))
"""First and last load of each bin. The paper's text names 1-5, 6-15 and above 100; the edges between are ours."""


class Loaded(Protocol):
    """What a row of results has that loads are binned by."""

    @property
    def arm(self) -> str:
        """The label of its arm."""
        ...

    @property
    def scores(self) -> Mapping[str, float]:
        """Scores by metric."""
        ...

    @property
    def load(self) -> int | None:
        """How many events contribute to the answer, where that is known."""
        ...


@frozen
class LoadBin:
    """The mean score of each arm over the questions whose load is from `low` to `high`; None where it has none."""

    low: int
    high: int | None
    questions: int
    means: Mapping[str, float | None]

    @property
    def label(self) -> str:
        """`6-15`, or `over 100`."""
        return f"over {self.low - 1}" if self.high is None else f"{self.low}-{self.high}"


def by_load(rows: Sequence[Loaded], arms: Sequence[str], metric: str) -> tuple[LoadBin, ...]:
    """The bins that have a question, lowest first. Nothing where the data do not tell loads.

    `rows` are every arm's; `questions` counts those of the arm that has most in the bin.
    """
    return tuple(_bins(rows, arms, metric))


def _bins(rows: Sequence[Loaded], arms: Sequence[str], metric: str) -> Iterator[LoadBin]:
    for low, high in BINS:
        here = [row for row in rows if row.load is not None and low <= row.load <= (high or row.load)]
        scores = {arm: [row.scores[metric] for row in here if row.arm == arm and metric in row.scores] for arm in arms}
        if any(scores.values()):
            means = {arm: _mean(values) for arm, values in scores.items()}
            yield LoadBin(low, high, max(map(len, scores.values())), means)


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return fmean(known) if known else None
