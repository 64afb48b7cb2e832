"""One row of a dot-and-whisker plot: it stands in a table, in line with its numbers."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

from memkit.report.figures import svg
from memkit.report.figures.scale import Scale

WIDTH, HEIGHT = 200, 24
MARGIN = 14
"""At either side, so that a tick's label fits."""
RADIUS, CAP = 4.5, 4


def strip_scale(low: float, high: float) -> Scale:
    """The scale along a strip."""
    return Scale(low, high, MARGIN, WIDTH - MARGIN)


def strip(scale: Scale, mean: float, low: float | None, high: float | None, kind: str, mark: float | None) -> Element:
    """A dot at `mean` with its whisker, over the ticks; `mark` is a value to compare with, such as 0.

    Without an interval the dot is hollow. `kind` is a class: `best`, `better`, `worse`, `null`, `plain`.
    """
    made = _grid(scale, mark)
    middle = HEIGHT / 2
    if low is not None and high is not None:
        svg.line(made, scale.at(low), middle, scale.at(high), middle, f"whisker {kind}")
        for end in (low, high):
            svg.line(made, scale.at(end), middle - CAP, scale.at(end), middle + CAP, f"whisker {kind}")
    svg.dot(made, scale.at(mean), middle, RADIUS, f"dot {kind}" if low is not None else f"dot hollow {kind}")
    return made


def axis(scale: Scale, show: Callable[[float], str], mark: float | None = None) -> Element:
    """The labels of the ticks, as the last row."""
    made = svg.canvas(WIDTH, HEIGHT - 6)
    for tick in scale.ticks(4):
        kind = "mark" if tick == mark else "tick"
        svg.line(made, scale.at(tick), 0, scale.at(tick), 4, kind)
        svg.text(made, scale.at(tick), 15, show(tick), "label", "middle")
    return made


def _grid(scale: Scale, mark: float | None) -> Element:
    made = svg.canvas(WIDTH, HEIGHT)
    for tick in scale.ticks(4):
        svg.line(made, scale.at(tick), 0, scale.at(tick), HEIGHT, "grid")
    if mark is not None and scale.low <= mark <= scale.high:
        svg.line(made, scale.at(mark), 0, scale.at(mark), HEIGHT, "mark")
    return made
