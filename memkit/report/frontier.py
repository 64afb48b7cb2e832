"""Quality against cost: which arms no other beats on both."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from attrs import evolve, frozen

from memkit.report.costs import ArmCost
from memkit.report.figures.chart import Axis, Point, scatter
from memkit.report.figures.scale import fit
from memkit.report.money import Unit
from memkit.report.numbers import short, title_of
from memkit.runs.analysis import Analysis


@frozen
class Place:
    """An arm at the cost of a question (its build apart) and its score.

    It is `efficient` when no other arm scores as high for less, or higher for as little. Null rows are shown for
    comparison and compete with nobody.
    """

    number: int
    label: str
    null: bool
    cost: float
    score: float
    low: float
    high: float
    efficient: bool = False


@frozen
class Frontier:
    """The arms whose cost and score are known, in the order of the analysis."""

    unit: Unit
    metric: str
    places: tuple[Place, ...]

    @property
    def figure(self) -> Element:
        """The arms as numbered points, and the staircase through the efficient ones."""
        across, up = fit((p.cost for p in self.places), 0, 1, zero=True), fit((p.low for p in self.places), 0, 1)
        x = Axis(f"{self.unit.name} a question", across.low, across.high, short)
        y = Axis(title_of(self.metric), min(up.low, 0.9), 1.0, short)
        points = [Point(p.number, p.cost, p.score, p.low, p.high, _kind(p), p.label) for p in self.places]
        best = sorted((p.cost, p.score) for p in self.places if p.efficient)
        return scatter(f"{y.name} against {x.name}; the table holds the numbers", x, y, points, best)


def find_frontier(found: Analysis, costs: Sequence[ArmCost], unit: Unit) -> Frontier:
    """Where the arms stand on the primary metric."""
    places = []
    for arm, cost in zip(found.arms, costs, strict=True):
        score, spent = arm.scores.get(found.primary), unit.of(cost.question)
        if score is not None and spent is not None:
            places.append(Place(cost.number, arm.label, arm.null, spent, score.mean, score.low, score.high))
    rivals = [place for place in places if not place.null]
    marked = (evolve(p, efficient=not p.null and not any(_beats(q, p) for q in rivals)) for p in places)
    return Frontier(unit, found.primary, tuple(marked))


def _beats(a: Place, b: Place) -> bool:
    return a.cost <= b.cost and a.score >= b.score and (a.cost, a.score) != (b.cost, b.score)


def _kind(place: Place) -> str:
    return "null" if place.null else "best" if place.efficient else "plain"
