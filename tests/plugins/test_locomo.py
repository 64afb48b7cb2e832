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
from memkit.records import Case, Conversation
from memkit.registry import Registry
from memkit.transcript import render_unit
from memkit_plugins.locomo import memkit_register
from memkit_plugins.locomo.dialog_ids import find_evidence
from memkit_plugins.locomo.locomo import MONTHS, LoCoMo, iso_time

COUNTS = {  # sessions, turns, questions
    "conv-26": (19, 419, 199),
    "conv-30": (19, 369, 105),
    "conv-41": (32, 663, 193),
    "conv-42": (29, 629, 260),
    "conv-43": (29, 680, 242),
    "conv-49": (25, 509, 196),
}
TURNS = {(s, t): Locator("S", s, t) for s in range(1, 31) for t in range(1, 31)}
Write = Callable[..., Path]


def chat(**changes: Any) -> dict[str, Any]:
    """A small conversation in the schema, with `changes` to its top level."""
    turns = [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "Hello"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "Look", "blip_caption": "a red kite"},
    ]
    question = {"question": "What did Bo show?", "answer": "a kite", "evidence": ["D1:2"], "category": 4}
    conversation = {"speaker_a": "Ana", "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    return {"qa": [question], "conversation": conversation, "sample_id": "conv-1", **changes}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write data as a JSON file and name it."""

    def write(data: Any, name: str = "Chat_1.json") -> Path:
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="module")
def real(shared: Path) -> list[Case]:
    """The conversations beside the checkout."""
    return list(LoCoMo().load(shared / "data" / "locomo"))


def stream(case: Case) -> Conversation:
    """The conversation of a case."""
    assert isinstance(case.stream, Conversation)
    return case.stream


def test_real_counts(real: list[Case]) -> None:
    """Sessions, turns and questions of each conversation are those of the published files."""
    counts = {
        case.stream.id: (
            len(stream(case).sessions),
            sum(len(s.turns) for s in stream(case).sessions),
            len(case.questions),
        )
        for case in real
    }
    assert counts == COUNTS


def test_real_categories(real: list[Case]) -> None:
    """Each category keeps its number of questions; only those of category 5 are unanswerable and lack a gold."""
    questions = [question for case in real for question in case.questions]
    assert Counter(q.category for q in questions) == {"1": 179, "2": 189, "3": 59, "4": 491, "5": 277}
    assert {q.category for q in questions if not q.answerable} == {"5"}
    assert {q.category for q in questions if q.gold is None} == {"5"}


def test_real_evidence(real: list[Case]) -> None:
    """Every locator of every question is a turn; what names none is in the notes and nowhere else."""
    for case in real:
        turns = {turn.locator for session in stream(case).sessions for turn in session.turns}
        assert {locator for question in case.questions for locator in question.evidence} <= turns
    assert [note for case in real for note in case.notes] == [
        "question conv-26-q168 has no support in the chat (category 5); its answer 'No' was left out",
        "question conv-26-q179 has no support in the chat (category 5); its answer 'No' was left out",
        "question conv-42-q59: evidence 'D10:19' names no turn and was left out",
        "question conv-42-q89: evidence 'D' has a part that is no dialogue id, 'D', which was left out",
    ]


def test_real_locators_are_dialogue_ids(real: list[Case], shared: Path) -> None:
    """Turn 3 of session 5 is the source's D5:3, in every conversation."""
    for case, path in zip(real, sorted((shared / "data" / "locomo").glob("*.json")), strict=True):
        source = json.loads(path.read_text(encoding="utf-8"))["conversation"]
        for session in stream(case).sessions:
            ids = [turn["dia_id"] for turn in source[f"session_{session.number}"]]
            assert [f"D{turn.locator.group}:{turn.locator.index}" for turn in session.turns] == ids


