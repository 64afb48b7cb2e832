"""What other runs beside this one have done is not done again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memkit.compare.comparison import Comparison, compare
from memkit.compare.reuse import Reused
from memkit.compare.spec import Spec, Use
from memkit.testing.server import LoopbackServer, Says

MakeSpec = Callable[..., Spec]
HERE = Use("local", {"workers": 0})
TWO = {"builder": ["verbatim"], "harness": ["center", "center+bm25"]}


def run(spec: Spec, runs: Path, **more: Any) -> Comparison:
    """Run in this process."""
    return compare(spec, runs=runs, runner=HERE, **more)


@pytest.fixture(scope="module")
def first(make_spec: MakeSpec, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """Two arms and the null rows on three questions."""
    return run(make_spec(factors=TWO), tmp_path_factory.mktemp("runs"))


def test_another_arm_is_all_there_is_to_do(first: Comparison, make_spec: MakeSpec) -> None:
    """With an arm more, that arm's memory is built and its questions are answered, and nothing else."""
    factors = {**TWO, "builder": ["verbatim", "foldered"], "harness": ["center", "center+bm25"]}
    matrix = {"exclude": [{"builder": "foldered", "harness": "center"}]}
    runs = first.outcome.directory.parent
    more = run(make_spec(factors=factors, matrix=matrix), runs)

    assert (1, 3, True) == (more.outcome.built, more.outcome.answered, more.complete)
    assert (Reused(first.outcome.directory.name, 1, 15, 15),) == more.outcome.reused
    before = {(row.arm, row.question): row for row in first.results.rows}
    after = {(row.arm, row.question): row for row in more.results.rows}
    assert before == {place: row for place, row in after.items() if place in before}
    assert len(before) + 3 == len(after)


def test_other_labels_are_nothing_to_do(first: Comparison, make_spec: MakeSpec) -> None:
    """Renamed, an arm is the same arm."""
    factors = {"builder": [{"use": "verbatim", "label": "as it was"}], "harness": TWO["harness"]}
    again = run(make_spec(factors=factors), first.outcome.directory.parent)

    assert (0, 0, True) == (again.outcome.built, again.outcome.answered, again.complete)
    assert "as it was / center" == again.results.arms[0].label
    assert [arm.scores for arm in first.results.arms] == [arm.scores for arm in again.results.arms]


def test_memories_are_copied_for_more_questions(make_spec: MakeSpec, tmp_path: Path) -> None:
    """More questions of a memory that another run has are asked of a copy, wherever it is; gone, it is built."""
    one = run(make_spec(nulls={"rows": []}), tmp_path)
    more = run(make_spec(select={"limit": 5}, nulls={"rows": []}), tmp_path)
    assert (0, True) == (more.outcome.built, more.complete)
    assert one.outcome.directory.joinpath("memories").is_dir()

    for memories in tmp_path.glob("*/memories"):
        shutil.rmtree(memories)
    most = run(make_spec(select={"limit": 7}, nulls={"rows": []}), tmp_path)
    assert (1, True) == (most.outcome.built, most.complete)


def test_calls_come_with_their_answers(make_spec: MakeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a provider was paid for by one run is on record in the other, paid for by nobody there."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with LoopbackServer(lambda _: Says("In spring.")) as server:
        model = {"use": "openai/any", "with": {"api_base": server.openai}}
        factors = {"builder": ["verbatim"], "harness": ["center"], "models": {"search": [model]}}
        paid = run(make_spec(factors=factors, nulls={"rows": []}), tmp_path)
        asked = len(server.asked)
        labelled = {**factors, "builder": [{"use": "verbatim", "label": "mine"}]}
        free = run(make_spec(factors=labelled, nulls={"rows": []}), tmp_path)

        assert (3, asked) == (asked, len(server.asked))
        shutil.rmtree(paid.outcome.directory)
        shutil.rmtree(free.outcome.directory / "units")
        replayed = run(make_spec(factors=labelled, nulls={"rows": []}), tmp_path, offline=True)
    billed = [[call["billed"] for call in one["calls"]] for one in free.outcome.records.answer.values()]
    assert [[False]] * 3 == billed
    assert (3, True) == (replayed.outcome.answered, replayed.complete)
