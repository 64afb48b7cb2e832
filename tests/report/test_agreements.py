from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl

from memkit.compare.rejudging import rejudge
from memkit.compare.spec import Use
from memkit.report.agreements import judge_agreements
from memkit.runs.open import Run, open_run
from memkit.runs.record import record_results


def test_another_judge(demo_run: Run, tmp_path: Path) -> None:
    """The share of equal grades on each score that both judges grade, from the tables of both."""
    assert () == judge_agreements(demo_run)
    directory = tmp_path / demo_run.directory.name
    shutil.copytree(demo_run.directory, directory)
    here = Use("local", {"workers": 0})
    rejudge(directory, Use("exact"), Use("memkit/extractive"), runner=here, on_results=record_results)
    run = open_run(directory)
    (found,) = judge_agreements(run)

    tables = [pl.read_parquet(folder / "items.parquet") for folder in (run.results, run.results / "judge-exact")]
    pairs = [
        (a, b)
        for a, b in zip(*(table["score_exact"].to_list() for table in tables), strict=True)
        if a is not None and b is not None
    ]
    assert ("exact", "exact", len(pairs)) == (found.judge, found.metric, found.agreement.items)
    assert sum(a == b for a, b in pairs) / len(pairs) == found.agreement.agreed
    assert () == judge_agreements(open_run(run.results / "judge-exact"))
