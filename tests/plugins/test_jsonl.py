from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import DataError
from memkit.records import Case, Conversation, Trajectory
from memkit.registry import Registry
from memkit_plugins.jsonl import memkit_register
from memkit_plugins.jsonl.jsonl import Jsonl
from memkit_plugins.jsonl.lines import parse_line

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write records, raw lines or bytes as a file."""

    def write(*lines: Any, raw: bytes | None = None) -> Path:
        path = tmp_path / "mine.jsonl"
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        path.write_bytes(text.encode() if raw is None else raw)
        return path

    return write


def turn(text: str = "hello", **more: Any) -> dict[str, Any]:
    """A turn of Ana's."""
    return {"type": "turn", "speaker": "Ana", "text": text, **more}


def step(**more: Any) -> dict[str, Any]:
    """A step."""
    return {"type": "step", "action": "look", "observation": "a room", **more}


def ask(**more: Any) -> dict[str, Any]:
    """A question."""
    return {"type": "question", "question": "who?", **more}


def load(path: Path) -> list[Case]:
    """The cases of a file."""
    return list(Jsonl().load(path))


def test_smallest_file(write: Write) -> None:
    """Two turns and a question are enough: session, numbers, ids and stream have defaults."""
    (case,) = load(write(turn("I am here"), turn("so am I"), ask(answer="Ana", evidence=["S1T2"])))
    assert isinstance(case.stream, Conversation)
    assert case.stream.id == "mine"
    assert [(s.number, s.time, [str(t.locator) for t in s.turns]) for s in case.stream.sessions] == [
        (1, None, ["[S1T1]", "[S1T2]"])
    ]
    (question,) = case.questions
    assert (question.id, question.gold, question.answerable) == ("mine-q1", "Ana", True)
    assert [str(locator) for locator in question.evidence] == ["[S1T2]"]


def test_sessions_and_times(write: Write) -> None:
    """A session keeps its number until another comes, and takes the first time its turns give, as written."""
    (case,) = load(
        write(
            turn(session=2),
            turn(time="2024-05-08T23:30+08:00"),
            turn(time="2024-05-09"),
            turn(session=5, time="2024-06-01T10:00"),
            turn(),
        )
    )
    assert isinstance(case.stream, Conversation)
    assert [(s.number, s.time, len(s.turns)) for s in case.stream.sessions] == [
        (2, "2024-05-08T23:30+08:00", 3),
        (5, "2024-06-01T10:00", 2),
    ]


@pytest.mark.parametrize(
    "time", ["2024-05-08", "2024-05-08T13:56", "2024-05-08T13:56:07.5Z", "2024-05-08T23:30+08:00", "2024-05-08 13:56"]
)
def test_times_stay_as_written(time: str, write: Write) -> None:
    """Dates, local times and times with an offset mix freely, and no offset is lost or made up."""
    (case,) = load(write(turn(time=time)))
    assert isinstance(case.stream, Conversation)
    assert (case.stream.sessions[0].time, case.stream.sessions[0].turns[0].time) == (time, time)


def test_trajectory(write: Write) -> None:
    """Steps are counted from 1 or carry the source's own numbers."""
    (case,) = load(
        write(
            {"type": "stream", "id": "run", "kind": "trajectory", "task": "find it", "success": False},
            step(index=0),
            step(),
            step(index=14),
            ask(evidence=["step 14", "[step 0]"]),
        )
    )
    assert isinstance(case.stream, Trajectory)
    assert (case.stream.task, case.stream.success) == ("find it", False)
    assert [s.index for s in case.stream.steps] == [0, 1, 14]
    assert [str(locator) for locator in case.questions[0].evidence] == ["[step 14]", "[step 0]"]


def test_many_streams(write: Write) -> None:
    """Each stream begins with its own line; questions may come before what they ask about."""
    cases = load(
        write(
            {"type": "stream", "id": "a"},
            ask(evidence=["S1T1"]),
            turn(stream="a"),
            {"type": "stream", "id": "b"},
            step(),
            ask(id="last"),
        )
    )
    assert [(c.stream.id, type(c.stream), [q.id for q in c.questions]) for c in cases] == [
        ("a", Conversation, ["a-q1"]),
        ("b", Trajectory, ["last"]),
    ]


