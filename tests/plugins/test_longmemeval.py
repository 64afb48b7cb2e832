from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import DataError
from memkit.locators import Locator
from memkit.records import Case
from memkit.registry import Registry
from memkit_plugins.longmemeval import memkit_register
from memkit_plugins.longmemeval.longmemeval import LongMemEval, iso_time

Write = Callable[..., Path]


def said(*contents: str, marked: str = "") -> list[dict[str, Any]]:
    """Messages of user and assistant in turn; the one that is `marked` is evidence."""
    return [
        {"role": ("user", "assistant")[place % 2], "content": content, "has_answer": content == marked}
        for place, content in enumerate(contents)
    ]


def item(**changes: Any) -> dict[str, Any]:
    """An item of the original schema: two sessions, the later one first."""
    return {
        "question_id": "kite",
        "question_type": "knowledge-update",
        "question": "What colour is my kite?",
        "answer": "blue",
        "question_date": "2023/06/01 (Thu) 00:58",
        "haystack_session_ids": ["s2", "s1"],
        "haystack_dates": ["2023/05/27 (Sat) 10:20", "2023/05/25 (Thu) 20:21"],
        "haystack_sessions": [said("I painted it blue.", "Fine.", marked="I painted it blue."), said("It is red.")],
        "answer_session_ids": ["s2"],
        **changes,
    }


def flat(**changes: Any) -> dict[str, Any]:
    """A file of the flat schema with one item of two sessions and a question."""
    dates = ["2023/05/25 (Thu) 20:21"] * 2 + ["2023/05/27 (Sat) 10:20"]
    chat = [{**message, "date": date} for message, date in zip(said("Hi", "Hello", "Bye"), dates, strict=True)]
    question = {"id": "q1", "question": "How many kites?", "answer": 3}
    inner = {"id": "multi-kite", "question_type": "multi-session", "conversation": chat, "questions": [question]}
    return {"source": "x", "data": [{**inner, **changes}]}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write data as a JSON file and name it."""

    def write(data: Any, name: str = "oracle.json") -> Path:
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="module")
def real(shared: Path) -> dict[str, list[Case]]:
    """The cases of each file beside the checkout."""
    return {
        path.name.partition("_")[0] + path.name.split("_")[2]: list(LongMemEval().load(path))
        for path in sorted((shared / "data" / "longmemeval").glob("*.json"))
    }


def turns(case: Case) -> int:
    """How many turns a case's stream has."""
    return sum(len(session.turns) for session in case.stream.units)


def test_real_counts(real: dict[str, list[Case]]) -> None:
    """Items, sessions, turns, types and answerability are those of the files."""
    original, oracle, abstain = real["aditsample.json"], real["hydrabuildoracle"], real["hydrabuildabstain"]
    assert [(2, 24), (2, 24)] == [(len(case.stream.units), turns(case)) for case in original]
    assert (16, 306) == (len(oracle), sum(map(turns, oracle)))
    assert [(12, 136), (12, 91), (12, 130), (12, 101)] == [(len(case.stream.units), turns(case)) for case in abstain]
    assert Counter(question.category for case in oracle for question in case.questions) == {
        "temporal-reasoning": 3,
        "multi-session": 3,
        "knowledge-update": 3,
        "single-session-preference": 3,
        "single-session-user": 2,
        "single-session-assistant": 2,
    }
    assert [1, 1, 16, 0] == [
        sum(question.answerable for case in cases for question in case.questions)
        for cases in (original[:1], original, oracle, abstain)
    ]


def test_real_evidence(real: dict[str, list[Case]]) -> None:
    """The evidence of the original items is what is marked; the flat schema marks none."""
    original = [[str(locator) for locator in case.questions[0].evidence] for case in real["aditsample.json"]]
    assert [["[S1T5]", "[S2T1]"], ["[S1T1]"]] == original
    assert {()} == {q.evidence for case in real["hydrabuildoracle"] for q in case.questions}


def test_real_notes(real: dict[str, list[Case]]) -> None:
    """The one oddity of the files is told: a session after its question."""
    assert ["question gpt4_70e84552_abs is asked before session 2 took place; all were kept"] == [
        note for cases in real.values() for case in cases for note in case.notes
    ]


def test_real_sessions_are_in_order(real: dict[str, list[Case]]) -> None:
    """Sessions come as they happened, whatever their order in the file."""
    for case in (case for cases in real.values() for case in cases):
        times = [session.time for session in case.stream.units]
        assert times == sorted(times)


def test_original(write: Write) -> None:
    """Sessions are put in order, evidence follows them, and the day of asking is part of the question."""
    (case,) = LongMemEval().load(write([item()]))
    (question,) = case.questions
    assert [(1, "2023-05-25T20:21"), (2, "2023-05-27T10:20")] == [(s.number, s.time) for s in case.stream.units]
    assert ["It is red.", "I painted it blue.", "Fine."] == [t.text for s in case.stream.units for t in s.turns]
    assert ["user", "user", "assistant"] == [t.speaker for s in case.stream.units for t in s.turns]
    assert ("kite", "What colour is my kite? (asked on 2023-06-01T00:58)") == (question.id, question.text)
    assert ("blue", "knowledge-update", True) == (question.gold, question.category, question.answerable)
    assert (Locator("S", 2, 1),) == question.evidence
    assert () == case.notes


