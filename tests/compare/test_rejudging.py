"""Judging anew leaves the answers as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from memkit.compare.comparison import Comparison, compare
from memkit.compare.rejudging import rejudge
from memkit.compare.spec import Data, Factors, Nulls, Select, Spec, Use
from memkit.errors import UserError

HERE = Use("local", {"workers": 0})
DEMO = Spec(
    data=[Data("demo", select=Select(categories=["multiple-choice", "unanswerable", "single-hop"]))],
    factors=Factors(builder=[Use("verbatim")], harness=[Use("center+bm25")]),
    nulls=Nulls(rows=["closed-book"]),
)


@pytest.fixture
def done(tmp_path: Path) -> Comparison:
    """A finished comparison."""
    return compare(DEMO, runs=tmp_path / "runs", runner=HERE)


def test_scores_change_and_answers_stay(done: Comparison) -> None:
    """The other judge's scores are in its own folder; the run's own stay, and nothing is answered."""
    directory = done.outcome.directory
    before = {path: path.read_bytes() for path in (directory / "results").iterdir()}
    spec = (directory / "spec.yaml").read_bytes()
    again = rejudge(directory, Use("exact"), Use("memkit/extractive"), runner=HERE)

    assert (0, 0) == (again.comparison.outcome.built, again.comparison.outcome.answered)
    assert [row.answer for row in done.results.rows] == [row.answer for row in again.comparison.results.rows]
    assert "answer_f1" not in again.comparison.results.arms[0].scores
    assert before == {path: path.read_bytes() for path in (directory / "results").iterdir() if path.is_file()}
    assert spec == (directory / "spec.yaml").read_bytes()
    assert (directory / "results" / "judge-exact" / "summary.json").is_file()
    assert compare(DEMO, runs=directory.parent, runner=HERE).outcome.answered == 0


def test_agreement(done: Comparison) -> None:
    """Grades of one name are compared; F1, which has no categories, is not."""
    again = rejudge(done.outcome.directory, Use("locomo"), Use("memkit/extractive"), runner=HERE)

    assert {"exact", "abstention"} == set(again.agreements)
    assert 1.0 == again.agreements["abstention"].agreed
    assert 2 * 2 == again.agreements["exact"].items


def test_not_a_run(tmp_path: Path) -> None:
    """A directory that is no run is named."""
    with pytest.raises(UserError, match=r"is no run: it has no spec\.yaml"):
        rejudge(tmp_path, Use("exact"), Use("memkit/extractive"))


def test_answers_that_are_not_there(done: Comparison) -> None:
    """Without the answers there is nothing to judge, and nothing is answered on the way."""
    for segment in done.outcome.directory.glob("units/answer/*.jsonl"):
        segment.unlink()
    with pytest.raises(UserError, match="are not on record for this version of memkit; run the comparison first"):
        rejudge(done.outcome.directory, Use("exact"), Use("memkit/extractive"), runner=HERE)
