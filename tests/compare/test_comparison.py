"""A whole comparison, in this process: what is recorded, what is done again, what the results say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memkit.compare.comparison import Comparison, compare
from memkit.compare.effort import EFFORT
from memkit.compare.results import shown_metrics
from memkit.compare.spec import Spec, Use
from memkit.compare.units import UnitLog, read_segment
from memkit.errors import ConfigError, LockTimeout, PluginError, UserError
from memkit.store.lock import Lock

HERE = Use("local", {"workers": 0})
FACTORS = {"builder": ["verbatim"], "harness": ["center", "center+bm25"]}
MakeSpec = Callable[..., Spec]


def run(spec: Spec, runs: Path) -> Comparison:
    """Run in this process."""
    return compare(spec, runs=runs, runner=HERE)


def files(done: Comparison) -> dict[str, bytes]:
    """The files of the results."""
    return {path.name: path.read_bytes() for path in sorted((done.outcome.directory / "results").iterdir())}


def keys(done: Comparison, stage: str) -> list[str]:
    """Every recorded key of a stage, repeats included."""
    segments = (done.outcome.directory / "units" / stage).glob("*.jsonl")
    return [record["key"] for segment in segments for record in read_segment(segment)]


@pytest.fixture(scope="module")
def done(make_spec: MakeSpec, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """Two arms and the null rows on eight questions of the demo."""
    return run(make_spec(factors=FACTORS, select={"limit": 8}), tmp_path_factory.mktemp("runs"))


def test_everything_is_done_once(done: Comparison) -> None:
    """One memory serves both arms; every arm answers every question; nothing is recorded twice."""
    assert (1, 5 * 8, (), False, True) == (
        done.outcome.built,
        done.outcome.answered,
        done.outcome.errors,
        done.outcome.interrupted,
        done.complete,
    )
    for stage, number in (("build", 1), ("answer", 40), ("judge", 40)):
        assert number == len(keys(done, stage)) == len(set(keys(done, stage)))


def test_the_same_again(done: Comparison, make_spec: MakeSpec) -> None:
    """Run again nothing is executed, and the results are the same to the byte."""
    before = files(done)
    again = run(make_spec(factors=FACTORS, select={"limit": 8}), done.outcome.directory.parent)

    assert (0, 0) == (again.outcome.built, again.outcome.answered)
    assert done.results == again.results
    assert before == files(again)


def test_memories_are_not_needed_again(make_spec: MakeSpec, tmp_path: Path) -> None:
    """Once all is answered the memories may go; once something is not, they come back."""
    first = run(make_spec(), tmp_path)
    shutil.rmtree(first.outcome.directory / "memories")
    assert 0 == run(make_spec(), tmp_path).outcome.built

    shutil.rmtree(first.outcome.directory / "units" / "answer")
    again = run(make_spec(), tmp_path)
    assert (1, 12, True) == (again.outcome.built, again.outcome.answered, again.complete)


def test_only_what_is_missing(make_spec: MakeSpec, tmp_path: Path) -> None:
    """Without its judgements a run judges the answers it has, and asks nothing again."""
    first = run(make_spec(), tmp_path)
    shutil.rmtree(first.outcome.directory / "units" / "judge")
    again = run(make_spec(), tmp_path)

    assert (0, True) == (again.outcome.answered, again.complete)
    assert first.results == again.results


def test_arms_of_equal_content_share_their_work(make_spec: MakeSpec, tmp_path: Path) -> None:
    """One arm under two labels is done once and shown twice."""
    factors = {"builder": ["verbatim"], "harness": ["center", {"use": "center", "label": "again"}]}
    done = run(make_spec(factors=factors, nulls={"rows": []}), tmp_path)

    one, other = done.results.arms
    assert (1, 3) == (done.outcome.built, done.outcome.answered)
    assert (one.scores, one.effort, one.answered) == (other.scores, other.effort, other.answered)


def test_attempts(make_spec: MakeSpec, tmp_path: Path) -> None:
    """Each attempt is a row of its own."""
    done = run(make_spec(attempts=2, nulls={"rows": []}), tmp_path)

    assert 6 == len(done.results.rows) == done.outcome.answered
    assert {0, 1} == {row.attempt for row in done.results.rows}


def test_locked(done: Comparison, make_spec: MakeSpec) -> None:
    """While another runs it, the same comparison is refused with its number, and another is not."""
    import os

    spec = make_spec(factors=FACTORS, select={"limit": 8})
    with Lock(done.outcome.directory / ".lock"), pytest.raises(LockTimeout) as caught:
        run(spec, done.outcome.directory.parent)

    holder = f"another thread of this process ({os.getpid()})"
    assert (
        f"The run {done.outcome.directory} is locked: {holder} has held it for more than 1 s; wait for it or end it."
        == (str(caught.value))
    )


@pytest.mark.parametrize(
    ("changes", "runner", "error"),
    [
        ({"factors": {"builder": ["verbatm"], "harness": ["center"]}}, HERE, ConfigError),
        ({"judge": {"use": "token-f1", "with": {"scorer": "bleu"}}}, HERE, ConfigError),
        ({"baseline": {"builder": "x"}}, HERE, ConfigError),
        ({}, Use("locl"), PluginError),
        ({}, Use("local", {"workers": -1}), ConfigError),
    ],
    ids=["builder", "judge", "baseline", "runner", "workers"],
)
def test_nothing_is_written_for_a_wrong_spec(
    changes: dict[str, Any], runner: Use, error: type[Exception], make_spec: MakeSpec, tmp_path: Path
) -> None:
    """A spec that cannot run leaves no trace."""
    with pytest.raises(error):
        compare(make_spec(**changes), runs=tmp_path / "runs", runner=runner)

    assert [] == list(tmp_path.iterdir())


def test_runs_in_the_way(make_spec: MakeSpec, tmp_path: Path) -> None:
    """A file where the runs should be is told in words."""
    (tmp_path / "runs").write_text("")
    with pytest.raises(UserError, match=r"cannot be used: Not a directory; choose another with --runs$"):
        run(make_spec(), tmp_path / "runs")


def test_run_directory(done: Comparison, make_spec: MakeSpec) -> None:
    """The folder says what was run, and holds what `docs/reference/compare.md` lists."""
    from memkit.compare.load import load_spec

    directory = done.outcome.directory
    spec = make_spec(factors=FACTORS, select={"limit": 8})
    assert f"compare-{spec.digest[:8]}" == directory.name
    assert spec == load_spec(directory / "spec.yaml")
    names = {"spec.yaml", "plan.json", "events.jsonl", "control.db", ".lock", "units", "memories", "results"}
    assert names == {path.name for path in directory.iterdir()}
    plan = json.loads((directory / "plan.json").read_text())
    assert {"demo": 8} == plan["streams"]
    assert [arm.label for arm in done.plan.arms] == list(plan["arms"])
    events = [json.loads(line) for line in (directory / "events.jsonl").read_text().splitlines()]
    first = [event["event"] for event in events[:8]]
    assert ["start", *["lease"] * 6, "end"] == first  # one build, and a batch of five arms
    assert [1, *[8] * 5] == [event["units"] for event in events[1:7]]


def test_half_built_memories_are_swept(make_spec: MakeSpec, tmp_path: Path) -> None:
    """What a killed build left is removed by the next run."""
    first = run(make_spec(), tmp_path)
    directory = first.outcome.directory
    shutil.rmtree(directory / "units")
    (directory / "memories" / ".half-built").mkdir()
    run(make_spec(), tmp_path)

    assert [] == list((directory / "memories").glob(".*"))


def test_items(done: Comparison) -> None:
    """`items.jsonl` has a line a row, with the columns the reference documents."""
    rows = [json.loads(line) for line in files(done)["items.jsonl"].splitlines()]

    columns = ["schema", "arm", "stream", "question", "category", "attempt", "status"]
    columns += ["scores", "effort", "answer", "served", "cited", "defect"]
    assert {(*columns, "load", "computed_load", "lost_at", "computation")} == {tuple(row) for row in rows}
    assert 40 == len(rows)
    assert {EFFORT} == {tuple(row["effort"]) for row in rows}
    assert all(0 <= score <= 1 for row in rows for score in row["scores"].values())
    recalls = {row["arm"]: row["scores"]["evidence_recall"] for row in rows if "evidence_recall" in row["scores"]}
    assert (0.0, 1.0) == (recalls["closed-book"], recalls["oracle"])


def test_summary(done: Comparison) -> None:
    """`summary.json` holds the means over the rows, and the contrasts against the first arm."""
    summary = json.loads(files(done)["summary.json"])
    first = summary["arms"][0]
    rows = [row for row in done.results.rows if row.arm == first["label"]]
    recalls = [row.scores["evidence_recall"] for row in rows if "evidence_recall" in row.scores]

    assert sum(recalls) / len(recalls) == pytest.approx(first["scores"]["evidence_recall"])
    assert (8, 8, False) == (first["items"], first["answered"], first["null"])
    assert {("verbatim / center+bm25", "verbatim / center")} == {(c["arm"], c["against"]) for c in summary["contrasts"]}
    assert first["memory"]["files"] == 10
    assert None is first["break_even"]
    same = {"against": first["label"], "dearer": "", "questions": None, "reason": "the builds cost the same"}
    assert [same] * 4 == [arm["break_even"] for arm in summary["arms"][1:]]


def test_contrasts_of_a_factor(make_spec: MakeSpec, tmp_path: Path) -> None:
    """A declared contrast pairs the arms that differ in that factor alone."""
    factors = {"builder": ["verbatim", {"use": "verbatim", "label": "copy"}], "harness": ["center", "center+bm25"]}
    spec = make_spec(factors=factors, contrasts=[{"vary": "builder"}], metrics={"also": []}, nulls={"rows": []})
    pairs = [(one.arm, one.against) for one in run(spec, tmp_path).results.contrasts]

    assert [
        ("copy / center", "verbatim / center"),
        ("copy / center+bm25", "verbatim / center+bm25"),
    ] == pairs


def test_unknown_metric(make_spec: MakeSpec, tmp_path: Path) -> None:
    """A metric no answer has is remarked on, with the nearest name."""
    done = run(make_spec(metrics={"primary": "evidence_recal"}, nulls={"rows": []}), tmp_path)

    assert "no answer has the metric evidence_recal; did you mean 'evidence_recall'?" == done.results.remarks[0]


def test_unanswerable_questions(make_spec: MakeSpec, tmp_path: Path) -> None:
    """They have no F1 and no evidence; knowing nothing gains by `abstention` alone, which the table shows."""
    done = run(make_spec(select={"limit": 1000}), tmp_path)
    plan = {item.question.id: item.question for cell in done.plan.cells for item in cell.items}
    rows = [row for row in done.results.rows if not plan[row.question].answerable]

    assert rows
    allowed = {"abstention", "citation_resolvable"}
    assert all("abstention" in row.scores and row.scores.keys() <= allowed for row in rows)
    assert "abstention" in shown_metrics(done.plan, done.results.arms)


def test_an_arm_without_a_store(make_spec: MakeSpec, tmp_path: Path) -> None:
    """It has every column a memory has, kept nothing, answers as the null row does, and is no memory to remark on."""
    factors = {"builder": ["verbatim", "closed-book"], "harness": ["center"]}
    done = run(make_spec(factors=factors, nulls={"rows": ["closed-book"]}), tmp_path)
    verbatim, none, null = done.results.arms

    assert (2, True) == (done.outcome.built, done.complete)
    assert verbatim.memory.keys() == none.memory.keys()
    assert (0, 0, 0.0) == (none.memory["files"], none.memory["bytes"], none.memory["kept_names"])
    assert (1, 0) == (none.effort["rounds"], none.effort["tool_calls"])
    assert none.query_cost == null.query_cost
    answers = {(row.arm, row.question): row.answer for row in done.results.rows}
    assert all(
        answers["closed-book / none", row.question] == row.answer
        for row in done.results.rows
        if row.arm == "closed-book"
    )
    assert not any(remark.startswith(none.label) for remark in done.results.remarks)


def test_memory_that_does_not_beat_none(done: Comparison) -> None:
    """An arm below a null row is remarked on; the oracle is no rival."""
    assert any("does not beat long-context on evidence_recall" in remark for remark in done.results.remarks)
    assert not any("does not beat oracle" in remark for remark in done.results.remarks)


def test_records_hold_no_exchange(done: Comparison) -> None:
    """The answer's record has text, citations, effort and findings; not the messages, which are large."""
    records = UnitLog(done.outcome.directory / "units").load().answer.values()

    assert {("text", "citations", "end", "effort", "findings", "load")} == {
        tuple(record["answer"]) for record in records
    }