def test_annotations_stay_out(real: list[Case], shared: Path) -> None:
    """No text of the annotations reaches what a builder reads, unless a turn says it."""
    for case, path in zip(real, sorted((shared / "data" / "locomo").glob("*.json")), strict=True):
        data = json.loads(path.read_text(encoding="utf-8"))
        rendered = "".join(map(render_unit, case.stream.units))
        said = {turn.text for session in stream(case).sessions for turn in session.turns}
        annotated = {
            text
            for key in ("observation", "session_summary", "event_summary")
            for text in strings(data[key])
            if len(text.split()) > 2 and not any(text in words for words in said)
        }
        assert len(annotated) > 100
        assert [text for text in annotated if text in rendered] == []


def strings(node: Any) -> list[str]:
    """Every text in a JSON value."""
    if isinstance(node, str):
        return [node]
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [text for child in children for text in strings(child)]


def test_records(write: Write) -> None:
    """Times are ISO, captions are kept, numbers become text, dates without a session are no session."""
    data = chat()
    data["conversation"]["session_2_date_time"] = "2:00 pm on 9 May, 2023"
    data["qa"].append({"question": "How many?", "answer": 2, "evidence": ["D1:1"], "category": 1})
    (case,) = LoCoMo().load(write(data))
    (session,) = stream(case).sessions
    assert (session.number, session.time) == (1, "2023-05-08T13:56")
    assert [(str(t.locator), t.caption) for t in session.turns] == [("[S1T1]", ""), ("[S1T2]", "a red kite")]
    assert [(q.id, q.gold, q.category) for q in case.questions] == [
        ("conv-1-q1", "a kite", "4"),
        ("conv-1-q2", "2", "1"),
    ]
    assert case.notes == ()


def test_folder_order_and_names(write: Write) -> None:
    """Files come in natural order; a taken sample_id gives way to the file's name; hidden files are no data."""
    write(chat(), "Chat_10.json")
    write(chat(), "Chat_2.json")
    folder = write("not json", "._Chat_2.json").parent
    assert [case.stream.id for case in LoCoMo().load(folder)] == ["conv-1", "Chat_10"]


def test_list_file(write: Write) -> None:
    """The list form holds one conversation after another; a place in the list names one without a sample_id."""
    path = write([chat(), {k: v for k, v in chat().items() if k != "sample_id"}], "locomo10.json")
    assert [case.stream.id for case in LoCoMo().load(path)] == ["conv-1", "locomo10-2"]


def test_odd_parts_are_noted(write: Write) -> None:
    """A strange date is kept as written, an empty session left out, and both are told."""
    data = chat()
    data["conversation"] |= {"session_1_date_time": "some day in May", "session_2": []}
    (case,) = LoCoMo().load(path := write(data))
    notes = [
        "conversation.session_1_date_time 'some day in May' is in no known form and was kept as written",
        "session 2 has no turns and was left out",
    ]
    assert stream(case).sessions[0].time == "some day in May"
    assert list(case.notes) == notes
    assert list(LoCoMo().check(path)) == [f"conv-1: {note}" for note in notes]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("{", ":1: this is not JSON (Expecting property name enclosed in double quotes); get the file anew"),
        ("[" * 100_000, ": the file cannot be read"),
        ("3", ": expected an object with 'conversation' and 'qa'; this is not LoCoMo"),
        ({"qa": []}, ": lacks the key 'conversation'; get the file anew or repair it"),
        ({"name": {}, "session_1": []}, ": this is a REALTALK file; load it as the dataset 'realtalk'"),
        (chat(conversation={}), ": conversation: there is no 'session_1' with turns; get the file anew"),
        (chat(conversation=[]), ": conversation: expected an object, not list; get the file anew or repair it"),
        (
            chat(conversation={"session_1": [{"speaker": "Ana", "dia_id": "D1:1"}]}),
            ": conversation.session_1[0]: lacks the key 'text'; get the file anew or repair it",
        ),
        (
            chat(conversation={"session_1": [{"dia_id": "one"}]}),
            ": conversation.session_1[0].dia_id: 'one' is no dialogue id such as 'D5:3'; repair it",
        ),
        (
            [chat(qa=[3])],
            ": [0].qa[0]: expected an object; get the file anew or repair it",
        ),
        (
            chat(qa=[{"category": 1, "answer": [], "question": "?"}]),
            ": qa[0].answer: expected text, not list; get the file anew or repair it",
        ),
    ],
)
def test_faults(data: Any, expected: str, write: Write) -> None:
    """A file that does not fit is one sentence that names file and place."""
    path = write(data)
    with pytest.raises(DataError) as caught:
        list(LoCoMo().load(path))
    assert str(caught.value).startswith(f"{path}{expected}")


