from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from memkit.runs.columns import ITEMS_FILE

Memkit = Callable[..., Any]
ARM = "verbatim / center+bm25"


@pytest.fixture
def run_with(guarded: Path, tmp_path: Path) -> Callable[..., Path]:
    """A copy of the run with another end of its spec, and columns of its answers changed."""

    def make(promises: str, **columns: pl.Expr) -> Path:
        folder = tmp_path / "guard-2"
        shutil.copytree(guarded, folder)
        spec = folder / "spec.yaml"
        kept = "".join(f"{line}\n" for line in spec.read_text().split("\nhold_equal:")[0].splitlines())
        spec.write_text(kept + promises)
        items = folder / "results" / ITEMS_FILE
        pl.read_parquet(items).with_columns(**columns).write_parquet(items, metadata={"memkit_schema": "1"})
        return folder

    return make


def scored(first: float, others: float) -> pl.Expr:
    """Primary scores of 0.5 in every arm but `ARM`, which has `first` on the first stream and `others` on the rest."""
    of_stream = pl.when(pl.col("stream") == "stream-0").then(first).otherwise(others)
    return pl.when(pl.col("arm") == ARM).then(of_stream).otherwise(0.5)


GATE = "gate: [{metric: answer_f1, vs: baseline, noninferior: 0.02}]\n"


def test_passes(guarded: Path, memkit: Memkit) -> None:
    """Equal arms pass; the table shows the one-sided bounds."""
    done = memkit("gate", guarded)

    assert (0, "", "no gate fails") == (done.returncode, done.stderr, done.stdout.splitlines()[-1])
    rows = [line.split() for line in done.stdout.splitlines() if " pass " in line]
    bounds = ["+0.000", "to", "+0.000"]
    assert [bounds, bounds] == [row[row.index("pass") + 3 : row.index("pass") + 6] for row in rows]


@pytest.mark.parametrize(
    ("scores", "strict", "code", "verdict"),
    [
        (scored(0.2, 0.1), False, 4, "fail"),
        (scored(0.6, 0.7), True, 0, "pass"),
        (scored(0.0, 0.9), False, 0, "inconclusive"),
        (scored(0.0, 0.9), True, 5, "inconclusive"),
    ],
    ids=["worse", "better", "undecided", "undecided, strict"],
)
def test_verdicts(
    scores: pl.Expr, *, strict: bool, code: int, verdict: str, memkit: Memkit, run_with: Callable[..., Path]
) -> None:
    """Worse by more than the margin is 4; undecided is 5 when that is asked for, else no failure."""
    done = memkit("gate", run_with(GATE, score_answer_f1=scores), "--json", *(["--strict"] if strict else []))

    data = json.loads(done.stdout)
    assert (code, code) == (done.returncode, data["exit"])
    assert [verdict] == [gate["verdict"] for gate in data["gates"]]


def test_missing(memkit: Memkit, run_with: Callable[..., Path]) -> None:
    """With more missing than the spec allows nothing is decided; with few, coverage tells."""
    lost = pl.col("question") == "q0-0"
    columns = {
        "status": pl.when(lost).then(pl.lit("missing")).otherwise(pl.col("status")),
        "score_answer_f1": pl.when(~lost).then(pl.col("score_answer_f1")),
    }
    run = run_with(GATE, **columns)
    assert 3 == memkit("gate", run).returncode
    shutil.rmtree(run)
    done = memkit("gate", run_with(f"errors: {{retry: 2, max_rate: 0.2}}\n{GATE}", **columns))

    assert 0 == done.returncode
    assert ["88.9 %"] == [line.strip()[-6:] for line in done.stdout.splitlines() if " pass " in line]


def test_not_comparable(memkit: Memkit, run_with: Callable[..., Path]) -> None:
    """Arms that differ in what is held equal are not comparable, whatever the gates say."""
    done = memkit("gate", run_with(f"hold_equal: [judge, harness]\n{GATE}"))

    assert 8 == done.returncode
    said = f"not comparable: harness (the harness) is unequal: center in verbatim / center, center+bm25 in {ARM}"
    assert said in done.stdout.splitlines()


def test_junit(guarded: Path, memkit: Memkit, tmp_path: Path) -> None:
    """The gates, and with --items the answers, as JUnit XML."""
    memkit("gate", guarded, "--junit", tmp_path / "gates.xml")
    memkit("gate", guarded, "--junit", tmp_path / "all.xml", "--items")
    suites = {name: ET.parse(tmp_path / name).getroot() for name in ("gates.xml", "all.xml")}

    counts = {name: [suite.attrib["tests"] for suite in root] for name, root in suites.items()}
    assert {"gates.xml": ["3"], "all.xml": ["3", "27"]} == counts


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--items"], "--items says what --junit writes; give --junit FILE too"),
        (["--junit", "nowhere/x.xml"], "nowhere/x.xml cannot be written: No such file or directory; give another file"),
    ],
)
def test_refused(arguments: list[str], said: str, guarded: Path, memkit: Memkit) -> None:
    """What cannot be done is one sentence."""
    done = memkit("gate", guarded, *arguments)

    assert (2, True) == (done.returncode, done.stderr.startswith(f"memkit: {said}"))


def test_no_gate(memkit: Memkit, run_with: Callable[..., Path]) -> None:
    """A spec without a gate has nothing to say; how to write one is."""
    done = memkit("gate", run_with(""))

    assert 2 == done.returncode
    assert "has no gate; add one, such as gate: [{metric: answer_f1, noninferior: 0.02}], and run it" in done.stderr
