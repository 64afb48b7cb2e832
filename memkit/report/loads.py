"""The primary metric by load: how many events contribute to the answer."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from attrs import frozen

from memkit.compare.loads import LoadBin
from memkit.converter import make_converter
from memkit.report.figures.chart import Axis, Line, lines
from memkit.report.numbers import short, title_of
from memkit.runs.open import Run

LINES_SHOWN = 12


@frozen
class Loads:
    """The bins that have questions, lowest first; `labels` are those of all arms in order."""

    metric: str
    bins: tuple[LoadBin, ...]
    labels: tuple[str, ...]

    @property
    def figure(self) -> Element:
        """A line an arm from bin to bin; the first of them where there are many."""
        x = Axis("events that contribute to the answer", 0, max(len(self.bins) - 1, 1), short)
        series = [Line(number, self._means(label), label) for number, label in enumerate(self.labels[:LINES_SHOWN], 1)]
        y = Axis(title_of(self.metric), 0.0, 1.0, short)
        return lines(f"{y.name} by load; the table holds the numbers", x, y, series, [one.label for one in self.bins])

    def _means(self, label: str) -> list[tuple[float, float]]:
        means = (one.means[label] for one in self.bins)
        return [(place, mean) for place, mean in enumerate(means) if mean is not None]


def find_loads(run: Run) -> Loads | None:
    """None where the data do not tell loads."""
    summary: Mapping[str, list[Mapping[str, object]]] = run.summary
    bins = tuple(_converter.structure(one, LoadBin) for one in summary.get("loads", ()))
    labels = tuple(str(arm["label"]) for arm in summary["arms"])
    return Loads(str(summary["primary"]), bins, labels) if bins else None


_converter = make_converter()