def test_wrong_paths(tmp_path: Path) -> None:
    """No path, a missing path and an empty folder are told apart."""
    messages = []
    for path in (None, tmp_path / "gone", tmp_path):
        with pytest.raises(DataError) as caught:
            list(LoCoMo().load(path))
        messages.append(str(caught.value))
    assert messages == [
        "LoCoMo needs a path: the folder that holds its Chat_*.json files, or one such file",
        f"{tmp_path}/gone: there is no such file or folder; give the path to LoCoMo's JSON",
        f"{tmp_path}: this folder holds no .json file; give the one with LoCoMo's Chat_*.json",
    ]


@pytest.mark.parametrize(
    ("written", "expected", "noted"),
    [
        ("D5:3", "[S5T3]", 0),
        ("D8:6; D9:17", "[S8T6] [S9T17]", 0),
        ("D9:1 D4:4 D4:6", "[S9T1] [S4T4] [S4T6]", 0),
        ("D30:05", "[S30T5]", 0),
        ("D:11:26", "[S11T26]", 0),
        ("D5:3.", "[S5T3]", 0),
        ("D13:20:D20:19", "[S13T20] [S20T19]", 0),
        ("D12:3-D12:5", "[S12T3] [S12T4] [S12T5]", 0),
        ("D12:3-5", "[S12T3] [S12T4] [S12T5]", 0),
        ("D14:29-D15:2", "[S14T29] [S14T30] [S15T1] [S15T2]", 0),
        ("D14:8-D14:9;D15:16-D15:17", "[S14T8] [S14T9] [S15T16] [S15T17]", 0),
        ("D12:29-D12:99", "[S12T29] [S12T30]", 0),
        ("D5:3, D5:3", "[S5T3]", 0),
        ("D12:5-D12:3", "", 1),
        ("D99:1", "", 1),
        ("D", "", 1),
        ("see D5:3", "[S5T3]", 1),
        ("", "", 0),
    ],
)
def test_evidence_forms(written: str, expected: str, noted: int) -> None:
    """Each form annotators wrote names its turns; the rest is noted."""
    found, notes = find_evidence([written], TURNS)
    assert (" ".join(map(str, found)), len(notes)) == (expected, noted)


@given(st.lists(st.text(alphabet="D:0123456789 ;-.,x", max_size=30) | st.integers()))
def test_evidence_never_breaks(evidence: list[Any]) -> None:
    """Whatever stands in `evidence`, each locator found is a turn and found once."""
    found, _ = find_evidence(evidence, TURNS)
    assert set(found) <= set(TURNS.values())
    assert len(found) == len(set(found))


@given(st.datetimes())
def test_times(time: Any) -> None:
    """Every minute of the calendar written the source's way is read back."""
    hour = f"{(time.hour - 1) % 12 + 1}:{time.minute:02} {'pm' if time.hour >= 12 else 'am'}"
    written = f"{hour} on {time.day} {MONTHS[time.month - 1].title()}, {time.year:04}"
    assert iso_time(written) == time.isoformat(timespec="minutes")


@pytest.mark.parametrize("text", ["", "13:00 pm on 8 May, 2023", "1:56 pm on 31 June, 2023", "1:56 pm on 8 Mai, 2023"])
def test_no_times(text: str) -> None:
    """What is no time is not made one."""
    assert iso_time(text) is None


def test_registration() -> None:
    """Both datasets are registered and fit the contract without options."""
    registry = Registry()
    memkit_register(registry)
    assert registry.names("dataset") == ["locomo", "realtalk"]
    for name in registry.names("dataset"):
        registry.make("dataset", name)
