"""A plot with two axes: points with their ranges, and lines. Series are told apart by colour, dash and number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element

from attrs import frozen

from memkit.report.figures import svg
from memkit.report.figures.scale import Scale

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 60, 32, 34, 48
RADIUS = 9
SERIES = 8
"""Colours and dashes there are; further series begin again."""
NEAR = 16.0
"""Numbers at the ends of lines stand so many units apart."""
Show = Callable[[float], str]


@frozen
class Axis:
    """What is along an axis: its name, its ends, and how its values are written."""

    name: str
    low: float
    high: float
    show: Show


@frozen
class Point:
    """One numbered point; `low` and `high` are its range upwards. `kind` is a class."""

    number: int
    x: float
    y: float
    low: float
    high: float
    kind: str
    title: str


@frozen
class Line:
    """One numbered line through `points`."""

    number: int
    points: Sequence[tuple[float, float]]
    title: str


def scatter(label: str, x: Axis, y: Axis, points: Sequence[Point], frontier: Sequence[tuple[float, float]]) -> Element:
    """The `points`, and a staircase through those of the `frontier`, which are in order of x."""
    made, across, up = _frame(label, x, y)
    if frontier:
        svg.polyline(made, [(across.at(a), up.at(b)) for a, b in _stairs(frontier, x.high)], "frontier")
    for point in points:
        at = across.at(point.x)
        svg.line(made, at, up.at(point.low), at, up.at(point.high), f"whisker {point.kind}")
    for point in points:
        svg.dot(made, across.at(point.x), up.at(point.y), RADIUS, f"dot {point.kind}", point.title)
        svg.text(made, across.at(point.x), up.at(point.y) + 4, str(point.number), f"inside {point.kind}", "middle")
    return made


def lines(label: str, x: Axis, y: Axis, series: Sequence[Line], names: Sequence[str] = ()) -> Element:
    """The `series`; `names` are of the places 0, 1, 2 along x, where it has no numbers."""
    made, across, up = _frame(label, x, y, names)
    ends = []
    for one in series:
        kind = f"series s{(one.number - 1) % SERIES}"
        places = [(across.at(a), up.at(b)) for a, b in one.points]
        if len(places) > 1:
            svg.polyline(made, places, kind)
        for place in places if names else ():
            svg.dot(made, *place, 3.5, kind, one.title)
        if places:
            ends.append((places[-1], one.number))
    for (at, height), number in _apart(ends):
        svg.text(made, at + 7, height + 4, str(number), f"number s{(number - 1) % SERIES}")
    return made


def _frame(label: str, x: Axis, y: Axis, names: Sequence[str] = ()) -> tuple[Element, Scale, Scale]:
    made = svg.canvas(WIDTH, HEIGHT, label)
    across, up = Scale(x.low, x.high, LEFT, WIDTH - RIGHT), Scale(y.low, y.high, HEIGHT - BOTTOM, TOP)
    for tick in up.ticks():
        svg.line(made, LEFT, up.at(tick), WIDTH - RIGHT, up.at(tick), "grid")
        svg.text(made, LEFT - 8, up.at(tick) + 4, y.show(tick), "label", "end")
    for tick, name in enumerate(names) if names else ((tick, x.show(tick)) for tick in across.ticks()):
        svg.line(made, across.at(tick), HEIGHT - BOTTOM, across.at(tick), HEIGHT - BOTTOM + 5, "tick")
        svg.text(made, across.at(tick), HEIGHT - BOTTOM + 19, name, "label", "middle")
    svg.line(made, LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "tick")
    svg.text(made, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x.name, "axis", "middle")
    svg.text(made, 0, 14, y.name, "axis")
    return made, across, up


def _stairs(points: Sequence[tuple[float, float]], end: float) -> list[tuple[float, float]]:
    """To have more than a point, one pays until the next."""
    found = [points[0]]
    for x, y in points[1:]:
        found += [(x, found[-1][1]), (x, y)]
    return [*found, (end, found[-1][1])]


def _apart(ends: Sequence[tuple[tuple[float, float], int]]) -> list[tuple[tuple[float, float], int]]:
    """The ends from top to bottom, moved down where they would lie on one another."""
    found: list[tuple[tuple[float, float], int]] = []
    for (x, y), number in sorted(ends, key=lambda end: (end[0][1], end[1])):
        least = found[-1][0][1] + NEAR if found else y
        found.append(((x, max(y, least)), number))
    over = max(found[-1][0][1] - (HEIGHT - BOTTOM), 0.0) if found else 0.0
    return [((x, y - over), number) for (x, y), number in found]
