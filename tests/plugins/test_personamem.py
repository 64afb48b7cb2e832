from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import ConfigError, DataError
from memkit.records import Case, Question
from memkit.registry import Registry
from memkit.transcript import render_turn
from memkit_plugins.personamem import memkit_register
from memkit_plugins.personamem.contexts import Said, make_sessions
from memkit_plugins.personamem.personamem import PersonaMem
from memkit_plugins.personamem.questions import COLUMNS, parse_options, read_questions

PERSONA = "Current user persona: Ana flies kites."
MESSAGES = [
    ("system", PERSONA),
    ("user", "User: I bought a red kite."),
    ("assistant", "Assistant: How nice!"),
    ("system", PERSONA),
    ("user", "User: The kite tore."),
    ("user", "User: I mended it."),
    ("assistant", "Well done."),
]
Write = Callable[..., Path]


def row(number: int = 1, end: int = 7, context: str = "c" * 64, **changes: Any) -> dict[str, Any]:
    """A row of the CSV; only its letters and ends matter."""
    values = {
        "question_id": f"question-{number}",
        "question_type": "recall",
        "user_question_or_message": "How is my kite?",
        "correct_answer": "(b)",
        "all_options": str(["(a) It is lost.", "(b) It's mended, isn't it?"]),
        "shared_context_id": context,
        "end_index_in_shared_context": str(end),
    }
    return {**values, **changes}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write questions and one context into a folder and name it."""

    def write(rows: Sequence[dict[str, Any]], messages: Sequence[tuple[str, str]] = MESSAGES) -> Path:
        with (tmp_path / "questions_32k.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["persona_id", *COLUMNS])
            writer.writeheader()
            writer.writerows({"persona_id": 0, **row} for row in rows)
        said = [{"role": role, "content": content} for role, content in messages]
        (tmp_path / "contexts.jsonl").write_text(json.dumps({"c" * 64: said}) + "\n\n", encoding="utf-8")
        return tmp_path

    return write


def load(path: Path, **options: Any) -> list[Case]:
    """Every case of a path."""
    return list(PersonaMem(**options).load(path))


def fault(path: Path | None) -> str:
    """What is said of a path that cannot be loaded."""
    with pytest.raises(DataError) as caught:
        list(PersonaMem().load(path))
    return str(caught.value)


def test_real_questions(shared: Path) -> None:
    """The CSV holds 589 questions of seven types about 37 contexts; each gold is among different options."""
    asked = list(read_questions(shared / "data" / "personamem" / "questions_32k.csv"))
    assert (589, 589, 37) == (len(asked), len({a.question.id for a in asked}), len({a.context for a in asked}))
    assert Counter(a.question.category for a in asked) == {
        "track_full_preference_evolution": 139,
        "recall_user_shared_facts": 129,
        "recalling_the_reasons_behind_previous_updates": 99,
        "suggest_new_ideas": 93,
        "generalizing_to_new_scenarios": 57,
        "provide_preference_aligned_recommendations": 55,
        "recalling_facts_mentioned_by_the_user": 17,
    }
    assert Counter(len(a.question.options) for a in asked) == {4: 572, 3: 17}
    assert 17 == sum(a.repeats for a in asked)
    assert all(a.question.gold in a.question.options for a in asked)


def test_real_terminal_checkpoint(shared: Path) -> None:
    """The one context that is there gives five questions at its last checkpoint, and five sessions of its messages."""
    (case,) = load(shared / "data" / "personamem")
    assert ("e898d03fec68-182", 5) == (case.stream.id, len(case.questions))
    assert [46 + 1, 30, 30, 44, 27] == [len(session.turns) for session in case.stream.units]  # one persona text
    assert ("36 of 37 contexts are in no .jsonl file; their 580 questions were left out",) == case.notes


def test_real_checkpoints(shared: Path) -> None:
    """All nine questions of the context are asked, at five checkpoints, each stream the beginning of the next."""
    cases = load(shared / "data" / "personamem", checkpoint="all")
    assert [(159, 1), (168, 1), (169, 1), (171, 1), (182, 5)] == [
        (int(case.stream.id.rpartition("-")[2]), len(case.questions)) for case in cases
    ]
    turns = [[turn for session in case.stream.units for turn in session.turns] for case in cases]
    for shorter, longer in pairwise(turns):
        assert shorter == longer[: len(shorter)]


def test_real_turns_read_as_written(shared: Path) -> None:
    """A rendered turn is its locator and the content as the source has it; the locator counts the block's messages."""
    data = shared / "data" / "personamem"
    (line,) = (data / "derived_shared_context_e898d03f.jsonl").read_text(encoding="utf-8").splitlines()
    (messages,) = json.loads(line).values()
    starts = [place for place, message in enumerate(messages) if message["role"] == "system"]
    (case,) = load(data)
    for session in case.stream.units:
        for turn in session.turns:
            message = messages[starts[turn.locator.group - 1] + turn.locator.index - 1]
            prefix = "System: " if message["role"] == "system" else ""
            assert f"{turn.locator} {prefix}{message['content']}" == render_turn(turn)


