"""What a memory has cost by the n-th question asked of it: when a dearer build has paid for itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from xml.etree.ElementTree import Element

from attrs import frozen

from memkit.accounting.bills import break_even
from memkit.report.costs import ArmCost
from memkit.report.figures.chart import Axis, Line, lines
from memkit.report.figures.scale import fit
from memkit.report.money import Unit
from memkit.report.numbers import short

BEYOND = 1.5
"""The figure goes on beyond the last break-even by this factor."""
LINES_SHOWN = 12


@frozen
class Payback:
    """An arm's build and question in the unit, and the questions after which the `dearer` build has paid.

    Against the baseline; `dearer` is a label, or empty where the builds cost the same or for the baseline itself.
    """

    number: int
    label: str
    build: float
    question: float
    dearer: str
    questions: int | None


@frozen
class Paybacks:
    """The arms whose costs are known. Null rows build nothing, and are left out."""

    unit: Unit
    baseline: str
    arms: tuple[Payback, ...]
    asked: float
    """Questions to a memory in this run."""

    @property
    def reach(self) -> int:
        """The questions up to which the figure goes."""
        known = [arm.questions for arm in self.arms if arm.questions]
        return max(2, ceil(max([self.asked, *(BEYOND * questions for questions in known)])))

    @property
    def figure(self) -> Element:
        """What each arm has cost by the number of questions; the first of them where there are many."""
        shown = self.arms[:LINES_SHOWN]
        across = fit([self.reach], 0, 1, zero=True)
        up = fit((arm.build + across.high * arm.question for arm in shown), 0, 1, zero=True)
        x = Axis("questions to one memory", 0, across.high, short)
        y = Axis(f"{self.unit.name}, build and questions together", 0, up.high, short)
        series = [
            Line(arm.number, [(0, arm.build), (x.high, arm.build + x.high * arm.question)], arm.label) for arm in shown
        ]
        return lines(f"{y.name}, by {x.name}; the table holds the numbers", x, y, series)


def find_paybacks(baseline: str, costs: Sequence[ArmCost], unit: Unit) -> Paybacks | None:
    """Each arm against the baseline; None when what that costs is not known, or nothing is built."""
    known: dict[str, tuple[ArmCost, float, float]] = {}
    for cost in costs:
        build, question = unit.of(cost.build), unit.of(cost.question)
        if not cost.null and build is not None and question is not None and cost.question.of:
            known[cost.label] = (cost, build, question)
    if baseline not in known or not any(build for _, build, _ in known.values()):
        return None
    base, *theirs = known[baseline]
    arms = []
    for label, (cost, build, question) in known.items():
        dearer, after = _paid(label, (build, question), baseline, theirs)
        arms.append(Payback(cost.number, label, build, question, dearer, after))
    return Paybacks(unit, baseline, tuple(arms), base.question.of / max(base.build.of, 1))


def _paid(label: str, ours: Sequence[float], baseline: str, theirs: Sequence[float]) -> tuple[str, int | None]:
    if ours[0] == theirs[0]:
        return "", None
    dearer, other = (ours, theirs) if ours[0] > theirs[0] else (theirs, ours)
    after = break_even(*map(Fraction, (*dearer, *other)))
    return label if dearer is ours else baseline, after
