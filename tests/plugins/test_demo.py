from __future__ import annotations

import inspect
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from memkit.errors import DataError
from memkit.metrics.text import normalize
from memkit.records import Case, Conversation
from memkit.transcript import render_unit
from memkit_plugins import jsonl
from memkit_plugins.jsonl.demo import Demo
from memkit_plugins.jsonl.jsonl import Jsonl


@pytest.fixture(scope="module")
def case() -> Case:
    """The demo."""
    (case,) = Demo().load(None)
    return case


def test_shape(case: Case) -> None:
    """Ten dated sessions in order over more than half a year, two speakers, questions of every category."""
    assert isinstance(case.stream, Conversation)
    times = [datetime.fromisoformat(session.time or "") for session in case.stream.sessions]
    assert times == sorted(times)
    assert (times[-1] - times[0]).days > 200
    assert [session.number for session in case.stream.sessions] == list(range(1, 11))
    assert {speaker for session in case.stream.sessions for speaker in session.speakers} == {
        "田中さくら",
        "Jonas Müller",
    }
    assert Counter(question.category for question in case.questions) == {
        "single-hop": 6,
        "temporal": 5,
        "knowledge-update": 5,
        "multi-hop": 4,
        "counting": 2,
        "multiple-choice": 2,
        "unanswerable": 2,
    }


def test_evidence(case: Case) -> None:
    """Every answerable question has evidence in the stream, and every other none."""
    assert {question.id for question in case.questions if not question.evidence} == {
        question.id for question in case.questions if not question.answerable
    }
    assert sum(len({locator.group for locator in question.evidence}) > 1 for question in case.questions) >= 8


def test_short_golds_are_said(case: Case) -> None:
    """The gold of a single-hop question stands, word for word, in its evidence."""
    assert isinstance(case.stream, Conversation)
    turns = {turn.locator: turn for session in case.stream.sessions for turn in session.turns}
    for question in case.questions:
        if question.category == "single-hop":
            said = normalize(" ".join(f"{turns[at].text} {turns[at].caption}" for at in question.evidence)).split()
            key = [word for word in normalize(question.gold or "").split() if word not in {"it", "is", "euros", "58"}]
            assert [word for word in key if word not in said] == []


def test_gold_answers_are_not_questions(case: Case) -> None:
    """No question gives its own answer away, and nothing of the questions is in the stream."""
    rendered = "".join(map(render_unit, case.stream.units))
    assert [q.text for q in case.questions if q.text in rendered or (q.gold and q.gold.lower() in q.text.lower())] == []


def test_file_is_clean() -> None:
    """The shipped file has no fault its own checker finds."""
    assert list(Jsonl().check(Path(inspect.getfile(jsonl)).with_name("demo.jsonl"))) == []


def test_takes_no_path(tmp_path: Path) -> None:
    """A path given to the demo is told where it belongs."""
    with pytest.raises(DataError) as caught:
        list(Demo().load(tmp_path))
    assert str(caught.value) == f"{tmp_path}: the dataset 'demo' takes no path; load a file of your own as 'jsonl'"
