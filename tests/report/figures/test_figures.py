from __future__ import annotations

from itertools import pairwise
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.report.figures import svg
from memkit.report.figures.bar import bar
from memkit.report.figures.chart import HEIGHT, NEAR, SERIES, Axis, Line, Point, lines, scatter
from memkit.report.figures.strip import axis, strip, strip_scale
from memkit.report.numbers import short
from memkit.report.text import clean

UNIT = Axis("x", 0.0, 1.0, short)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_texts_are_texts(words: str) -> None:
    """Whatever is written into a drawing is read back as it is, cleaned, and never as markup."""
    drawing = svg.canvas(10, 10, words)
    svg.text(drawing, 1, 2, words)
    svg.dot(drawing, 1, 2, 3, "dot", words or "none")
    read = fromstring(svg.markup(drawing))

    assert ["svg", "text", "circle", "title"] == [one.tag for one in read.iter()]
    assert clean(words).replace("\r", "\n") == (read[0].text or "")


def test_same_bytes() -> None:
    """The same numbers give the same bytes; coordinates have a digit at most, and no minus zero."""
    drawing = svg.canvas(10, 10)
    svg.line(drawing, -0.01, 1 / 3, 10.0, 2.25, "grid")

    expected = '<line x1="0" y1="0.3" x2="10" y2="2.2" class="grid"></line></svg>'
    assert svg.markup(drawing).endswith(expected)


@pytest.mark.parametrize(
    ("low", "high", "whiskers", "kind"), [(0.2, 0.8, 3, "dot best"), (None, None, 0, "dot hollow best")]
)
def test_strip(low: float | None, high: float | None, whiskers: int, kind: str) -> None:
    """An interval is a whisker with two ends; without one the dot is hollow."""
    drawing = strip(strip_scale(0, 1), 0.5, low, high, "best", 0.0)

    assert whiskers == sum(line.get("class") == "whisker best" for line in drawing.iter("line"))
    assert [(kind, "100")] == [(dot.get("class"), dot.get("cx")) for dot in drawing.iter("circle")]
    assert 1 == sum(line.get("class") == "mark" for line in drawing.iter("line"))


def test_axis() -> None:
    """Every tick has its label."""
    assert ["0", "0.25", "0.5", "0.75", "1"] == [text.text for text in axis(strip_scale(0, 1), short).iter("text")]


def test_bar() -> None:
    """The parts lie end to end, in proportion to the most."""
    _, *parts = bar([("a", 1.0), ("b", 3.0)], 8.0, 80).iter("rect")

    assert [("a", "0", "10"), ("b", "10", "30")] == [(p.get("class"), p.get("x"), p.get("width")) for p in parts]
    assert ["0", "0"] == [p.get("width") for p in list(bar([("a", 0.0), ("b", 0.0)], 0.0).iter("rect"))[1:]]


def test_scatter() -> None:
    """A point has its number, its range and its title; the staircase pays before it rises."""
    points = [Point(1, 0.0, 0.0, 0.0, 0.5, "best", "<a>"), Point(2, 0.5, 1.0, 0.5, 1.0, "best", "b")]
    drawing = scatter("both", UNIT, UNIT, points, [(0.0, 0.0), (0.5, 1.0)])

    assert ["1", "2"] == [t.text for t in drawing.iter("text") if (t.get("class") or "").startswith("inside")]
    assert ["<a>", "b"] == [t.text for t in drawing.iter("title")]
    (stairs,) = drawing.iter("polyline")
    assert "60,292 334,292 334,34 608,34" == stairs.get("points")


def test_lines() -> None:
    """Numbers at the ends lie apart and within the drawing; a ninth series has the first one's colour again."""
    series = [Line(n, [(0.0, 0.0), (1.0, 0.01 * n)], "x") for n in range(1, SERIES + 2)]
    drawing = lines("many", UNIT, UNIT, series)
    ends = [t for t in drawing.iter("text") if (t.get("class") or "").startswith("number")]
    heights = sorted(float(t.get("y") or "nan") for t in ends)

    assert all(b - a >= NEAR - 0.1 for a, b in pairwise(heights))
    assert heights[-1] < HEIGHT
    assert 2 == sum(one.get("class") == "series s0" for one in drawing.iter("polyline"))


def test_lines_with_names() -> None:
    """Where x has no numbers its places have names, and every value a dot; a lone value has no line."""
    drawing = lines("few", Axis("x", 0, 1, short), UNIT, [Line(1, [(1.0, 0.5)], "x")], ["low", "high"])

    assert {"low", "high"} <= {text.text for text in drawing.iter("text")}
    assert (1, 0) == (len(list(drawing.iter("circle"))), len(list(drawing.iter("polyline"))))
