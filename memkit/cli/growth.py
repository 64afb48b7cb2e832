"""What `memkit compare --growth` prints: the trajectory of each arm's memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import asdict

from memkit.cli.console import count, say, say_table
from memkit.cli.figures import number
from memkit.compare.growth import Growth, GrowthRow
from memkit.report.growth import RECALL, mean_by_unit

ROWS_SHOWN = 16
"""Of an arm; checkpoints and the last ones before others."""
COLUMNS = (
    ("files", 1, 1.0),
    ("folders", 1, 1.0),
    ("sections", 1, 1.0),
    ("bytes", 1, 0.001),
    ("mean_depth", 2, 1.0),
    ("kept_locators", 3, 1.0),
    ("kept_names", 3, 1.0),
    ("rounds", 1, 1.0),
    ("input_tokens", 0, 1.0),
    ("output_tokens", 0, 1.0),
    (RECALL, 3, 1.0),
)
"""Name, digits and factor."""
HEADERS = ("files", "folders", "sections", "kB", "mean depth", "locators kept", "names kept", "rounds", "input tokens",
           "output tokens", "recall")  # fmt: skip


def print_growth(done: Growth) -> None:
    """A table an arm: what the store is after a unit, and what that unit took; means over the streams so long."""
    for arm in dict.fromkeys(row.arm for row in done.rows):
        own = [row for row in done.rows if row.arm == arm]
        means = {name: dict(mean_by_unit(own, name)) for name, _, _ in COLUMNS}
        cells = [_cells(unit, own, means) for unit in _shown(own)]
        say_table(f"{arm}: growth, unit by unit", ["unit", "streams", "asked", *HEADERS], cells)
    for error in done.errors:
        say(f"error: {error}")
    if not done.complete:
        say("growth: incomplete; run the same command again to go on")
    say(f"growth: {count(len(done.rows), 'snapshot')} of arms on record, in {done.directory / 'results'}")


def growth_data(done: Growth) -> dict[str, Any]:
    """The same for `--json`."""
    rows = [asdict(row) for row in done.rows]
    return {"rows": rows, "errors": list(done.errors), "complete": done.complete}


def _shown(rows: Sequence[GrowthRow]) -> list[int]:
    """Units of an arm: every one, or the checkpoints and the ends and others between them, spread evenly."""
    units = sorted({row.unit for row in rows})
    if len(units) <= ROWS_SHOWN:
        return units
    kept = {units[0], *units[-2:], *(row.unit for row in rows if row.questions)}
    room = max(ROWS_SHOWN - len(kept), 0)
    kept.update(units[len(units) * place // (room + 1)] for place in range(1, room + 1))
    return sorted(kept)


def _cells(unit: int, rows: Sequence[GrowthRow], means: dict[str, dict[int, float]]) -> list[str]:
    here = [row for row in rows if row.unit == unit]
    asked = sum(row.questions for row in here)
    name = here[0].name if len({row.name for row in here}) == 1 else "-"
    values = (_number(means[column].get(unit), digits, scale) for column, digits, scale in COLUMNS)
    return [f"{unit} {name}", str(len(here)), str(asked) if asked else "-", *values]


def _number(mean: float | None, digits: int, scale: float) -> str:
    return "-" if mean is None else number(mean * scale, digits)
