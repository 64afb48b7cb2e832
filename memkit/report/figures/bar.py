"""One bar, whole or in parts: it stands in a table, in line with its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from memkit.report.figures import svg
from memkit.report.figures.scale import Scale

WIDTH, HEIGHT = 240, 20
THICK = 12


def bar(parts: Sequence[tuple[str, float]], most: float, width: float = WIDTH) -> Element:
    """The `parts` (class, length) one after another; `most` is the length of a bar that fills its place."""
    made = svg.canvas(width, HEIGHT)
    scale = Scale(0.0, most, 0.0, width)
    svg.rect(made, 0, (HEIGHT - THICK) / 2, width, THICK, "trough")
    done = 0.0
    for kind, length in parts:
        start, end = scale.at(done) if most > 0 else 0.0, scale.at(done + length) if most > 0 else 0.0
        svg.rect(made, start, (HEIGHT - THICK) / 2, end - start, THICK, kind)
        done += length
    return made
