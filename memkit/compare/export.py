"""Results as data: what `--json` prints, and the files of a run's `results/` folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import asdict

from memkit.compare.plan import Plan
from memkit.compare.results import Results, contrast_pairs
from memkit.compare.units import encode
from memkit.store.atomic import write_file

SCHEMA = 1
"""Of summary.json and items.jsonl."""


def summary_data(plan: Plan, results: Results) -> dict[str, Any]:
    """Arms, contrasts, what was left out and remarked, ready for JSON. Scores in [0, 1]; None is unknown."""
    return {
        "schema": SCHEMA,
        "name": plan.spec.name,
        "primary": plan.spec.metrics.primary,
        "baseline": plan.baseline.label,
        "pairs": [[arm.label, against.label] for arm, against in contrast_pairs(plan)],
        "streams": len({cell.case.stream.id for cell in plan.cells}),
        "arms": [asdict(arm) for arm in results.arms],
        "contrasts": [asdict(contrast) for contrast in results.contrasts],
        "loads": [asdict(one) for one in results.loads],
        "excluded": [asdict(one) for one in plan.excluded],
        "remarks": list(results.remarks),
        "notes": list(plan.notes),
        "defective": [asdict(one) for one in plan.defective],
        "without_defective": plan.without_defective,
    }


def write_results(folder: Path, plan: Plan, results: Results) -> None:
    """Write `summary.json` and `items.jsonl` (a row a line), each replaced whole; the same log gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / "summary.json", encode(summary_data(plan, results)))
    rows = (encode({"schema": SCHEMA, **asdict(row, recurse=False)}) for row in results.rows)
    write_file(folder / "items.jsonl", b"".join(rows))