def test_flat(write: Write) -> None:
    """Sessions are cut where the date changes, numbers become text, and no date of asking adds nothing."""
    (case,) = LongMemEval().load(write(flat()))
    (question,) = case.questions
    assert ("multi-kite", [2, 1]) == (case.stream.id, [len(session.turns) for session in case.stream.units])
    assert ("multi-kite-q1", "How many kites?", "3") == (question.id, question.text, question.gold)


@pytest.mark.parametrize(
    "data",
    [
        [item(question_id="kite_abs")],
        flat(id="kite_abs"),
        flat(questions=[{"id": "q", "question": "?", "answer": "You did not say.", "is_abstention": True}]),
    ],
)
def test_abstention(data: Any, write: Write) -> None:
    """Items of abstention cannot be answered, and keep what the source says is missing."""
    (case,) = LongMemEval().load(write(data))
    assert not case.questions[0].answerable
    assert case.questions[0].gold


def test_odd_parts_are_noted(write: Write) -> None:
    """A date of another form keeps the order of the file; empty sessions are left out; later ones are kept."""
    odd = item(haystack_dates=["in May", "2023/05/25 (Thu) 20:21"], question_date="")
    empty = item(question_id="x", haystack_sessions=[[], said("It is red.")], question_date="2023/05/01 (Mon) 00:00")
    first, second = LongMemEval().load(path := write([odd, empty]))
    assert ["in May", "2023-05-25T20:21"] == [session.time for session in first.stream.units]
    assert "What colour is my kite?" == first.questions[0].text
    assert [(1, "2023-05-25T20:21")] == [(session.number, session.time) for session in second.stream.units]
    assert [
        "kite: the date 'in May' is in no known form; sessions were kept in the order of the file",
        "x: sessions without messages were left out: 1",
        "x: question x is asked before session 1 took place; all were kept",
    ] == list(LongMemEval().check(path))


def test_folder(write: Write) -> None:
    """A folder's files come by name, in both schemas; an item given twice is an error."""
    write([item()], "b.json")
    folder = write(flat(), "a.json").parent
    write("not json", ".hidden.json")
    assert ["multi-kite", "kite"] == [case.stream.id for case in LongMemEval().load(folder)]
    write([item()], "c.json")
    with pytest.raises(DataError) as caught:
        list(LongMemEval().load(folder))
    assert f"{folder}/c.json: two items are called 'kite'; name one file" == str(caught.value)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("{", ": the file cannot be read as JSON ("),
        ("[" * 100_000, ": the file cannot be read as JSON ("),
        ({"qa": []}, ": expected a list of items, or an object with 'data'; this is not LongMemEval"),
        ([3], ": [0]: expected an object; repair it"),
        ([{"question_id": 3}], ": [0].question_id: expected text, not int; repair it"),
        ([item(haystack_dates=[])], ": [0]: 0 haystack_dates for 2 haystack_sessions; repair it"),
        ([item(answer=None)], ": [0].answer: expected text, not NoneType; repair it"),
        (
            [item(haystack_sessions=[3, []])],
            ": [0].haystack_sessions[0]: expected a list of messages; repair it",
        ),
        (
            [item(haystack_sessions=[[{"role": "user"}], []])],
            ": [0].haystack_sessions[0][0]: lacks the key 'content'; repair it, or get the file anew",
        ),
        (flat(questions=[{}]), ": data[0].questions[0]: lacks the key 'id'; repair it, or get the file anew"),
        (flat(conversation=[3]), ": data[0].conversation[0]: expected an object; repair it"),
    ],
)
def test_faults(data: Any, expected: str, write: Write) -> None:
    """A file that does not fit is one sentence that names file and place."""
    path = write(data)
    with pytest.raises(DataError) as caught:
        list(LongMemEval().load(path))
    assert str(caught.value).startswith(f"{path}{expected}")


def test_wrong_paths(tmp_path: Path) -> None:
    """No path, a missing path and an empty folder are told apart."""
    messages = []
    for path in (None, tmp_path / "gone", tmp_path):
        with pytest.raises(DataError) as caught:
            list(LongMemEval().load(path))
        messages.append(str(caught.value))
    assert messages == [
        "LongMemEval needs a path: one of its JSON files, or a folder of them",
        f"{tmp_path}/gone: there is no such file or folder; give the path to LongMemEval's JSON",
        f"{tmp_path}: this folder holds no .json file; give the one with LongMemEval's",
    ]


@given(st.datetimes())
def test_times(time: Any) -> None:
    """Every minute written the source's way is read back."""
    written = f"{time.year:04}/{time.month:02}/{time.day:02} (Mon) {time.hour:02}:{time.minute:02}"
    assert time.isoformat(timespec="minutes") == iso_time(written)


@pytest.mark.parametrize(
    "text", ["", "2023/06/31 (Sat) 00:58", "2023/06/01 (Thu)", "2023-06-01T00:58", "2023/06/01 24:00"]
)
def test_no_times(text: str) -> None:
    """What is no time is not made one."""
    assert None is iso_time(text)


def test_registration() -> None:
    """The dataset is registered and fits the contract without options."""
    registry = Registry()
    memkit_register(registry)
    assert isinstance(registry.make("dataset", "longmemeval"), LongMemEval)