def test_options_and_labels(write: Write) -> None:
    """Options, numbers as answers and categories, and unanswerable questions come through."""
    (case,) = load(
        write(turn(), ask(options=["1", "2"], answer=2, category=4), ask(answerable=False, answer=None, category="x"))
    )
    assert [(q.options, q.gold, q.category, q.answerable) for q in case.questions] == [
        (("1", "2"), "2", "4", True),
        ((), None, "x", False),
    ]


def test_defect(write: Write) -> None:
    """What is wrong with an answer comes through on one line; by default nothing is."""
    (case,) = load(write(turn(), ask(answer="Ana", defect="it was\n Bo [S1T1] "), ask(answer="Ana")))
    assert ["it was Bo [S1T1]", ""] == [question.defect for question in case.questions]


def test_bytes(write: Write) -> None:
    """A byte-order mark, CRLF, blank lines, U+2028 in a text and lone surrogates are all taken as they are."""
    lines = ["\ufeff" + json.dumps(turn("a\u2028b"), ensure_ascii=False), "", "  ", json.dumps(turn("\ud83d"))]
    (case,) = load(write(raw="\r\n".join(lines).encode()))
    assert isinstance(case.stream, Conversation)
    assert [t.text for t in case.stream.sessions[0].turns] == ["a\u2028b", "\ud83d"]


A = {"type": "stream", "id": "a"}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ["{oops"],
            "1: not JSON at column 2 (Expecting property name enclosed in double quotes); write one object a line",
        ),
        (["[1]"], '1: expected an object such as {"type": "turn", ...}'),
        (['{"type": "turn", "text": "a", "text": "b"}'], "1: key 'text' stands twice; write one flat object a line"),
        ([{"speaker": "Ana"}], "1: lacks the key 'type'; it may be 'stream', 'turn', 'step', 'question'"),
        ([{"type": "trun"}], "1: type 'trun' is unknown; did you mean 'turn'?"),
        ([{"type": 5}], "1: type 5 is unknown; it may be 'stream', 'turn', 'step', 'question'"),
        ([turn(speeker="Bo")], "1: a turn has no key 'speeker'; did you mean 'speaker'?"),
        ([turn(), {"type": "turn", "text": "x"}], "2: a turn needs the key 'speaker'"),
        ([turn(session="5")], "1: session is '5'; it must be a whole number"),
        ([turn(session=True)], "1: session is True; it must be a whole number"),
        ([turn(session=0)], "1: session is 0; it must be from 1 to 999999999"),
        ([turn(session=2), turn(session=1)], "2: session 1 comes after session 2; put sessions in order"),
        (
            [turn(time="8 May 2023")],
            (
                "1: time '8 May 2023' is not ISO 8601; write a date 2024-05-08 or a time 2024-05-08T13:56"
                " with an offset such as +02:00 where you know it"
            ),
        ),
        ([step(), step(index=1)], "2: step 1 comes after step 1; put steps in order, each once"),
        ([step(action="", observation="")], "1: step 1 has neither action nor observation; leave it out"),
        ([turn(), step()], "2: stream 'mine' is a conversation, which has no steps"),
        ([A | {"kind": "chat"}, turn()], "1: kind 'chat' is unknown; it may be 'conversation', 'trajectory'"),
        (
            [A, turn(), A | {"id": "b"}, turn(stream="a")],
            "4: stream 'a' ended above; keep the lines of a stream together",
        ),
        (
            [turn(stream="a"), turn(stream="b")],
            "2: stream 'b' has not begun; begin it with a line of type 'stream', or it may be 'a'",
        ),
        ([A], "1: stream 'a' has no turns and no steps; give it some"),
        (
            [turn(), ask(evidence=["D1:1"])],
            '2: evidence \'D1:1\' is not a locator; write "S5T3" for turn 3 of session 5, or "step 14"',
        ),
        (
            [turn(), ask(evidence=["S1T2"])],
            (
                "2: evidence [S1T2] is nowhere in stream 'mine'; it has turns 1 to 1 in session 1;"
                " turns are counted within their session, from 1"
            ),
        ),
        ([turn(), ask(id="q"), ask(id="q")], "3: question 'q' stands at {path}:2 already; give each an id of its own"),
        ([A, turn(), A, turn()], "3: stream 'a' begins at {path}:1 already; give each stream an id of its own"),
        ([turn(), ask(options=["a", "a"])], "2: options must be two or more different texts"),
        (
            [turn(), ask(options=["a", "b"], answer="c")],
            "2: the answer 'c' is none of the options; write one of them out whole",
        ),
        (
            [turn(), ask(answerable=False, answer="c")],
            "2: a question with answerable false has no answer; drop one of the two",
        ),
    ],
)
def test_faults(lines: list[Any], expected: str, write: Write) -> None:
    """Each fault is one sentence with file and line, and the only one the checker finds."""
    path = write(*lines)
    message = f"{path}:{expected.replace('{path}', str(path))}"
    with pytest.raises(DataError) as caught:
        load(path)
    assert str(caught.value) == message
    assert list(Jsonl().check(path)) == [message]


