from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from memkit.errors import DataError
from memkit.records import Case, Conversation, Session
from memkit.transcript import render_unit
from memkit_plugins.locomo.realtalk import RealTalk, iso_time

CHAT = {
    "name": {"speaker_1": "Kim", "speaker_2": "lee"},
    "session_1": [
        {"clean_text": "hi", "speaker": "Kim", "date_time": "29.12.2023, 00:51:12", "dia_id": "D1:1"},
        {"clean_text": "yo", "speaker": "lee", "date_time": "29.12.2023, 00:52:00", "dia_id": "D1:4"},
    ],
    "session_2": [
        {"clean_text": "back", "speaker": "lee", "date_time": "soon", "dia_id": "D1:5", "blip_caption": "a boat"},
    ],
    "session_1_date_time": "29.12.2023, 00:51:12",
    "session_2_date_time": "1.1.2024, 09:00:00",
    "events_session_1": {"agent_a": [{"sub-event": "greets warmly", "id": "E1"}]},
    "qa": [{"question": "Who is back?", "answer": "lee", "evidence": ["D1:2-D1:5"], "category": 1}],
}


@pytest.fixture(scope="module")
def real(shared: Path) -> list[Case]:
    """The conversations beside the checkout."""
    return list(RealTalk().load(shared / "data" / "realtalk"))


def sessions(case: Case) -> tuple[Session, ...]:
    """The sessions of a case."""
    assert isinstance(case.stream, Conversation)
    return case.stream.sessions


def test_real_counts(real: list[Case]) -> None:
    """Sessions, turns, questions and categories are those of the published files."""
    found = [
        (case.stream.id, len(sessions(case)), sum(len(s.turns) for s in sessions(case)), len(case.questions))
        for case in real
    ]
    assert found == [("Chat_2_Kevin_Elise", 22, 453, 73), ("Chat_3_Kevin_Paola", 21, 422, 71)]
    categories = Counter(question.category for case in real for question in case.questions)
    assert categories == {"1": 60, "2": 61, "3": 23}


def test_real_evidence_is_the_turn_meant(real: list[Case], shared: Path) -> None:
    """Locators count within their session, and evidence still means the turn that has the dialogue id."""
    for case in real:
        source = json.loads((shared / "data" / "realtalk" / f"{case.stream.id}.json").read_text(encoding="utf-8"))
        texts = {turn["dia_id"]: turn["clean_text"] for s in sessions(case) for turn in source[f"session_{s.number}"]}
        turns = {turn.locator: turn.text for session in sessions(case) for turn in session.turns}
        checked = 0
        for question, written in zip(case.questions, source["qa"], strict=True):
            if all(dialog_id in texts for dialog_id in written["evidence"]):
                expected = [texts[dialog_id] for dialog_id in dict.fromkeys(written["evidence"])]
                assert [turns[locator] for locator in question.evidence] == expected
                checked += 1
        assert checked > 50


def test_real_missing_turns_are_noted(real: list[Case]) -> None:
    """Evidence that points at removed messages is told, one note each."""
    assert [len(case.notes) for case in real] == [3, 2]
    assert real[1].notes[0] == "question Chat_3_Kevin_Paola-q33: evidence 'D8:13' names no turn and was left out"


def test_real_annotations_stay_out(real: list[Case], shared: Path) -> None:
    """No annotated event reaches what a builder reads."""
    for case in real:
        source = json.loads((shared / "data" / "realtalk" / f"{case.stream.id}.json").read_text(encoding="utf-8"))
        rendered = "".join(map(render_unit, case.stream.units))
        events = [
            event["sub-event"]
            for session in sessions(case)
            for agent in source.get(f"events_session_{session.number}", {}).values()
            for event in agent
            if event["sub-event"]
        ]
        assert len(events) > 20
        assert [event for event in events if event in rendered] == []


def test_records(tmp_path: Path) -> None:
    """Turns carry their own ISO time, locators count within the session, a range skips missing ids."""
    path = tmp_path / "Chat_7.json"
    path.write_text(json.dumps(CHAT), encoding="utf-8")
    (case,) = RealTalk().load(path)
    first, second = sessions(case)
    assert (first.time, second.time) == ("2023-12-29T00:51:12", "2024-01-01T09:00:00")
    assert [(str(t.locator), t.time) for t in first.turns] == [
        ("[S1T1]", "2023-12-29T00:51:12"),
        ("[S1T2]", "2023-12-29T00:52:00"),
    ]
    assert (second.turns[0].caption, second.turns[0].time) == ("a boat", "soon")
    assert [str(locator) for locator in case.questions[0].evidence] == ["[S1T2]", "[S2T1]"]
    assert case.notes == ("session_2[0].date_time 'soon' is in no known form and was kept as written",)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([], "expected an object with 'session_1' and 'qa'; this is not REALTALK"),
        ({"conversation": {}}, "this is a LoCoMo file; load it as the dataset 'locomo'"),
        ({"qa": []}, "there is no 'session_1' with turns; get the file anew"),
        ({**CHAT, "qa": None}, "qa: expected a list, not NoneType; get the file anew or repair it"),
    ],
)
def test_faults(data: object, expected: str, tmp_path: Path) -> None:
    """A file of another kind is told in one sentence that names it."""
    path = tmp_path / "Chat_7.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(RealTalk().load(path))
    assert str(caught.value) == f"{path}: {expected}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("29.12.2023, 00:51:12", "2023-12-29T00:51:12"), ("31.02.2024, 10:00:00", None), ("2024-01-01", None)],
)
def test_times(text: str, expected: str | None) -> None:
    """Times become ISO; what is no time becomes nothing."""
    assert iso_time(text) == expected
