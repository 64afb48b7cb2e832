"""What may be said of whole arms: intervals, ties, gates, and what a design can detect.

Built on `memkit.metrics.stats`; the cluster (the stream) is the unit of inference throughout.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from math import fsum, sqrt
from typing import Literal, TypeAlias

from attrs import frozen

from memkit.errors import UserError
from memkit.metrics.stats import holm, paired_difference, t_quantile, wilson

Gate: TypeAlias = Literal["pass", "fail", "inconclusive"]
Scored: TypeAlias = Mapping[Hashable, tuple[Hashable, float]]
"""Item -> (cluster, score) of one arm."""

RESAMPLES = 2_000
SEED = 20_240_612
"""Of the cluster bootstrap: the same data give the same interval."""
ASSUMED_SD = 0.5
"""Standard deviation of a paired difference before anything is known: that of 0-1 scores of which a quarter flip."""
ASSUMED_ICC = 0.1
"""Correlation of the differences of one cluster before anything is known."""
POWER = 0.8


@frozen
class Share:
    """A mean of scores in [0, 1] with Wilson's interval on the effective number of items."""

    mean: float
    low: float
    high: float
    effective: float


def share(scores: Sequence[tuple[Hashable, float]], *, level: float = 0.95) -> Share:
    """The mean of (cluster, score) pairs with its interval.

    The effective n is n over the design effect, the cluster-robust variance of the mean over that of independent
    items (Kish 1965), kept between the number of clusters and n. One cluster gives n: the interval is
    then about its own questions and says nothing beyond them. Raises UserError without scores.
    """
    if not scores:
        raise UserError("no item is scored; there is no mean to give")
    n, groups = len(scores), _grouped(scores)
    mean = min(max(fsum(score for _, score in scores) / n, 0.0), 1.0)
    effective = float(n)
    independent = fsum((score - mean) ** 2 for _, score in scores)
    if len(groups) > 1 and independent > 0:
        residuals = (fsum(score - mean for score in group) for group in groups.values())
        robust = len(groups) / (len(groups) - 1) * fsum(r * r for r in residuals)
        effective = min(max(n * independent / robust, len(groups)), n) if robust > 0 else float(n)
    low, high = wilson(mean * effective, effective, level=level)
    return Share(mean, low, high, effective)


def missing_bounds(mean: float, scored: int, missing: int) -> tuple[float, float]:
    """The mean were every missing score 0, and were every one 1: what missing data can do at worst."""
    total = scored + missing
    return mean * scored / total, (mean * scored + missing) / total


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """The p values adjusted to bound the false discovery rate (Benjamini & Hochberg 1995), in the order given."""
    adjusted = [0.0] * len(ps)
    least = 1.0
    order = sorted(range(len(ps)), key=ps.__getitem__)
    for rank, place in reversed(list(enumerate(order, 1))):
        least = min(least, len(ps) / rank * ps[place])
        adjusted[place] = least
    return adjusted


def leaders(arms: Mapping[str, Scored], *, level: float = 0.95) -> tuple[str, ...]:
    """The arms that may be the best: the one of the highest mean and those not shown to differ from it.

    Each is tested against the highest on the items both scored, the p values Holm-adjusted. With one cluster nothing
    can be shown, so all are tied. In the order given; arms without scores are left out.
    """
    means = {name: fsum(score for _, score in items.values()) / len(items) for name, items in arms.items() if items}
    if not means:
        return ()
    best = max(means, key=lambda name: means[name])
    others = [name for name in means if name != best]
    adjusted = holm([_p(arms[best], arms[name]) for name in others])
    tied = {best, *(name for name, p in zip(others, adjusted, strict=True) if p > 1 - level)}
    return tuple(name for name in means if name in tied)


def noninferior(pairs: Sequence[tuple[Hashable, float, float]], margin: float, *, level: float = 0.95) -> Gate:
    """Whether a is no worse than b by more than `margin`: `pairs` holds (cluster, score a, score b).

    `pass` when the one-sided lower bound of a - b is above -margin, `fail` when the upper one is below it, else
    `inconclusive`, as with one cluster.
    """
    # Both one-sided bounds at `level` are the ends of a two-sided interval at 2 * level - 1.
    found = paired_difference(pairs, level=2 * level - 1)
    if found.low is None or found.high is None:
        return "inconclusive"
    if found.low > -margin:
        return "pass"
    return "fail" if found.high < -margin else "inconclusive"


def ratio_interval(
    rows: Sequence[tuple[Hashable, float, float]], *, level: float = 0.95
) -> tuple[float, float, float] | None:
    """The sum of a over that of b, such as cost per right answer, with a cluster-bootstrap interval (percentiles).

    `rows` holds (cluster, a, b). None when b sums to nothing, or does so in a resample that the interval needs.
    """
    import numpy as np

    groups = defaultdict(list)
    for cluster, a, b in rows:
        groups[cluster].append((a, b))
    sums = np.array([[fsum(a for a, _ in group), fsum(b for _, b in group)] for group in groups.values()])
    if not len(sums) or sums[:, 1].sum() <= 0:
        return None
    ratio = float(sums[:, 0].sum() / sums[:, 1].sum())
    drawn = np.random.default_rng(SEED).integers(len(sums), size=(RESAMPLES, len(sums)))
    totals = sums[drawn].sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.sort(np.where(totals[:, 1] > 0, totals[:, 0] / totals[:, 1], np.inf))
    low, high = np.quantile(ratios, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    return (ratio, float(low), float(high)) if np.isfinite(high) else None


def detectable(
    clusters: int, items: int, *, sd: float = ASSUMED_SD, icc: float = ASSUMED_ICC, level: float = 0.95
) -> float | None:
    """The smallest true difference that a test at 1 - `level` finds with probability `POWER`; None with one cluster.

    (t(1 - alpha/2) + t(power)) * se, with C - 1 degrees of freedom and se = sd * sqrt((1 + (m - 1) * icc) / n) for m
    items a cluster (Donner & Klar 2000).
    """
    if clusters < 2:
        return None
    se = sd * sqrt((1 + (items / clusters - 1) * icc) / items)
    return (t_quantile((1 + level) / 2, clusters - 1) + t_quantile(POWER, clusters - 1)) * se


def _p(a: Scored, b: Scored) -> float:
    pairs = [(cluster, score, b[item][1]) for item, (cluster, score) in a.items() if item in b]
    p = paired_difference(pairs).p if pairs else None
    return 1.0 if p is None else p


def _grouped(scores: Sequence[tuple[Hashable, float]]) -> Mapping[Hashable, list[float]]:
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for cluster, score in scores:
        groups[cluster].append(score)
    return groups
