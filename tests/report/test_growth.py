"""The drawing of how memories grow."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

from memkit.compare.growth import GrowthRow
from memkit.report.growth import draw_growth, mean_by_unit

HOSTILE = "</style><script>alert(1)</script>"
SVG = "{http://www.w3.org/2000/svg}"


def row(arm: str, stream: str, unit: int, files: float | None, **scores: float) -> GrowthRow:
    """A row with one fact."""
    return GrowthRow(arm, stream, unit, f"session {unit}", 1, {"files": files}, len(scores), scores)


ROWS = [
    row("a", "one", 1, 1),
    row("a", "one", 2, 4, evidence_recall=0.5),
    row("a", "two", 1, 3),
    row("a", "two", 2, None),
    row(HOSTILE, "one", 1, 2),
]


def test_means() -> None:
    """A mean is over the streams that have the value there; what nobody has is no point."""
    own = [one for one in ROWS if one.arm == "a"]
    assert [(1, 2.0), (2, 4.0)] == mean_by_unit(own, "files")
    assert [(2, 0.5)] == mean_by_unit(own, "evidence_recall")
    assert [] == mean_by_unit(own, "sections")


def test_a_drawing() -> None:
    """One XML document with a panel for each measure there is; labels are text, and the same rows draw the same."""
    drawn = draw_growth(ROWS)
    root = fromstring(drawn)
    texts = {element.text for element in root.iter(f"{SVG}text")}
    assert {"files", "evidence recall at checkpoints", "1  a", f"2  {HOSTILE}"} <= texts
    assert "kB" not in texts
    assert [] == list(root.iter(f"{SVG}script"))
    assert 2 == len(list(root.findall(f"{SVG}g")))
    assert drawn == draw_growth(ROWS)


def test_nothing() -> None:
    """Without rows there is a drawing without panels."""
    assert [] == fromstring(draw_growth([])).findall(f"{SVG}g")
