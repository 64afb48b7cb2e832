"""`memkit runs`: which runs there are."""

from __future__ import annotations

from pathlib import Path

import click

from memkit.cli.console import say, say_json, say_table
from memkit.runs.open import list_runs


@click.command()
@click.option("--runs", default="runs", show_default=True, type=click.Path(path_type=Path), help="Where runs are kept.")
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def command(runs: Path, json_: bool) -> int:
    """List the runs, the one that changed last first."""
    heads = list_runs(runs)
    if json_:
        rows = [
            {
                "directory": str(one.directory),
                "name": one.name,
                "state": one.state,
                "changed": one.changed.isoformat(timespec="seconds"),
                "arms": one.arms,
                "streams": one.streams,
                "rows": one.rows,
                "answered": one.answered,
            }
            for one in heads
        ]
        say_json({"schema": 1, "runs": rows})
    elif heads:
        cells = [
            [
                one.name,
                one.state,
                f"{one.changed:%Y-%m-%d %H:%M}",
                str(one.arms),
                str(one.streams),
                f"{one.answered}/{one.rows}",
            ]
            for one in heads
        ]
        say_table(f"Runs in {runs}", ["run", "state", "changed (UTC)", "arms", "streams", "answered"], cells, left=3)
    else:
        say(f"there are no runs in {runs}")
    return 0
