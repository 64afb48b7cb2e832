"""The pieces that figures are drawn with: SVG elements, whose text and attributes the serializer escapes.

Colours are classes of the style sheet, so that a figure follows light, dark and print; there is no style attribute.
"""

from __future__ import annotations

from typing import Literal
from xml.etree.ElementTree import Element, SubElement, tostring

from memkit.report.text import clean

Anchor = Literal["start", "middle", "end"]


def canvas(width: float, height: float, label: str = "") -> Element:
    """An empty drawing; `label` is what a screen reader says, and without one it is decoration beside its numbers."""
    size = {"width": _at(width), "height": _at(height), "viewBox": f"0 0 {_at(width)} {_at(height)}"}
    if label:
        return Element("svg", {**size, "role": "img", "aria-label": clean(label)})
    return Element("svg", {**size, "aria-hidden": "true", "focusable": "false"})


def line(parent: Element, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
    """A straight line."""
    SubElement(parent, "line", {"x1": _at(x1), "y1": _at(y1), "x2": _at(x2), "y2": _at(y2), "class": kind})


def rect(parent: Element, x: float, y: float, width: float, height: float, kind: str) -> None:
    """A box."""
    size = {"width": _at(max(width, 0.0)), "height": _at(max(height, 0.0))}
    SubElement(parent, "rect", {"x": _at(x), "y": _at(y), **size, "class": kind})


def dot(parent: Element, x: float, y: float, radius: float, kind: str, title: str = "") -> None:
    """A filled circle; `title` is shown on hovering."""
    made = SubElement(parent, "circle", {"cx": _at(x), "cy": _at(y), "r": _at(radius), "class": kind})
    if title:
        SubElement(made, "title").text = clean(title)


def polyline(parent: Element, points: list[tuple[float, float]], kind: str) -> None:
    """A line through `points`."""
    SubElement(parent, "polyline", {"points": " ".join(f"{_at(x)},{_at(y)}" for x, y in points), "class": kind})


def text(parent: Element, x: float, y: float, words: str, kind: str = "", anchor: Anchor = "start") -> None:
    """Words, with their baseline at `y`."""
    made = SubElement(parent, "text", {"x": _at(x), "y": _at(y), "text-anchor": anchor})
    if kind:
        made.set("class", kind)
    made.text = clean(words)


def markup(drawing: Element) -> str:
    """The drawing as text that can stand in HTML."""
    return tostring(drawing, encoding="unicode", short_empty_elements=False)


def _at(value: float) -> str:
    """A coordinate to a tenth; no `-0`, no trailing zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