def test_records(write: Write) -> None:
    """Options lose their letters, the gold is the option of its letter, and the persona is said once."""
    (case,) = load(write([row()]))
    options = ("It is lost.", "It's mended, isn't it?")
    expected = Question("question-1", "How is my kite?", gold=options[1], options=options, category="recall")
    assert (expected,) == case.questions
    assert [
        f"[B1M1] System: {PERSONA}",
        "[B1M2] User: I bought a red kite.",
        "[B1M3] Assistant: How nice!",
        "[B2M2] User: The kite tore.",
        "[B2M3] User: I mended it.",
        "[B2M4] Assistant: Well done.",
    ] == [render_turn(turn) for session in case.stream.units for turn in session.turns]
    assert () == case.notes


def test_a_checkpoint_hides_what_comes_after(write: Write) -> None:
    """Messages from the end index on are no part of the stream; terminal is the greatest end of a context."""
    path = write([row(1, end=2), row(2, end=5), row(3, end=5)])
    (case,) = load(path)
    assert [2, 3] == [int(question.id[-1]) for question in case.questions]
    assert [3, 1] == [len(session.turns) for session in case.stream.units]
    assert [1, 2] == [len(case.questions) for case in load(path, checkpoint="all")]


def test_sessions_without_news() -> None:
    """A block that only repeats the persona is no session; a new persona is; a block may begin without one."""
    said = [Said("user", "Hi"), *(Said("system", text) for text in ("one", "one", "two"))]
    assert [(1, "[B1M1]"), (2, "[B2M1]"), (4, "[B4M1]")] == [
        (session.number, str(session.turns[0].locator)) for session in make_sessions(said)
    ]


@given(st.lists(st.builds(Said, st.sampled_from(("system", "user", "assistant")), st.text(max_size=5))))
def test_no_message_is_lost(messages: list[Said]) -> None:
    """Every message of user and assistant is one turn, in order; locators are unique."""
    turns = [turn for session in make_sessions(messages) for turn in session.turns]
    kept = [message for message in messages if message.role != "system"]
    assert len(kept) == sum(turn.speaker != "System" for turn in turns)
    assert len(turns) == len({turn.locator for turn in turns})
    assert turns == sorted(turns, key=lambda turn: turn.locator)


def test_an_option_offered_twice(write: Write) -> None:
    """Equal options are one option, whatever their letters, and the note says so."""
    options = str(["(a) Yes.", "(b) No.", "(c) No.", "(d) Perhaps."])
    (case,) = load(write([row(all_options=options, correct_answer="(c)")]))
    assert [(("Yes.", "No.", "Perhaps."), "No.")] == [(q.options, q.gold) for q in case.questions]
    assert ["question question-1 repeats an option, which is offered once"] == list(
        PersonaMem().check(write([row(all_options=options)]))
    )


@pytest.mark.parametrize(
    "text", ["", "None", "{}", "['(a) x', 'y']", "['(a) x', '(a) y']", "[(1)]", "__import__('os')", "(" * 10_000]
)
def test_what_is_no_list_of_options(text: str) -> None:
    """Only a list of lettered texts is one; nothing is run."""
    with pytest.raises(ValueError):
        parse_options(text)