def test_not_utf8(write: Write) -> None:
    """Bytes that are no UTF-8 are told by their place."""
    path = write(raw=b'{"type": "turn", "speaker": "Ana", "text": "\xff"}\n')
    assert list(Jsonl().check(path)) == [f"{path}:1: byte 45 is not UTF-8; save the file as UTF-8"]


def test_deep_nesting(write: Write) -> None:
    """Brackets without end are a fault, not a crash."""
    (message,) = Jsonl().check(write("[" * 100_000))
    assert message.endswith("write one flat object a line")


def test_check_finds_all(write: Write) -> None:
    """The checker goes on after a fault, and blames no line for what an earlier one lost."""
    path = write(
        {"type": "stream", "id": "a"},
        turn(time="never"),
        "nonsense",
        ask(evidence=["S1T1"]),
        {"type": "stream", "id": "b", "colour": "red"},
        turn(session=1),
        {"type": "stream", "id": "c"},
        turn(),
        ask(evidence=["S9T9"]),
    )
    assert [message.removeprefix(f"{path}:").partition(":")[0] for message in Jsonl().check(path)] == [
        "2",
        "3",
        "5",
        "9",
    ]


def test_streams_as_it_goes(write: Write) -> None:
    """A whole stream is handed out before a fault in a later one is met."""
    cases = Jsonl().load(write({"type": "stream", "id": "a"}, turn(), {"type": "stream", "id": "b"}, "nonsense"))
    assert next(cases).stream.id == "a"
    with pytest.raises(DataError):
        next(cases)


def test_wrong_paths(tmp_path: Path) -> None:
    """No path, a missing file, a folder and an empty file are told apart."""
    (tmp_path / "empty.jsonl").touch()
    messages = []
    for path in (None, tmp_path / "gone", tmp_path, tmp_path / "empty.jsonl"):
        with pytest.raises(DataError) as caught:
            list(Jsonl().load(path))
        messages.append(str(caught.value))
    assert messages == [
        "the dataset 'jsonl' needs a path: a .jsonl file",
        f"{tmp_path}/gone: there is no such file; check the path",
        f"{tmp_path}: is a folder; name one .jsonl file in it",
        f'{tmp_path}/empty.jsonl: there is no record; begin with {{"type": "turn", "speaker": ..., "text": ...}}',
    ]


@given(st.lists(st.text(), min_size=1, max_size=8))
def test_text_survives(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    """Any text, in any script, comes back as it was written."""
    path = tmp_path_factory.mktemp("jsonl") / "f.jsonl"
    path.write_text("".join(json.dumps(turn(text), ensure_ascii=False) + "\n" for text in texts), "utf-8", newline="\n")
    (case,) = load(path)
    assert isinstance(case.stream, Conversation)
    assert [t.text for t in case.stream.sessions[0].turns] == texts


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,0 \\nul', max_size=40).map(str.encode))
def test_any_line(line: bytes) -> None:
    """Whatever stands on a line, it is an object or a fault in words that says where."""
    where = ""
    try:
        record = parse_line(line, "f:1")
    except DataError as error:
        where = error.where
    assert where == "f:1" or isinstance(record, dict)


@pytest.mark.parametrize("page", ["reference/data-format.md", "how-to/bring-your-own-data.md"])
def test_documented_examples(page: str, tmp_path: Path) -> None:
    """The examples in the documentation are files without fault."""
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    examples = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert examples != []
    for number, example in enumerate(examples):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(example, encoding="utf-8")
        assert list(Jsonl().check(path)) == []


def test_registration() -> None:
    """Both datasets are registered and fit the contract without options."""
    registry = Registry()
    memkit_register(registry)
    assert registry.names("dataset") == ["demo", "jsonl"]
    for name in registry.names("dataset"):
        registry.make("dataset", name)
