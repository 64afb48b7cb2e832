"""What the memories of each arm look like: size, shape, what was kept of the stream, and defects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from attrs import frozen

from memkit.runs.open import Run

SIZE = ("files", "folders", "sections", "bytes", "mean_depth", "max_depth", "fanout", "size_gini")
KEPT = ("kept_locators", "kept_numbers", "kept_dates", "kept_names")
"""Shares of the stream's details that the store holds."""
HEALTH = ("references", "dangling", "frontmatter_defects", "reference_defects", "refused", "label_consistency")
ORDER = ("distinguishability", "least_distinguishability", "cohesion", "leakage", "distance_correlation")
"""B1 twice, then B2 to B4 of the filesystem paper."""


@frozen
class StoreStats:
    """Means over the memories of an arm that have the value; None where none has, or this run has no such column."""

    label: str
    memories: int
    means: Mapping[str, float | None]


def store_stats(run: Run, labels: Sequence[str]) -> tuple[StoreStats, ...]:
    """The arms that have memories, in the order of `labels`."""
    wanted = (*SIZE, *KEPT, *HEALTH, *ORDER, "seconds")
    rows: dict[str, list[Mapping[str, float | None]]] = {}
    for row in run.memories.iter_rows(named=True):
        rows.setdefault(row["arm"], []).append(row)
    return tuple(
        StoreStats(label, len(rows[label]), {name: _mean([row.get(name) for row in rows[label]]) for name in wanted})
        for label in labels
        if label in rows
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
