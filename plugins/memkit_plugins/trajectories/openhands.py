"""Dataset `openhands`: the output lines of OpenHands' evaluations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Raw, Struct

from memkit import Case, Step, decode_json, find_data_files, open_data
from memkit_plugins.trajectories.logs import Call, call_text, check_notes, make_case, make_step

ENDINGS = (".jsonl", ".jsonl.gz")
NO_STEPS = frozenset(
    {"system", "recall", "condensation", "condensation_request", "change_agent_state", "agent_state_changed"}
)
"""Actions and observations of the program around the agent."""
EXIT_CODE = "[Command finished with exit code {}]"
"""The last line that OpenHands puts below the content of a command when it shows it to its agent."""
RUNS_ON = -1
REFUSED = ("error", None)
"""Observation and cause where a call was refused before it became an action: all that the log tells of that step."""


class Reply(Struct):
    """The model's message, with its tool calls."""

    tool_calls: list[Call] | None = None


class Choice(Struct):
    """One of a response's choices, of which there is one."""

    message: Reply


class Response(Struct):
    """The model's response as it came."""

    choices: list[Choice] = []


class Called(Struct):
    """The call that an action came from."""

    tool_call_id: str = ""
    model_response: Response | None = None


class Metadata(Struct):
    """How a command ended; -1 is one that runs on."""

    exit_code: int | None = None


class Extras(Struct):
    """What a log keeps of an observation beside its content."""

    metadata: Metadata | None = None


class Event(Struct):
    """An action has `action`, an observation has `observation` and the id of its action as `cause`."""

    id: int
    source: str = ""
    action: str | None = None
    observation: str | None = None
    cause: int | None = None
    content: str | None = None
    message: str | None = None
    args: Raw = Raw()
    tool_call_metadata: Called | None = None
    extras: Extras | None = None


class Run(Struct):
    """A line: one run."""

    instance_id: str
    history: list[Event]
    instruction: str | None = None


class OpenHands:
    """OpenHands' runs: a `.jsonl` or `.jsonl.gz` file of its evaluation outputs, a run a line, or a folder of them.

    A step's action is the tool call as the model wrote it (`execute_bash: {"command": ...}`), else the event's kind and
    arguments; its observation is the content of the events it caused, below that of a command its exit code, as the
    agent was shown it. A call that was refused before it became an event is a step without action. A step's number is
    the id of its event. The task is the instruction.
    """

    def load(self, path: Path | None) -> Iterator[Case]:
        """A case for each line, in the order of files and lines, without questions. Raises DataError with its place."""
        taken: set[str] = set()
        for file in find_data_files(path, ENDINGS, "OpenHands' output.jsonl"):
            with open_data(file) as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        where = f"{file}:{number}"
                        run = decode_json(line, Run, where=where)
                        name = run.instance_id
                        name = name if name not in taken else f"{name}@{file.name}:{number}"
                        taken.add(name)
                        yield _case(name, where, run)

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        yield from check_notes(self.load(path))


def _case(name: str, where: str, run: Run) -> Case:
    steps: list[Step] = []
    replies = _replies(run.history)
    for event in run.history:
        number = max(event.id, steps[-1].index + 1) if steps else event.id
        if _acts(event):
            steps.append(make_step(number, _action(event), "\n".join(replies.pop(event.id, ()))))
        elif (event.observation, event.cause) == REFUSED:
            steps.append(make_step(number, "", event.content or ""))
    lost = sum(map(len, replies.values()))
    notes = [f"observations that no action of the agent caused were left out: {lost}"] if lost else []
    return make_case(name, where, run.instruction or _asked(run.history), steps, notes)


def _acts(event: Event) -> bool:
    return event.source == "agent" and bool(event.action) and event.action not in NO_STEPS


def _replies(history: Sequence[Event]) -> dict[int | None, list[str]]:
    """What came back, by the id of the action: the observations it caused, and the user's answer to a message."""
    replies = defaultdict[int | None, list[str]](list)
    asked: int | None = None
    for event in history:
        if event.observation and event.observation not in NO_STEPS and (event.observation, event.cause) != REFUSED:
            replies[event.cause].append(_shown(event))
        elif event.action == "message" and event.source == "user" and asked is not None:
            replies[asked].append(event.message or "")
        if event.action:
            asked = event.id if _acts(event) and event.action == "message" else None
    return replies


def _shown(event: Event) -> str:
    """The content of an observation, with the exit code that the log keeps beside it."""
    content = event.content or ""
    code = event.extras.metadata.exit_code if event.extras and event.extras.metadata else None
    if event.observation != "run" or code in (None, RUNS_ON):
        return content
    ending = EXIT_CODE.format(code)
    return content if ending in content else f"{content}\n{ending}"


def _action(event: Event) -> str:
    """The call that the event came from, of the several that a response may hold, else its kind and arguments."""
    called = event.tool_call_metadata
    choices = called.model_response.choices if called and called.model_response else []
    calls = [call for choice in choices for call in choice.message.tool_calls or ()]
    if called and len(calls) > 1:
        calls = [call for call in calls if call.id == called.tool_call_id] or calls
    return call_text(calls) if calls else f"{event.action}: {bytes(event.args).decode()}".rstrip()


def _asked(history: Sequence[Event]) -> str:
    texts = (event.message or "" for event in history if event.action == "message" and event.source == "user")
    return next(texts, "")
