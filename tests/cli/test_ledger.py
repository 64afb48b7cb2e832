"""`memkit ledger` shows a ledger and computes plans over it; `memkit verify` opens again what a memory rests on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memkit.ledger.log import load_rows, write_rows
from memkit.ledger.row import Row
from memkit.locators import Locator

from .conftest import Memkit

STEPS = (
    ("go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed."),
    ("open drawer 1", "You open the drawer 1. The drawer 1 is open. In it, you see a pen 2."),
    ("go to drawer 10", "You arrive at drawer 10. \x1b[31mThe drawer 10 is closed."),
)
COUNT = 'count where target: "drawer 1"'


@pytest.fixture(scope="module")
def ledger(memkit: Memkit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of three steps, built from a data file."""
    folder = tmp_path_factory.mktemp("ledger")
    steps = [{"type": "step", "action": action, "observation": seen} for action, seen in STEPS]
    lines = [{"type": "stream", "id": "run", "kind": "trajectory", "task": "Open it."}, *steps]
    (folder / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = memkit("build", f"jsonl:{folder / 'run.jsonl'}", "--builder", "ledger", "-o", folder / "memory")
    assert (0, "") == (done.returncode, done.stderr)
    return folder / "memory"


def test_show(memkit: Memkit, ledger: Path) -> None:
    """Counts by tool and target, or every row, for people and as JSON."""
    shown = memkit("ledger", "show", ledger).stdout
    assert f"{ledger}: 3 rows, steps 1 to 3; lite" == shown.splitlines()[0]
    rows = memkit("ledger", "show", ledger, "--rows").stdout
    assert "[step 2]" in rows
    assert "drawer 1.state -> open" in rows
    data = json.loads(memkit("ledger", "show", ledger, "--rows", "--json").stdout)
    assert (1, "lite", ["go", "open", "go"]) == (data["schema"], data["mode"], [row["tool"] for row in data["rows"]])
    assert {"go": 2, "open": 1} == json.loads(memkit("ledger", "show", ledger, "--json").stdout)["catalogue"]["tools"]


@pytest.mark.parametrize(
    "plan", [COUNT, '{"applicable": true, "queries": [{"operation": "count", "where": {"target": ["drawer 1"]}}]}']
)
def test_query(memkit: Memkit, ledger: Path, plan: str) -> None:
    """Either form of a plan is computed; the findings carry the place of every row."""
    assert "[1] count = 2" == memkit("ledger", "query", ledger, plan).stdout.splitlines()[0]
    data = json.loads(memkit("ledger", "query", ledger, plan, "--json").stdout)
    (finding,) = data["findings"]
    assert (COUNT, "computed", "2", ["[step 1]", "[step 2]"]) == tuple(
        finding[key] for key in ("query", "status", "value", "rows")
    )


def test_what_the_log_holds_drives_no_terminal(memkit: Memkit, ledger: Path) -> None:
    """Control characters of the log are not printed."""
    for arguments in (("show", ledger, "--rows"), ("query", ledger, "timeline")):
        assert "\x1b" not in memkit("ledger", *arguments).stdout


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ("count were", "line 1, column 7: expected 'where', 'in' or the end of the sub-query, found \"were\""),
        ('{"queries": [{"operation": "sing"}]}', "queries[0].operation: must be one of count, group, "),
    ],
)
def test_wrong_plans(memkit: Memkit, ledger: Path, plan: str, message: str) -> None:
    """A plan that cannot be read is one sentence with its place."""
    done = memkit("ledger", "query", ledger, plan)
    assert (2, "") == (done.returncode, done.stdout)
    assert done.stderr.startswith(f"memkit: {message}")


def test_no_ledger(memkit: Memkit, demo_memory: Path) -> None:
    """A memory without one says how to have one."""
    done = memkit("ledger", "show", demo_memory)
    message = f"memkit: {demo_memory} has no event ledger; build it with `memkit build --builder ledger`\n"
    assert (2, message) == (done.returncode, done.stderr)


def test_verify(memkit: Memkit, ledger: Path, demo_memory: Path, tmp_path: Path) -> None:
    """A memory that holds is 0; the first fault is told and is 1; what is no memory is 2."""
    assert (0, f"{ledger}: 3 rows; 0 faults\n") == _verified(memkit, ledger)
    assert 0 == _verified(memkit, demo_memory)[0]
    rows = load_rows(ledger)
    try:
        write_rows(ledger, [*rows, Row(8, str(Locator("step", 0, 8)), "go"), Row(9, "[step 9]", "go")])
        first = "ledger row of [step 8]: it is not in the archive"
        assert (1, f"{first}\n{ledger}: 4 rows; 1 fault (the first)\n") == _verified(memkit, ledger)
        data = json.loads(memkit("verify", ledger, "--all", "--json").stdout)
        assert ({"row": 5}, [first, first.replace("8", "9")]) == (data["checked"], data["faults"])
    finally:
        write_rows(ledger, rows)
    done = memkit("verify", tmp_path)
    assert (2, f"memkit: {tmp_path} is neither a memory nor a run; give the directory of one\n") == (
        done.returncode,
        done.stderr,
    )


def test_verify_a_run(memkit: Memkit, tmp_path: Path) -> None:
    """Every answer of a comparison is opened again, what was computed for it included."""
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        "schema: 1\nname: v\ndata: [{use: demo}]\n"
        "factors: {builder: [ledger], harness: [none], searcher: [tally-lite, {use: tally, with: {route: always}}]}\n"
    )
    assert 0 == memkit("compare", spec, cwd=tmp_path).returncode
    (run,) = (tmp_path / "runs").iterdir()
    done = memkit("verify", run, "--json")
    data = json.loads(done.stdout)
    assert (0, []) == (done.returncode, data["faults"])
    assert data["checked"]["locator"] > 100


def _verified(memkit: Memkit, directory: Path) -> tuple[int, str]:
    done = memkit("verify", directory)
    return done.returncode, done.stdout
