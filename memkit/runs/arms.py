"""What may be said of each arm on its own: scores with their intervals and their gaps, effort, and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum
from statistics import fmean

from attrs import frozen

from memkit.metrics.inference import missing_bounds, ratio_interval, share
from memkit.runs.sheet import MEASURES, ArmRows


@frozen
class Score:
    """The mean of a metric over questions, attempts averaged first.

    `low` and `high` are Wilson's interval at 95 % on `effective` questions. `coverage` is the share of the values that
    are there; `worst` and `best` are the mean were the others all 0 and all 1.
    """

    metric: str
    mean: float
    low: float
    high: float
    effective: float
    questions: int
    missing: int
    coverage: float
    worst: float
    best: float


@frozen
class Ratio:
    """What a right answer takes; with one stream, or where resamples have none right, there is no interval."""

    value: float
    low: float | None
    high: float | None


@frozen
class CategoryScore:
    """The mean of the primary metric over the questions of a category, with Wilson's interval."""

    category: str
    mean: float
    low: float
    high: float
    questions: int


@frozen
class ArmStats:
    """An arm: `rows` planned, `answered`, how they ended, and its figures.

    `means` are of one answer, by measure; None where a row's is unknown, or there is none. A right answer is a whole
    point of the primary metric: its cost is what the questions with a score took over the sum of their scores. Builds
    are not in it.
    """

    label: str
    factors: Mapping[str, str]
    null: bool
    rows: int
    answered: int
    statuses: Mapping[str, int]
    scores: Mapping[str, Score]
    categories: tuple[CategoryScore, ...]
    means: Mapping[str, float | None]
    usd_per_right: Ratio | None
    tokens_per_right: Ratio | None


def arm_stats(arm: ArmRows, metrics: Sequence[str], primary: str) -> ArmStats:
    """The figures of an arm; they rest on no other arm's rows. `metrics` are scores."""
    scores = {metric: found for metric in metrics if (found := _score(arm, metric)) is not None}
    return ArmStats(
        label=arm.label,
        factors=dict(arm.factors),
        null=arm.null,
        rows=len(arm.items),
        answered=arm.answered,
        statuses=dict(sorted(Counter(arm.statuses).items())),
        scores=scores,
        categories=_categories(arm, primary) if primary in scores else (),
        means={measure: _mean(arm.known(measure)) for measure in MEASURES},
        usd_per_right=_per_right(arm, primary, ("usd_logical",)),
        tokens_per_right=_per_right(arm, primary, ("uncached", "cache_read", "cache_write", "output")),
    )


def _score(arm: ArmRows, metric: str) -> Score | None:
    scored, missing, attempts = arm.scored(metric), arm.missing(metric), arm.attempts(metric)
    if not scored:
        return None
    found = share(list(scored.values()))
    worst, best = [{item: score for item, (_, score) in scored.items()} for _ in range(2)]
    for item, number in missing.items():
        mean = scored[item][1] if item in scored else 0.0
        worst[item], best[item] = missing_bounds(mean, len(attempts.get(item, ())), number)
    present, absent = sum(map(len, attempts.values())), sum(missing.values())
    return Score(
        metric=metric,
        mean=found.mean,
        low=found.low,
        high=found.high,
        effective=found.effective,
        questions=len(scored),
        missing=absent,
        coverage=present / (present + absent),
        worst=fmean(worst.values()),
        best=fmean(best.values()),
    )


def _categories(arm: ArmRows, metric: str) -> tuple[CategoryScore, ...]:
    of, groups = arm.category_of(), dict[str, list[tuple[str, float]]]()
    for item, scored in arm.scored(metric).items():
        groups.setdefault(of[item], []).append(scored)
    found = {category: share(groups[category]) for category in sorted(groups)}
    return tuple(CategoryScore(name, one.mean, one.low, one.high, len(groups[name])) for name, one in found.items())


def _mean(values: Sequence[float | None]) -> float | None:
    """A sum with an unknown part is unknown, and so is its mean."""
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None


def _per_right(arm: ArmRows, metric: str, measures: Sequence[str]) -> Ratio | None:
    """The sum of `measures` over that of the scores, on the rows that have a score. None where one is unknown."""
    rows = [(stream, spent, score) for stream, spent, score in arm.with_scores(metric, measures) if spent is not None]
    right = fsum(score for _, _, score in rows)
    if right <= 0 or len(rows) < sum(map(len, arm.attempts(metric).values())):
        return None
    found = ratio_interval(rows) if len({stream for stream, _, _ in rows}) > 1 else None
    return Ratio(*found) if found else Ratio(fsum(spent for _, spent, _ in rows) / right, None, None)
