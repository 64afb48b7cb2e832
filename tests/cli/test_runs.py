from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Memkit = Callable[..., Any]


def test_runs(guarded: Path, memkit: Memkit) -> None:
    """Each run with its state and how much of it is answered."""
    table = memkit("runs", cwd=guarded.parents[1])

    assert (0, "") == (table.returncode, table.stderr)
    (line,) = [line for line in table.stdout.splitlines() if guarded.name in line]
    assert [guarded.name, "complete", "3", "3", "27/27"] == [*line.split()[:2], *line.split()[-3:]]


def test_json(guarded: Path, memkit: Memkit) -> None:
    """The same as JSON."""
    (run,) = json.loads(memkit("runs", "--json", cwd=guarded.parents[1]).stdout)["runs"]
    run.pop("changed")

    expected = {"directory": f"runs/{guarded.name}", "name": guarded.name, "state": "complete"}
    assert {**expected, "arms": 3, "streams": 3, "rows": 27, "answered": 27} == run


def test_no_runs(memkit: Memkit, tmp_path: Path) -> None:
    """A directory without runs is no error; one that is not there is."""
    assert (0, "there are no runs in .\n") == (
        (done := memkit("runs", "--runs", ".", cwd=tmp_path)).returncode,
        done.stdout,
    )
    said = "memkit: there is no directory runs; give the one that memkit compare was given with --runs\n"
    assert (2, said) == ((done := memkit("runs", cwd=tmp_path)).returncode, done.stderr)
