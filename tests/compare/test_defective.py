"""Results restated without the questions whose gold the stream contradicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memkit.compare.comparison import Comparison, compare
from memkit.compare.rejudging import rejudge
from memkit.compare.spec import Data, Factors, Nulls, Spec, Use

HERE = Use("local", {"workers": 0})
WRONG = "the kite is red, the gold says blue [S1T1]"
TURNS = [
    {"type": "turn", "speaker": "Ana", "text": "I bought the red kite in Porto."},
    {"type": "turn", "speaker": "Bo", "text": "My dog is called Rex."},
]
QUESTIONS = [
    {"type": "question", "id": "place", "question": "Where did Ana buy the kite?", "answer": "in Porto"},
    {
        "type": "question",
        "id": "dog",
        "question": "What is Bo's dog called?",
        "options": ["Rex", "Max"],
        "answer": "Rex",
    },
    {"type": "question", "id": "kite", "question": "Which kite is it?", "options": ["red", "blue"], "answer": "blue"},
]


def write(path: Path, defect: str | None) -> None:
    """The data, with a defect of the last question or without."""
    questions = [*QUESTIONS[:2], {**QUESTIONS[2], "defect": defect}]
    path.write_text("".join(json.dumps(line) + "\n" for line in (*TURNS, *questions)))


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Compares two arms on the data, restated or not."""
    data = tmp_path / "mine.jsonl"
    write(data, WRONG)
    spec = Spec(
        data=[Data("jsonl", str(data))],
        factors=Factors(builder=[Use("verbatim")], harness=[Use("center"), Use("center+bm25")]),
        judge=Use("exact"),
        nulls=Nulls(rows=[]),
    )

    def run(*, without_defective: bool = False) -> Comparison:
        return compare(spec, runs=tmp_path / "runs", runner=HERE, without_defective=without_defective)

    return run


def export(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The summary and the items of a results folder."""
    items = (folder / "items.jsonl").read_text().splitlines()
    return json.loads((folder / "summary.json").read_text()), [json.loads(item) for item in items]


def test_they_are_asked_and_flagged(run: Any) -> None:
    """Without the switch such a question counts like any other; its rows carry the reason, and the summary lists it."""
    done = run()
    summary, items = export(done.outcome.directory / "results")

    assert [3, 3] == [arm["items"] for arm in summary["arms"]]
    assert {("place", ""), ("dog", ""), ("kite", WRONG)} == {(item["question"], item["defect"]) for item in items}
    assert [{"stream": "mine", "question": "kite", "reason": WRONG}] == summary["defective"]
    assert not summary["without_defective"]


def test_every_figure_is_restated(run: Any) -> None:
    """Scores, effort, bills, contrasts and rows are those of the other questions, and nothing is done again."""
    whole = run()
    results = whole.outcome.directory / "results"
    before = export(results)
    restated = run(without_defective=True)
    summary, items = export(results / "without-defective")

    assert (0, True) == (restated.outcome.answered, restated.complete)
    assert before == export(results)
    assert [item for item in before[1] if not item["defect"]] == items
    assert summary["without_defective"]
    assert before[0]["defective"] == summary["defective"]
    for arm in summary["arms"]:
        kept = [item for item in items if item["arm"] == arm["label"]]
        assert (2, 2) == (arm["items"], arm["answered"])
        assert 1.0 == arm["scores"]["exact"]
        assert sum(item["effort"]["input_tokens"] for item in kept) / 2 == arm["query_cost"]["uncached"]
        assert sum(item["effort"]["rounds"] for item in kept) / 2 == arm["effort"]["rounds"]
    assert [0.5, 0.5] == [arm["scores"]["exact"] for arm in before[0]["arms"]]


def test_it_is_a_switch_of_reading(run: Any, tmp_path: Path) -> None:
    """Whether a gold is known to be wrong is in no key: found out later, nothing is answered or judged again."""
    write(tmp_path / "mine.jsonl", None)
    first = run(without_defective=True)
    judged = sorted((first.outcome.directory / "units" / "judge").iterdir())
    write(tmp_path / "mine.jsonl", WRONG)
    later = run(without_defective=True)

    assert ([3, 3], [2, 2]) == tuple([arm.items for arm in done.results.arms] for done in (first, later))
    assert (0, 0) == (later.outcome.built, later.outcome.answered)
    assert judged == sorted((later.outcome.directory / "units" / "judge").iterdir())


def test_rejudged(run: Any) -> None:
    """Another judge's results and the agreement of the two are restated as well."""
    directory = run().outcome.directory
    whole, restated = (
        rejudge(directory, Use("locomo"), Use("memkit/extractive"), runner=HERE, without_defective=switch)
        for switch in (False, True)
    )

    assert (6, 4) == (len(whole.comparison.results.rows), len(restated.comparison.results.rows))
    assert (4, 2) == (whole.agreements["exact"].items, restated.agreements["exact"].items)
    assert (directory / "results" / "judge-locomo" / "without-defective" / "items.jsonl").is_file()
