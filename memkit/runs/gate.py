"""Gates: whether any arm is worse than the one it is held against, by more than is allowed."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from memkit.metrics.inference import Gate, noninferior
from memkit.metrics.stats import paired_difference
from memkit.runs.contrasts import pair_up
from memkit.runs.sheet import GateRule, Sheet, is_measure

LEVEL = 0.95
"""Of each one-sided bound."""


@frozen
class GateResult:
    """One rule on one arm: `mean` is the arm minus `vs`, `low` and `high` its one-sided 95 % bounds.

    Of a measure, such as a cost, the sign is turned, since less is better. `reason` says why a gate is inconclusive
    where no interval does.
    """

    metric: str
    arm: str
    vs: str
    margin: float
    verdict: Gate
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    questions: int = 0
    clusters: int = 0
    coverage: float | None = None
    """The smaller of the two arms'."""
    reason: str = ""


def gate_results(sheet: Sheet) -> tuple[GateResult, ...]:
    """Every rule on every arm that it binds: all but the one held against, and the null rows."""
    return tuple(one for rule in sheet.design.gates for one in _results(sheet, rule))


def _results(sheet: Sheet, rule: GateRule) -> Iterator[GateResult]:
    if rule.vs not in sheet.arms:
        reason = f"no arm is labelled {rule.vs!r}"
        yield GateResult(rule.metric, "", rule.vs, rule.margin, "inconclusive", reason=reason)
        return
    for arm in sheet.arms.values():
        if not arm.null and arm.label != rule.vs:
            yield _result(sheet, rule, arm.label)


def _result(sheet: Sheet, rule: GateRule, label: str) -> GateResult:
    arm, vs = sheet.arms[label], sheet.arms[rule.vs]
    pairs = pair_up(arm, vs, rule.metric)
    if not pairs:
        reason = f"no question has {rule.metric} in both arms"
        return GateResult(rule.metric, label, rule.vs, rule.margin, "inconclusive", reason=reason)
    sign = -1.0 if is_measure(rule.metric) else 1.0
    signed = [(item[0], sign * ours, sign * theirs) for item, ours, theirs in pairs]
    found = paired_difference(signed, level=2 * LEVEL - 1)
    return GateResult(
        metric=rule.metric,
        arm=label,
        vs=rule.vs,
        margin=rule.margin,
        verdict=noninferior(signed, rule.margin, level=LEVEL),
        mean=found.mean,
        low=found.low,
        high=found.high,
        questions=found.items,
        clusters=found.clusters,
        coverage=min(_coverage(sheet, label, rule.metric), _coverage(sheet, rule.vs, rule.metric)),
        reason="one stream: nothing can be said beyond it" if found.clusters == 1 else "",
    )


def _coverage(sheet: Sheet, label: str, metric: str) -> float:
    arm = sheet.arms[label]
    present, absent = sum(map(len, arm.attempts(metric).values())), sum(arm.missing(metric).values())
    return present / (present + absent)
