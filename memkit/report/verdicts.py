"""What a run found, in sentences: the leaders, each declared contrast, and what weakens them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from memkit.report.costs import ArmCost
from memkit.report.numbers import count, listed, number, percent, probability, title_of
from memkit.runs.analysis import Analysis
from memkit.runs.contrasts import Contrast
from memkit.runs.sheet import is_measure

Tone: TypeAlias = Literal["good", "bad", "open", "warn"]
ALPHA = 0.05
CONTRASTS = 16
"""Told in sentences; the forest plot has every one."""
CENT = 100.0


@frozen
class Verdict:
    """A sentence: `words` between the labels `arm` and `against`, either of which may be empty, then `rest`."""

    tone: Tone
    arm: str = ""
    words: str = ""
    against: str = ""
    rest: str = ""


def verdicts(found: Analysis, costs: tuple[ArmCost, ...]) -> tuple[Verdict, ...]:
    """The leaders first, then the declared contrasts in their order, then the warnings."""
    spent = {cost.label: cost.question.total for cost in costs}
    declared = [one for one in found.contrasts if not one.exploratory]
    return (
        *_leaders(found),
        *(_contrast(one, spent) for one in declared[:CONTRASTS]),
        *_rest(len(declared) - CONTRASTS),
        *_limits(declared),
        *_nulls(found),
        *_gates(found),
        *_warnings(found),
    )


def reading(one: Contrast) -> str:
    """What its p allows to say; nothing where it could allow nothing."""
    p = one.difference.p if one.p_adjusted is None else one.p_adjusted
    if p is None or _least(one) > ALPHA:
        return ""
    told = "more than chance explains" if p < ALPHA else "not told apart"
    return f"{told} (adjusted p {probability(p)})"


def _least(one: Contrast) -> float:
    """The smallest p that the sign-flip test can give over so many streams."""
    return float(2.0 ** (1 - one.difference.clusters))


def tone(one: Contrast) -> Tone:
    """Of the figures of a contrast: shown to be better, shown to be worse, or open."""
    p = one.difference.p if one.p_adjusted is None else one.p_adjusted
    if p is None or p >= ALPHA or one.difference.mean == 0:
        return "open"
    return "bad" if (one.difference.mean < 0) != is_measure(one.metric) else "good"


def points(one: Contrast) -> str:
    """`+4.1 pp [0.6, 7.6]`; of a measure, in its own unit."""
    found = one.difference
    scale, unit = (1.0, "") if is_measure(one.metric) else (CENT, "\u00a0pp")
    mean = number(found.mean, 1, scale=scale, sign=True) + unit
    if found.low is None or found.high is None:
        return mean
    return f"{mean} [{number(found.low, 1, scale=scale)}, {number(found.high, 1, scale=scale)}]"


def _contrast(one: Contrast, spent: Mapping[str, float | None]) -> Verdict:
    ours, theirs = spent.get(one.arm), spent.get(one.against)
    ratio = f" at {_times(ours / theirs)} the tokens" if ours is not None and theirs else ""
    said = reading(one)
    return Verdict(
        tone(one), one.arm, f"is {points(one)} against", one.against, f"{ratio}{': ' if said else ''}{said}."
    )


def _rest(n: int) -> Iterator[Verdict]:
    if n > 0:
        yield Verdict("open", words=f"{count(n, 'more contrast')} in the table of contrasts.")


def _limits(declared: Sequence[Contrast]) -> Iterator[Verdict]:
    """What so few streams cannot show, said once."""
    if not declared:
        return
    most = max(declared, key=lambda one: one.difference.clusters)
    if most.difference.p is None:
        words = "One stream: these differences are true of its questions, and nothing can be said beyond them."
        yield Verdict("warn", words=words)
    elif _least(most) > ALPHA:
        least = f"with {most.difference.clusters}, no p can be below {_least(most):.3f}"
        yield Verdict("warn", words=f"There are too few streams to show any difference: {least}.")


def _times(ratio: float) -> str:
    return f"{ratio:.1f}×" if ratio >= 0.1 else f"{ratio:.2g}×"


def _leaders(found: Analysis) -> Iterator[Verdict]:
    rivals = [arm for arm in found.arms if not arm.null and found.primary in arm.scores]
    # A sentence of ours holds no text of the run's beside the labels.
    metric = title_of(found.primary) if found.primary.isidentifier() else "the primary metric"
    if len(found.leaders) == 1 and len(rivals) > 1:
        yield Verdict("good", found.leaders[0], f"is the best on {metric}: every other arm is shown to be worse.")
    elif len(found.leaders) > 1:
        best = max(rivals, key=lambda arm: arm.scores[found.primary].mean)
        others, tied = len(rivals) - 1, len(found.leaders) - 1
        who = "the other arm is" if others == 1 else f"{tied} of the {others} other arms {'is' if tied == 1 else 'are'}"
        words = f"No winner on {metric}: {who} not shown to be worse than"
        yield Verdict("open", words=words, against=best.label, rest=f" ({best.scores[found.primary].mean:.3f}).")


def _nulls(found: Analysis) -> Iterator[Verdict]:
    """How many arms do not beat the rows that use no memory; the oracle is no rival."""
    arms = [score.mean for arm in found.arms if not arm.null and (score := arm.scores.get(found.primary))]
    for null in found.arms:
        score = null.scores.get(found.primary)
        if null.null and null.label != "oracle" and score is not None and arms:
            behind = sum(mean <= score.mean for mean in arms)
            if behind:
                who = "Not one arm beats" if behind == len(arms) else f"{behind} of {len(arms)} arms do not beat"
                yield Verdict("warn", words=who, against=null.label, rest=f", which uses no memory ({score.mean:.3f}).")


def _gates(found: Analysis) -> Iterator[Verdict]:
    names = {"pass": "passed", "fail": "failed", "inconclusive": "inconclusive"}
    counts = {verdict: sum(gate.verdict == verdict for gate in found.gates) for verdict in names}
    if found.gates:
        said = listed([f"{n} {names[verdict]}" for verdict, n in counts.items() if n])
        worst: Tone = "bad" if counts["fail"] else "open" if counts["inconclusive"] else "good"
        yield Verdict(worst, words=f"Gates: {said}.")


def _warnings(found: Analysis) -> Iterator[Verdict]:
    missing = found.rows - found.answered
    if missing:
        share = percent(missing / found.rows, 1)
        what = f"{missing:,} of {count(found.rows, 'answer')} are missing ({share})"
        yield Verdict("warn", words=f"{what}; they count as neither right nor wrong.")
    breaches = [fact.name for fact in found.audit.facts if fact.breach]
    if breaches:
        names = listed([title_of(name) for name in breaches])
        yield Verdict(
            "bad", words=f"The arms are not comparable: the spec holds {names} equal, and it is not shown to be."
        )
    if found.audit.confounded:
        n = len(found.audit.confounded)
        yield Verdict(
            "warn", words=f"{count(n, 'contrast')} var{'ies' if n == 1 else 'y'} more than one factor at once."
        )
