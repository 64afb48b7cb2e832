from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import DataError
from memkit.records import Case
from memkit.registry import Registry
from memkit_plugins.alfworld_log import memkit_register
from memkit_plugins.alfworld_log.alfworld_log import AlfworldLog
from memkit_plugins.alfworld_log.transcript import Transcript, parse_transcript

TEXT = """You are in the middle of a room.
Your task is to: put a mug in the sink.
> think: First I need a mug.
OK.
> go to shelf 1
On the shelf 1, you see a mug 1.
It is old.
> look
"""


def run(**changes: Any) -> dict[str, Any]:
    """A run of two steps."""
    steps = [
        {"step": 1, "observation": "A room.", "action_taken": "look", "next_observation": "A shelf 1.", "score": 0},
        {"step": 2, "observation": "A shelf 1.", "action_taken": "go to shelf 1", "next_observation": "You arrive."},
    ]
    return {
        "game_id": 15,
        "initial_obs": "A room.\n\nYour task is to: look.",
        "steps": steps,
        "result": "success",
    } | changes


def write(path: Path, data: Any) -> Path:
    """A JSON file."""
    path.write_text(json.dumps(data))
    return path


def sides(case: Case) -> list[tuple[int, str, str]]:
    """What the steps of a case hold."""
    return [(step.index, step.action, step.observation) for step in case.stream.units]


def test_real_runs(shared: Path) -> None:
    """Runs, steps and verdicts are those of the list, and the texts those of the file."""
    path = shared / "data" / "trajectories" / "embodied"
    cases = list(AlfworldLog().load(path))
    source = json.loads((path / "alfworld_react_all_failures.json").read_bytes())

    assert (28, 766) == (len(cases), sum(len(case.stream.units) for case in cases))
    assert {True: 7, False: 21} == Counter(case.stream.success for case in cases)
    assert [
        [(step["step"], step["action_taken"], step["next_observation"]) for step in one["steps"]] for one in source
    ] == [sides(case) for case in cases]


def test_real_texts(shared: Path) -> None:
    """Every action line of the prompts is a step, and the list of lessons beside them has none."""
    folder = shared / "data" / "trajectories" / "embodied" / "reflexion"
    cases = list(AlfworldLog().load(folder))
    source = json.loads((folder / "alfworld_3prompts.json").read_bytes())

    assert (36, 481) == (len(cases), sum(len(case.stream.units) for case in cases))
    assert list(source) == [case.stream.id for case in cases]
    for case, text in zip(cases, source.values(), strict=True):
        lines = [line for _, action, seen in sides(case) for line in (f"> {action}", *seen.split("\n")) if line]
        assert [line for line in text.split("\n") if line] == [*case.stream.task.split("\n"), *lines]


def test_text(tmp_path: Path) -> None:
    """Thoughts are steps like others; an observation may have any number of lines."""
    (case,) = AlfworldLog().load(write(tmp_path / "prompts.json", {"react_put_0": TEXT}))
    assert "You are in the middle of a room.\nYour task is to: put a mug in the sink." == case.stream.task
    assert ("react_put_0", None) == (case.stream.id, case.stream.success)
    assert [
        (1, "think: First I need a mug.", "OK."),
        (2, "go to shelf 1", "On the shelf 1, you see a mug 1.\nIt is old."),
        (3, "look", ""),
    ] == sides(case)


def test_run(tmp_path: Path) -> None:
    """A run keeps its steps' own numbers; a run without a number is called by its place."""
    path = write(tmp_path / "runs.json", [run(), run(game_id=None, result=None)])
    first, second = AlfworldLog().load(path)
    assert [(1, "look", "A shelf 1."), (2, "go to shelf 1", "You arrive.")] == sides(first)
    assert ("alfworld-15", True, "A room.\n\nYour task is to: look.") == (
        first.stream.id,
        first.stream.success,
        first.stream.task,
    )
    assert ("alfworld-2", None, ()) == (second.stream.id, second.stream.success, second.questions)
    assert [] == list(AlfworldLog().check(path))


lines = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=20)
plain = lines.filter(lambda line: not line.startswith("> "))


@given(st.lists(plain, min_size=1, max_size=3), st.lists(st.tuples(lines, st.lists(plain, max_size=3)), max_size=5))
def test_parse(opening: list[str], turns: list[tuple[str, list[str]]]) -> None:
    """What is written line by line is read back, whatever the lines say."""
    written = [*opening, *(line for action, seen in turns for line in (f"> {action}", *seen))]
    expected = Transcript("\n".join(opening), tuple((action, "\n".join(seen)) for action, seen in turns))
    assert expected == parse_transcript("\n".join(written) + "\n")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([run(), run()], ": two runs are called 'alfworld-15'; rename one"),
        ([run(steps=[{"step": 1}])], ": [0].steps[0]: object missing required field `action_taken`; repair"),
        ([run(steps=run()["steps"][::-1])], ": [0]: step 1 comes after step 2; repair the file"),
        ([{"name": "env_0", "memory": [], "is_success": True}], ": there is no run with steps; give the path to"),
        ({"react": "no action"}, ": there is no run with steps; give the path to"),
        (3, ": expected `"),
    ],
)
def test_faults(tmp_path: Path, data: Any, expected: str) -> None:
    """A file that does not fit is one sentence with file and place."""
    path = write(tmp_path / "log.json", data)
    with pytest.raises(DataError) as caught:
        list(AlfworldLog().load(path))
    assert str(caught.value).startswith(f"{path}{expected}")


def test_registration() -> None:
    """The dataset is registered and fits the contract without options."""
    registry = Registry()
    memkit_register(registry)
    assert isinstance(registry.make("dataset", "alfworld-log"), AlfworldLog)
