from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Memkit = Callable[..., Any]


@pytest.fixture(scope="module")
def ran(memkit: Memkit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a small comparison was run."""
    folder = tmp_path_factory.mktemp("ran")
    small = ("--data", "demo", "--limit", "3", "--workers", "0", "--builder", "verbatim,chunk-bm25")
    assert 0 == memkit("compare", *small, "--harness", "center,chunks", cwd=folder).returncode
    return folder


def test_a_page(ran: Path, memkit: Memkit) -> None:
    """The page is written into the run's directory, and its place is printed."""
    (run,) = (ran / "runs").iterdir()
    done = memkit("report", f"runs/{run.name}", cwd=ran)

    assert (0, f"runs/{run.name}/report.html\n", "") == (done.returncode, done.stdout, done.stderr)
    page = (run / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert f"memkit compare runs/{run.name}/spec.yaml --runs runs" in page


def test_a_summary(ran: Path, memkit: Memkit, tmp_path: Path) -> None:
    """The summary is written beside the page, printed, or put where one says: the same bytes."""
    (run,) = (ran / "runs").iterdir()
    written = memkit("report", run, "--md", cwd=ran)
    printed = memkit("report", run, "--md", "-o", "-", cwd=ran).stdout
    elsewhere = memkit("report", run, "--md", "-o", tmp_path / "x.md", cwd=ran)

    assert f"{run}/summary.md\n" == written.stdout
    assert f"{tmp_path}/x.md\n" == elsewhere.stdout
    assert printed == (run / "summary.md").read_text() == (tmp_path / "x.md").read_text()
    assert printed.startswith(f"### memkit: `{run.name}`\n")


def test_figures_as_json(ran: Path, memkit: Memkit, tmp_path: Path) -> None:
    """The figures are those of `stats.json` and of `show --json`, printed or in a file."""
    (run,) = (ran / "runs").iterdir()
    printed = json.loads(memkit("report", run, "--json", cwd=ran).stdout)
    memkit("report", run, "--json", "-o", tmp_path / "x.json", cwd=ran)

    stats = json.loads((run / "results" / "stats.json").read_text())
    assert {**stats, "run": str(run)} == printed == json.loads((tmp_path / "x.json").read_text())
    assert printed == json.loads(memkit("show", run, "--json", cwd=ran).stdout)


def test_other_results(ran: Path, memkit: Memkit, tmp_path: Path) -> None:
    """The report on a folder of results below a run lies in that folder."""
    (run,) = (ran / "runs").iterdir()
    copy = tmp_path / run.name
    shutil.copytree(run, copy)
    shutil.copytree(run / "results", copy / "results" / "without-defective")
    done = memkit("report", copy / "results" / "without-defective", cwd=ran)

    assert (0, f"{copy}/results/without-defective/report.html\n") == (done.returncode, done.stdout)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gone",), "gone is no run: it has no spec.yaml; give a directory that memkit compare made"),
        (
            ("RUN", "-o", "gone/x.html"),
            "gone/x.html cannot be written: No such file or directory; give another file with -o",
        ),
        (("RUN", "--md", "--open"), "--open shows the page; leave out --md, --json and -o -"),
    ],
)
def test_what_cannot_be(arguments: tuple[str, ...], message: str, ran: Path, memkit: Memkit) -> None:
    """A sentence and exit code 2."""
    (run,) = (ran / "runs").iterdir()
    done = memkit("report", *(str(run) if one == "RUN" else one for one in arguments), cwd=ran)

    assert (2, f"memkit: {message}\n") == (done.returncode, done.stderr)
