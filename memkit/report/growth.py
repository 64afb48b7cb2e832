"""`growth.svg`: how the memories of a run grow, a panel a measure and a line an arm, in one file that stands alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from xml.etree.ElementTree import Element, SubElement

from attrs import frozen

from memkit.compare.growth import GrowthRow
from memkit.report.figures import svg
from memkit.report.figures.chart import HEIGHT, WIDTH, Axis, Line, lines
from memkit.report.figures.scale import fit
from memkit.report.html import STYLE, TEMPLATES
from memkit.report.numbers import short
from memkit.store.atomic import write_file

FILE = "growth.svg"
PAPER = ".paper { fill: var(--bg); }"
"""What the style sheet of the report lacks for a figure that stands alone."""
COLUMNS, MARGIN = 2, 12
KEY_HEIGHT = 22
RECALL = "evidence_recall"


@frozen
class Panel:
    """A measure: its column, its title, what it is divided by, and its upper end where that is known."""

    column: str
    title: str
    scale: float = 1.0
    top: float | None = None


PANELS = (
    Panel("files", "files"),
    Panel("sections", "sections"),
    Panel("bytes", "kB", 1000.0),
    Panel("mean_depth", "mean leaf depth"),
    Panel("kept_locators", "share of locators kept", top=1.0),
    Panel("kept_names", "share of names kept", top=1.0),
    Panel("references", "cross-references"),
    Panel(RECALL, "evidence recall at checkpoints", top=1.0),
)


def draw_growth(rows: Sequence[GrowthRow]) -> str:
    """The drawing as SVG text; the same rows give the same. A place is the mean over the streams that are so long."""
    arms = list(dict.fromkeys(row.arm for row in rows))
    panels = [panel for panel in PANELS if any(value(row, panel.column) is not None for row in rows)]
    key = KEY_HEIGHT * (len(arms) + 1)
    depth = -(-len(panels) // COLUMNS)
    whole = svg.canvas(MARGIN + WIDTH * COLUMNS, key + HEIGHT * depth, "How the memories grow, unit by unit")
    whole.set("xmlns", "http://www.w3.org/2000/svg")
    SubElement(whole, "style").text = (TEMPLATES / STYLE).read_text(encoding="utf-8") + PAPER
    svg.rect(whole, 0, 0, MARGIN + WIDTH * COLUMNS, key + HEIGHT * depth, "paper")
    for number, arm in enumerate(arms, 1):
        svg.text(whole, MARGIN, KEY_HEIGHT * number, f"{number}  {arm}", f"number s{(number - 1) % 8}")
    for place, panel in enumerate(panels):
        drawn = _panel(panel, rows, arms)
        across, down = divmod(place, COLUMNS)[::-1]
        moved = SubElement(whole, "g", {"transform": f"translate({MARGIN + across * WIDTH} {key + down * HEIGHT})"})
        moved.extend(list(drawn))
    return svg.markup(whole)


def write_growth(folder: Path, rows: Sequence[GrowthRow]) -> Path:
    """Draw `growth.svg` into a folder of results."""
    path = folder / FILE
    write_file(path, draw_growth(rows).encode("utf-8", "replace"))
    return path


def mean_by_unit(rows: Sequence[GrowthRow], column: str) -> list[tuple[int, float]]:
    """(unit, mean over streams) of one arm's rows, where there is a value."""
    found: Mapping[int, list[float]] = defaultdict(list)
    for row in rows:
        if (one := value(row, column)) is not None:
            found[row.unit].append(one)
    return [(unit, fmean(values)) for unit, values in sorted(found.items())]


def value(row: GrowthRow, column: str) -> float | None:
    """A fact of the row, or a score where it has one of that name."""
    return row.facts[column] if column in row.facts else row.scores.get(column)


def _panel(panel: Panel, rows: Sequence[GrowthRow], arms: Sequence[str]) -> Element:
    series = [Line(number, list(_points(panel, rows, arm)), arm) for number, arm in enumerate(arms, 1)]
    heights = [y for one in series for _, y in one.points]
    up = fit(heights, 0, 1, zero=True)
    x = Axis("units", 0, max(row.unit for row in rows), short)
    y = Axis(panel.title, 0.0, up.high if panel.top is None else panel.top, short)
    return lines(panel.title, x, y, series)


def _points(panel: Panel, rows: Sequence[GrowthRow], arm: str) -> Iterator[tuple[float, float]]:
    own = [row for row in rows if row.arm == arm]
    return ((unit, one / panel.scale) for unit, one in mean_by_unit(own, panel.column))
