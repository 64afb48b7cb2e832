from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.archive import Archive
from memkit.errors import DataError
from memkit.records import Case
from memkit.registry import Registry
from memkit_plugins.trajectories import memkit_register
from memkit_plugins.trajectories.mini_swe_agent import MiniSweAgent
from memkit_plugins.trajectories.openhands import OpenHands
from memkit_plugins.trajectories.swe_agent import SweAgent


def write(path: Path, *data: Any) -> Path:
    """JSON texts, one a line, gzipped where the name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(map(json.dumps, data)).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def sides(case: Case) -> list[tuple[int, str, str]]:
    """What the steps of a case hold."""
    return [(step.index, step.action, step.observation) for step in case.stream.units]


def call(name: str, arguments: str, id: str = "c1") -> dict[str, Any]:  # noqa: A002
    """A tool call of a chat message."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


# SWE-agent.


def said(action: str, *calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The agent's message in a history."""
    return {"role": "assistant", "content": "I will.", "action": action, "tool_calls": list(calls) or None, **more}


def swe(**changes: Any) -> dict[str, Any]:
    """A run of three steps, the second of which has no tool call."""
    ran = [("bash ls", "a.py\r\nb.py\r\n"), ("str_replace_editor view /a.py", "1\tx\r\n"), ("bash ls", "a.py")]
    return {
        "environment": "main",
        "trajectory": [{"action": a, "observation": o, "query": [{"content": "long" * 50}]} for a, o in ran],
        "history": [
            {"role": "system", "content": "You are an agent."},
            {
                "role": "assistant",
                "content": "demo",
                "action": "bash ls",
                "tool_calls": [call("x", "")],
                "is_demo": True,
            },
            {"role": "user", "content": [{"type": "text", "text": "Mend it."}, {"type": "image_url"}]},
            said("bash ls", call("bash", '{"command": "ls"}')),
            {"role": "tool", "content": "a.py"},
            said("str_replace_editor view /a.py"),
            said("bash ls", call("bash", '{ "command":"ls" }')),
        ],
        "info": {"exit_status": "submitted"},
        **changes,
    }


def test_real_swe_agent(shared: Path, tmp_path: Path) -> None:
    """Observations come back from an archive as the log has them, CRLF kept; actions are the log's or its calls."""
    folder = shared / "data" / "trajectories" / "software"
    files = sorted([*folder.glob("*.traj"), *folder.glob("*.traj.gz")])
    cases = {case.stream.id: case for case in SweAgent().load(folder)}

    assert len(files) == len(cases) == 9
    for file in files:
        source = json.loads(gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes())
        case = cases[file.name.partition(".traj")[0]]
        archive = Archive(tmp_path / case.stream.id / "stream.jsonl")
        archive.extend(case.stream.units)
        steps = list(archive.units())
        assert [ran["observation"] for ran in source["trajectory"]] == [step.observation for step in steps]
        calls = [entry["tool_calls"][0]["function"] for entry in source["history"] if entry.get("tool_calls")]
        told = [f"{one['name']}: {one['arguments']}" for one in calls] or [r["action"] for r in source["trajectory"]]
        assert told == [step.action for step in steps]
    assert any("\r\n" in step.observation for step in cases["lgetter__sympy__sympy-16792"].stream.units)


def test_real_memory(shared: Path, tmp_path: Path) -> None:
    """A log of 3.8 MB, nearly all of it prompts, is read in a tenth of its size; packed, in little more than it."""
    packed = shared / "data" / "trajectories" / "software" / "lgetter__sympy__sympy-16792.traj.gz"
    plain = tmp_path / "sympy.traj"
    plain.write_bytes(gzip.decompress(packed.read_bytes()))
    peaks = []
    for path in (packed, plain):
        list(SweAgent().load(path))
        tracemalloc.start()
        list(SweAgent().load(path))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[0] < 1.3 * plain.stat().st_size
    assert peaks[1] < 0.1 * plain.stat().st_size


def test_swe_agent(tmp_path: Path) -> None:
    """The call as the model wrote it, else the command; demonstrations are no part of the run."""
    (case,) = SweAgent().load(write(tmp_path / "x.traj", swe()))
    assert [
        (1, 'bash: {"command": "ls"}', "a.py\r\nb.py\r\n"),
        (2, "str_replace_editor view /a.py", "1\tx\r\n"),
        (3, 'bash: { "command":"ls" }', "a.py"),
    ] == sides(case)
    assert ("x", "You are an agent.\n\nMend it.", None, ()) == (
        case.stream.id,
        case.stream.task,
        case.stream.success,
        case.questions,
    )


def test_swe_agent_without_history(tmp_path: Path) -> None:
    """Commands alone make a run; an empty step is left out and noted."""
    ran = [{"action": "ls", "observation": None}, {"action": "", "observation": ""}, {"observation": "Exited"}]
    path = write(tmp_path / "x.traj.gz", {"trajectory": ran})
    (case,) = SweAgent().load(path)
    assert [(1, "ls", ""), (3, "", "Exited")] == sides(case)
    assert ["x: steps with neither action nor observation were left out: 2"] == list(SweAgent().check(path))


def test_names_of_runs(tmp_path: Path) -> None:
    """Runs in folders of their own are named by file, and by folder where two files share a name."""
    for name in ("one/a.traj", "two/a.traj.gz", "two/b.traj"):
        write(tmp_path / name, swe())
    assert ["one/a", "two/a", "b"] == [case.stream.id for case in SweAgent().load(tmp_path)]


# OpenHands.


def happened(number: int, **event: Any) -> dict[str, Any]:
    """An event of a run, by the agent if nobody else is named."""
    return {"id": number, "timestamp": "2025-05-01T10:00:00", "source": "agent", **event}


def called(*calls: dict[str, Any], id: str = "c1") -> dict[str, Any]:  # noqa: A002
    """What an event tells of the response it came from."""
    return {
        "tool_call_id": id,
        "model_response": {"choices": [{"message": {"content": "", "tool_calls": list(calls)}}]},
    }


def hands(*history: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A run."""
    return {"instance_id": "pony-1", "instruction": "Mend it.", "history": list(history), "error": None, **changes}


def ending(event: dict[str, Any]) -> str:
    """The content of an observation, with the exit code of a command below it."""
    code = (event.get("extras", {}).get("metadata") or {}).get("exit_code", -1)
    ended = f"\n[Command finished with exit code {code}]" if event["observation"] == "run" and code != -1 else ""
    return event["content"] + ended


def test_real_openhands(shared: Path) -> None:
    """Every action of the agent is a step with its exact call and what it caused; refused calls are steps, too."""
    folder = shared / "data" / "trajectories" / "software"
    cases = list(OpenHands().load(folder))
    (path,) = folder.glob("*.jsonl")
    source = [json.loads(line) for line in path.read_bytes().splitlines()]

    assert [run["instance_id"] for run in source] == [case.stream.id for case in cases]
    assert [23, 34, 50] == [len(case.stream.units) for case in cases]
    for run, case in zip(source, cases, strict=True):
        seen = {event.get("cause"): ending(event) for event in run["history"] if "observation" in event}
        for event in run["history"]:
            if "action" in event and event["source"] == "agent" and event["action"] != "system":
                (made,) = event["tool_call_metadata"]["model_response"]["choices"][0]["message"]["tool_calls"]
                action = f"{made['function']['name']}: {made['function']['arguments']}"
                assert (event["id"], action, seen.get(event["id"], "")) in sides(case)
    assert () == sum((case.notes for case in cases), ())


def test_openhands(tmp_path: Path) -> None:
    """Observations go to their cause, the user's answer to the message before it; the program's own events are none."""
    run = hands(
        happened(0, action="system", args={"content": "You are"}),
        happened(1, source="user", action="message", message="Please mend it."),
        happened(2, source="user", action="recall"),
        happened(3, source="environment", observation="recall", cause=2, content="context"),
        happened(
            4,
            action="run",
            args={"command": "ls"},
            tool_call_metadata=called(call("execute_bash", '{"command": "ls"}')),
        ),
        happened(6, action="edit", tool_call_metadata=called(call("a", "1"), call("b", "2", "c2"), id="c2")),
        happened(7, observation="edit", cause=6, content="ERROR:\nno"),
        happened(8, observation="run", cause=4, content="a.py\r\n", extras={"metadata": {"exit_code": 2}}),
        happened(9, observation="error", content="Parameter 'command' is wrong."),
        happened(10, action="message", args={"content": "Shall I?"}, message="Shall I?"),
        happened(11, source="user", action="message", message="Go on."),
        happened(12, observation="run", cause=99, content="lost"),
        happened(13, source="environment", observation="agent_state_changed", content=""),
    )
    path = write(tmp_path / "output.jsonl", run)
    (case,) = OpenHands().load(path)
    assert [
        (4, 'execute_bash: {"command": "ls"}', "a.py\r\n\n[Command finished with exit code 2]"),
        (6, "b: 2", "ERROR:\nno"),
        (9, "", "Parameter 'command' is wrong."),
        (10, 'message: {"content": "Shall I?"}', "Go on."),
    ] == sides(case)
    assert ("pony-1", "Mend it.") == (case.stream.id, case.stream.task)
    assert ["pony-1: observations that no action of the agent caused were left out: 1"] == list(OpenHands().check(path))


@pytest.mark.parametrize(
    ("content", "extras", "shown"),
    [
        ("a", {"metadata": {"exit_code": 0}}, "a\n[Command finished with exit code 0]"),
        (
            "a\n[Command finished with exit code 0]",
            {"metadata": {"exit_code": 0}},
            "a\n[Command finished with exit code 0]",
        ),
        ("still running", {"metadata": {"exit_code": -1}}, "still running"),
        ("a", {"metadata": {}}, "a"),
        ("a", {"metadata": None}, "a"),
        ("a", {}, "a"),
    ],
)
def test_openhands_exit_codes(tmp_path: Path, content: str, extras: dict[str, Any], shown: str) -> None:
    """The code that the log keeps beside the content is shown once, and none for what runs on."""
    act = happened(5, action="run", args={"command": "ls"})
    path = write(
        tmp_path / "output.jsonl", hands(act, happened(6, observation="run", cause=5, content=content, extras=extras))
    )
    (case,) = OpenHands().load(path)
    assert [(5, 'run: {"command": "ls"}', shown)] == sides(case)


def test_openhands_lines(tmp_path: Path) -> None:
    """A run that is there twice is named by its line; without an instruction the first message is the task."""
    act = happened(5, action="finish", args={})
    asked = happened(1, source="user", action="message", message="Please mend it.")
    path = write(tmp_path / "output.jsonl.gz", hands(act), hands(asked, act, instruction=None))
    first, second = OpenHands().load(path)
    assert ("pony-1", "pony-1@output.jsonl.gz:2") == (first.stream.id, second.stream.id)
    assert ("Please mend it.", [(5, "finish: {}", "")]) == (second.stream.task, sides(second))


# mini-SWE-agent.


def test_real_mini_swe_agent(shared: Path) -> None:
    """Each message of the agent is a step with what came back."""
    folder = shared / "data" / "trajectories" / "software"
    (case,) = MiniSweAgent().load(folder)
    source = json.loads(next(folder.glob("*.traj.json")).read_bytes())["messages"]
    assert ("mini-swe-agent__pylint-dev__pylint-6528", 97) == (case.stream.id, len(case.stream.units))
    assert [(said["content"], back["content"]) for said, back in zip(source[2::2], source[3::2], strict=True)] == [
        (action, observation) for _, action, observation in sides(case)
    ]


def test_mini_swe_agent(tmp_path: Path) -> None:
    """The task is what came first; replies without a message of the agent between them are one observation."""
    chat = [
        ("system", "You are an agent."),
        ("user", "Mend it."),
        ("assistant", "THOUGHT: look\n\n```bash\nls\n```"),
        ("user", [{"type": "text", "text": "<returncode>0</returncode>\r\n"}]),
        ("user", "Be quick."),
        ("assistant", "THOUGHT: done"),
    ]
    messages = [{"role": role, "content": content} for role, content in chat]
    (case,) = MiniSweAgent().load(write(tmp_path / "x.traj.json", {"messages": messages, "info": {}}))
    assert [
        (1, "THOUGHT: look\n\n```bash\nls\n```", "<returncode>0</returncode>\r\n\nBe quick."),
        (2, "THOUGHT: done", ""),
    ] == sides(case)
    assert ("x", "You are an agent.\n\nMend it.") == (case.stream.id, case.stream.task)


# All three.


@given(st.lists(st.tuples(st.text(min_size=1), st.text()), min_size=1, max_size=4))
def test_any_text(tmp_path_factory: pytest.TempPathFactory, turns: list[tuple[str, str]]) -> None:
    """Whatever a log says, its steps say."""
    folder = tmp_path_factory.mktemp("logs")
    ran = [{"action": action, "observation": observation} for action, observation in turns]
    chat = [
        {"role": role, "content": text}
        for turn in turns
        for role, text in zip(("assistant", "user"), turn, strict=True)
    ]
    events = [
        event
        for number, (action, observation) in enumerate(turns)
        for event in (
            happened(2 * number, action="run", tool_call_metadata=called(call("bash", action))),
            happened(2 * number + 1, observation="run", cause=2 * number, content=observation),
        )
    ]

    (swe_case,) = SweAgent().load(write(folder / "x.traj", {"trajectory": ran}))
    (mini_case,) = MiniSweAgent().load(write(folder / "x.traj.json", {"messages": chat}))
    (hands_case,) = OpenHands().load(write(folder / "x.jsonl", hands(*events)))

    assert turns == [(action, observation) for _, action, observation in sides(swe_case)]
    assert turns == [(action, observation) for _, action, observation in sides(mini_case)]
    assert [(f"bash: {a}", o) for a, o in turns] == [(a, o) for _, a, o in sides(hands_case)]


@pytest.mark.parametrize(
    ("dataset", "name", "data", "expected"),
    [
        (SweAgent, "x.traj", {}, ": object missing required field `trajectory`; repair"),
        (
            SweAgent,
            "x.traj",
            {"trajectory": [{"action": 3}]},
            ": trajectory[0].action: expected `str | null`, got `int`",
        ),
        (SweAgent, "x.traj", {"trajectory": []}, ": this run has no steps; leave it out"),
        (SweAgent, "x.traj", swe(history=[{"role": "user", "content": 3}]), ": history: content: expected `"),
        (
            MiniSweAgent,
            "x.traj.json",
            {"messages": [{"content": ""}]},
            ": messages[0]: object missing required field `role`",
        ),
        (MiniSweAgent, "x.traj.json", {"messages": []}, ": this run has no steps; leave it out"),
        (OpenHands, "x.jsonl", {"history": []}, ":1: object missing required field `instance_id`"),
        (OpenHands, "x.jsonl", hands(happened(0, cause="a")), ":1: history[0].cause: expected `int | null`, got `str`"),
        (OpenHands, "x.jsonl", hands(), ":1: this run has no steps; leave it out"),
    ],
)
def test_faults(dataset: Any, name: str, data: Any, expected: str, tmp_path: Path) -> None:
    """A file that does not fit is one sentence with file and key."""
    path = write(tmp_path / name, data)
    with pytest.raises(DataError) as caught:
        list(dataset().load(path))
    assert str(caught.value).startswith(f"{path}{expected}")


def test_registration() -> None:
    """The datasets are registered and fit the contract without options."""
    registry = Registry()
    memkit_register(registry)
    assert ["mini-swe-agent", "openhands", "swe-agent"] == registry.names("dataset")
    for name in registry.names("dataset"):
        registry.make("dataset", name)
