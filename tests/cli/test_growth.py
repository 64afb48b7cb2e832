"""`memkit compare --growth`: tables, JSON and files of how memories grow."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Memkit = Callable[..., Any]
COMMAND = ("compare", "--data", "demo", "--limit", "3", "--workers", "0", "--no-nulls", "--growth", "--checkpoint", "2")


@pytest.fixture(scope="module")
def ran(memkit: Memkit, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder in which the command was run, and what it printed."""
    folder = tmp_path_factory.mktemp("growth")
    done = memkit(*COMMAND, cwd=folder)
    assert (0, "") == (done.returncode, done.stderr)
    return folder, done.stdout


def test_a_table(ran: tuple[Path, str]) -> None:
    """After the comparison's own tables, a row a unit; the files are beside the other results."""
    folder, printed = ran
    lines = printed.splitlines()
    assert "verbatim / center: growth, unit by unit" in lines
    assert any(line.startswith(" 1 session 1 ") for line in lines)
    (run,) = (folder / "runs").iterdir()
    rows = [json.loads(line) for line in (run / "results" / "growth.jsonl").read_text().splitlines()]
    assert f"growth: {len(rows)} snapshots of arms on record, in runs/{run.name}/results" == lines[-1]
    assert {1} == {row["schema"] for row in rows}
    assert (run / "results" / "growth.svg").read_text().startswith("<svg ")


def test_again(ran: tuple[Path, str], memkit: Memkit) -> None:
    """The same command executes nothing more; as JSON the rows are there too."""
    folder, printed = ran
    again = memkit(*COMMAND, cwd=folder).stdout
    growth = "verbatim / center: growth"
    assert printed.partition(growth)[2] == again.partition(growth)[2]
    assert "built 0 memories, answered 0 questions" in again

    data = json.loads(memkit(*COMMAND, "--json", cwd=folder).stdout)["growth"]
    assert ([], True, 1) == (data["errors"], data["complete"], data["rows"][0]["unit"])


def test_a_checkpoint_without_growth(memkit: Memkit, tmp_path: Path) -> None:
    """What would have no effect is refused."""
    done = memkit("compare", "--data", "demo", "--checkpoint", "2", cwd=tmp_path)
    assert (2, "memkit: --checkpoint asks memories as they grow; give --growth too\n") == (done.returncode, done.stderr)
