from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from attrs import evolve

from memkit.compare.comparison import Comparison
from memkit.errors import UserError
from memkit.runs.columns import ITEMS_FILE, LOCK_FILE
from memkit.runs.difference import compare_runs
from memkit.runs.open import Run, open_run


def rewrite(run: Run, folder: Path, **columns: object) -> Run:
    """A copy of a run in which columns of the answers are others (polars expressions)."""
    shutil.copytree(run.directory, folder)
    metadata = {"memkit_schema": "1"}
    run.items.with_columns(**columns).write_parquet(folder / "results" / ITEMS_FILE, metadata=metadata)
    return open_run(folder)


def test_a_run_and_itself(whole: Run) -> None:
    """Nothing changed, nothing differs, and no p says otherwise."""
    found = compare_runs(whole, whole)

    assert ((), (), 24, ()) == (found.changes, found.only_before, found.questions, found.altered)
    assert {0.0} == {one.difference.mean for one in found.contrasts}
    assert {1.0} == {one.p_adjusted for one in found.contrasts}
    assert all(not arm.gained and not arm.lost for arm in found.flips)
    assert all((one.arm, one.exploratory) == (one.against, one.metric != "answer_f1") for one in found.contrasts)


def test_after_minus_before(whole: Run, tmp_path: Path) -> None:
    """The difference is that of the later run: scores that fell are a negative one, and flips that were lost."""
    import polars as pl

    worse = rewrite(whole, tmp_path / "worse", score_answer_f1=pl.col("score_answer_f1") * 0.0)
    found = compare_runs(whole, worse)
    scored = whole.items.filter(pl.col("arm") == "long-context")["score_answer_f1"].drop_nulls()
    contrast = next(one for one in found.contrasts if (one.arm, one.metric) == ("long-context", "answer_f1"))

    assert pytest.approx(-scored.mean()) == contrast.difference.mean
    lost = next(arm for arm in found.flips if arm.arm == "long-context")
    assert (int((scored >= 0.5).sum() / 2), 0) == (len(lost.lost), len(lost.gained))


def test_altered_questions_are_left_out(whole: Run, tmp_path: Path) -> None:
    """A question of the same name with another gold is another question, and in no figure."""
    import polars as pl

    gold = pl.when(pl.col("question") == "q0-0").then(pl.lit("another")).otherwise(pl.col("gold"))
    found = compare_runs(whole, rewrite(whole, tmp_path / "run", gold=gold))

    assert ((("stream-0", "q0-0"),), 23) == (found.altered, found.questions)
    assert {17} == {one.difference.items for one in found.contrasts if one.metric == "answer_f1"}


def test_arms_of_other_names(whole: Run, tmp_path: Path) -> None:
    """Arms are matched by label; without one in common there is nothing to compare."""
    import polars as pl

    other = rewrite(whole, tmp_path / "run", arm=pl.col("arm").str.replace("oracle", "seer"))
    arms = [{**arm, "label": arm["label"].replace("oracle", "seer")} for arm in other.summary["arms"]]
    found = compare_runs(whole, evolve(other, summary={**other.summary, "arms": arms}))
    assert (("oracle",), ("seer",)) == (found.only_before, found.only_after)

    arms = [{**arm, "label": f"{arm['label']} 2"} for arm in other.summary["arms"]]
    with pytest.raises(UserError, match="the two runs have no arm of the same label"):
        compare_runs(whole, evolve(other, summary={**other.summary, "arms": arms}))


def test_what_changed(whole: Run, done: Comparison, tmp_path: Path) -> None:
    """Every value of the spec and of what the runs were made with that differs, with its place and both values."""
    shutil.copytree(done.outcome.directory, tmp_path / "run")
    spec, lock = tmp_path / "run" / "spec.yaml", tmp_path / "run" / LOCK_FILE
    spec.write_text(spec.read_text().replace("attempts: 2", "attempts: 3"))
    made = json.loads(lock.read_text())
    made["prompts"].pop("roles/search")
    lock.write_text(json.dumps({**made, "memkit": "9.9"}))
    found = compare_runs(whole, open_run(tmp_path / "run"))

    changes = {change.where: (change.before, change.after) for change in found.changes}
    assert (2, 3) == changes.pop("spec.attempts")
    assert (whole.lock["memkit"], "9.9") == changes.pop("made with.memkit")
    assert (whole.lock["prompts"]["roles/search"], None) == changes.pop("made with.prompts.roles/search")
    assert {} == changes


def test_made_with(whole: Run) -> None:
    """A run says what it was made with: versions, a digest of the code of each part, prompts, prices."""
    lock = whole.lock
    assert {"builder verbatim", "builder chunk-bm25", "searcher agent", "judge token-f1"} <= lock["parts"].keys()
    assert lock["prices"].startswith("litellm ")
    assert {
        "schema",
        "memkit",
        "code",
        "prompts",
        "parts",
        "prices",
        "seed",
        "questions",
        "python",
        "platform",
        "git",
    } == set(lock)
