"""Paired differences of arms: the declared contrasts, slices by category, and the smallest detectable difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from memkit.metrics.inference import POWER, benjamini_hochberg
from memkit.metrics.stats import Difference, holm, paired_difference, t_quantile
from memkit.runs.sheet import ArmRows, Item, Sheet

Adjustment: TypeAlias = Literal["holm", "benjamini-hochberg"]
LEVEL = 0.95
RIGHT = 0.5
"""From this score on an answer counts as right where it must be one or the other, as in flips."""


@frozen
class Contrast:
    """`arm` minus `against` on the questions scored in both, attempts averaged first.

    `better` and `worse` count the questions whose difference is above and below 0. `p_adjusted` is the p of the
    difference among those of its family: all declared contrasts on the primary metric (Holm), or all `exploratory` ones
    of one kind (Benjamini-Hochberg). `detectable` is the true difference that the test would find with a
    power of 80 %, given how much the questions and streams varied. With one stream all three are None.
    """

    metric: str
    arm: str
    against: str
    difference: Difference
    better: int
    worse: int
    exploratory: bool
    adjustment: Adjustment
    p_adjusted: float | None = None
    detectable: float | None = None
    category: str = ""
    """Of a slice: what its questions have in common."""


@frozen
class Flip:
    """A question that one arm has right and the other wrong, at `RIGHT`: its `score`, and that of the `other`."""

    stream: str
    question: str
    category: str
    score: float
    other: float


def contrasts(sheet: Sheet) -> tuple[Contrast, ...]:
    """The declared pairs: on the primary metric, then, exploratory, on the others, pair by pair."""
    primary, *others = sheet.design.metrics
    main = _of_metric(sheet, primary, exploratory=False)
    rest = [one for metric in others for one in _of_metric(sheet, metric, exploratory=True)]
    order = {pair: place for place, pair in enumerate(sheet.design.pairs)}
    rest.sort(key=lambda one: order[one.arm, one.against])
    return (*adjust(main, holm), *adjust(rest, benjamini_hochberg))


def slices(sheet: Sheet) -> tuple[Contrast, ...]:
    """The declared pairs on the primary metric within each category, where there is more than one; exploratory."""
    metric = sheet.design.primary
    found = []
    for arm, against in sheet.design.pairs:
        of, groups = sheet.arms[arm].category_of(), dict[str, list[tuple[Item, float, float]]]()
        for pair in pair_up(sheet.arms[arm], sheet.arms[against], metric):
            groups.setdefault(of[pair[0]], []).append(pair)
        if len(groups) > 1:
            found += [
                evolve(make_contrast(metric, arm, against, groups[name], exploratory=True), category=name)
                for name in sorted(groups)
            ]
    return tuple(adjust(found, benjamini_hochberg))


def flips(arm: ArmRows, against: ArmRows, metric: str) -> list[Flip]:
    """The questions on which the two disagree, the largest differences first."""
    of = arm.category_of()
    found = [
        Flip(item[0], item[1], of[item], ours, theirs)
        for item, ours, theirs in pair_up(arm, against, metric)
        if (ours >= RIGHT) != (theirs >= RIGHT)
    ]
    return sorted(found, key=lambda flip: (-abs(flip.score - flip.other), flip.stream, flip.question))


def pair_up(arm: ArmRows, against: ArmRows, metric: str) -> list[tuple[Item, float, float]]:
    """(question, score, other's score) of each question scored in both."""
    theirs = against.scored(metric)
    return [(item, score, theirs[item][1]) for item, (_, score) in arm.scored(metric).items() if item in theirs]


def make_contrast(
    metric: str, arm: str, against: str, pairs: Sequence[tuple[Item, float, float]], *, exploratory: bool
) -> Contrast:
    """The contrast of two labelled arms on paired scores, its p not adjusted yet."""
    difference = paired_difference([(item[0], ours, theirs) for item, ours, theirs in pairs], level=LEVEL)
    return Contrast(
        metric=metric,
        arm=arm,
        against=against,
        difference=difference,
        better=sum(ours > theirs for _, ours, theirs in pairs),
        worse=sum(ours < theirs for _, ours, theirs in pairs),
        exploratory=exploratory,
        adjustment="benjamini-hochberg" if exploratory else "holm",
        detectable=_detectable(difference),
    )


def adjust(found: Sequence[Contrast], method: Callable[[Sequence[float]], list[float]]) -> list[Contrast]:
    """The contrasts with their p adjusted as one family; those of one stream have none and count for nothing."""
    tested = [place for place, one in enumerate(found) if one.difference.p is not None]
    adjusted: Mapping[int, float] = dict(
        zip(tested, method([found[place].difference.p or 0.0 for place in tested]), strict=True)
    )
    return [evolve(one, p_adjusted=adjusted.get(place)) for place, one in enumerate(found)]


def _of_metric(sheet: Sheet, metric: str, *, exploratory: bool) -> list[Contrast]:
    """The declared pairs that have a question scored in both arms."""
    made = []
    for arm, against in sheet.design.pairs:
        if pairs := pair_up(sheet.arms[arm], sheet.arms[against], metric):
            made.append(make_contrast(metric, arm, against, pairs, exploratory=exploratory))
    return made


def _detectable(found: Difference) -> float | None:
    """(t(.975) + t(.8)) * se, with the se that the interval rests on (Donner & Klar 2000)."""
    if found.low is None or found.high is None:
        return None
    t = t_quantile((1 + LEVEL) / 2, found.clusters - 1)
    return (found.high - found.low) / 2 / t * (t + t_quantile(POWER, found.clusters - 1))