@given(st.lists(st.text(min_size=1).filter(lambda text: text == text.strip() != ""), min_size=2, max_size=5))
def test_options_as_python_writes_them(texts: list[str]) -> None:
    """Whatever the texts hold, quotes of both kinds too, they come back under their letters."""
    lettered = dict(zip("abcde", texts, strict=False))
    assert lettered == parse_options(str([f"({letter}) {text}" for letter, text in lettered.items()]))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"all_options": "x"}, 'all_options must be a list such as ["(a) Tea.", "(b) Milk."]; get the file anew'),
        ({"all_options": "['(b) x']"}, "there is no choice among fewer than two options; get the file anew"),
        ({"correct_answer": "(e)"}, "correct_answer 'e' is the letter of no option; get the file anew"),
        (
            {"end_index_in_shared_context": "-1"},
            "end_index_in_shared_context '-1' is no whole number; get the file anew",
        ),
        ({"question_id": ""}, "question_id is empty; get the file anew"),
        (
            {"end_index_in_shared_context": "8"},
            "the question is asked after message 8, but its context has 7; get both files anew",
        ),
    ],
)
def test_faulty_rows(changes: dict[str, str], expected: str, write: Write) -> None:
    """A row that does not fit is one sentence that names the line and the mend."""
    path = write([row(**changes)])
    assert f"{path}/questions_32k.csv:2: {expected}" == fault(path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", ":1: this line is not JSON; get the file anew"),
        ("[]", ":1: expected an object that maps a context's id to its messages"),
        ('{"%s": 3}', ":1: %s: expected a list of messages; get the file anew"),
        ('{"%s": [{"role": "tool", "content": ""}]}', ":1: %s[0]: expected a text 'content' and a 'role' of"),
        ('{"%s": []}\n{"%s": [{"role": "user", "content": ""}]}', ":2: another context of the id %s was read before"),
    ],
)
def test_faulty_contexts(line: str, expected: str, write: Write) -> None:
    """A context that does not fit is one sentence that names file and line."""
    path = write([row()])
    (path / "contexts.jsonl").write_text(line.replace("%s", "c" * 64))
    assert fault(path).startswith(f"{path}/contexts.jsonl{expected.replace('%s', 'c' * 64)}")


def test_paths(write: Write, tmp_path: Path) -> None:
    """The CSV itself may be named; no path, a missing one, a folder of none or two CSVs are told apart."""
    empty = tmp_path / "empty"
    empty.mkdir()
    faults = [fault(path) for path in (None, empty / "gone", empty)]
    folder = write([row()])
    assert load(folder) == load(folder / "questions_32k.csv")
    (folder / "questions_128k.csv").write_bytes((folder / "questions_32k.csv").read_bytes())
    assert [
        "PersonaMem needs a path: the folder that holds its questions_*.csv and its contexts (.jsonl)",
        f"{empty}/gone: there is no such file or folder; give the folder of PersonaMem's files",
        f"{empty}: this folder holds 0 files questions_*.csv; name the one to load",
        f"{folder}: this folder holds 2 files questions_*.csv; name the one to load",
    ] == [*faults, fault(folder)]


def test_files_that_are_something_else(write: Write) -> None:
    """Another CSV, bytes that are no text, and a folder without the contexts are told apart."""
    path = write([row()])
    (path / "contexts.jsonl").unlink()
    faults = [fault(path)]
    for content in (b"a,b\n1,2\n", b"\xff\xfe\x00"):
        (path / "questions_32k.csv").write_bytes(content)
        faults.append(fault(path))
    csv_file = f"{path}/questions_32k.csv"
    assert f"{csv_file}: no .jsonl file beside it holds a context of its questions; get them" == faults[0]
    assert f"{csv_file}:1: there is no column 'question_id'; this is not PersonaMem's CSV" == faults[1]
    assert faults[2].startswith(f"{csv_file}: the file cannot be read (")


def test_registration() -> None:
    """The dataset is made by name, and a checkpoint that does not exist is told in words."""
    registry = Registry()
    memkit_register(registry)
    assert isinstance(registry.make("dataset", "personamem", {"checkpoint": "all"}), PersonaMem)
    with pytest.raises(ConfigError) as caught:
        registry.make("dataset", "personamem", {"checkpoint": "first"})
    assert "options of dataset 'personamem': checkpoint: must be one of 'terminal', 'all'" == str(caught.value)
