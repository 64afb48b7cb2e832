"""Dataset `swe-agent`: SWE-agent's `.traj` files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Raw, Struct

from memkit import Case, find_data_files, read_json
from memkit_plugins.trajectories.logs import Call, call_text, check_notes, make_case, make_step, run_names, said_raw

ENDINGS = (".traj", ".traj.gz")


class Ran(Struct):
    """A step of the log. The prompt that stands beside each, nearly all of the file's bytes, is not read."""

    action: str | None = None
    observation: str | None = None


class Entry(Struct):
    """A message of the log's chat; `content` stays undecoded, since the steps hold it already."""

    role: str = ""
    action: str | None = None
    tool_calls: list[Call] | None = None
    is_demo: bool = False
    content: Raw = Raw()


class Log(Struct):
    """A run: `history` is the chat of which `trajectory` are the steps."""

    trajectory: list[Ran]
    history: list[Entry] = []


class SweAgent:
    """SWE-agent's runs: a `.traj` or `.traj.gz` file, or a folder in which such files lie at any depth.

    A step's action is the tool call as the model wrote it where the history has it (`bash: {"command": ...}`), else the
    command that ran; its observation is the log's. Steps are counted from 1. The task is what stood before the first.
    """

    def load(self, path: Path | None) -> Iterator[Case]:
        """A case for each file, by name, without questions. Raises DataError naming file and key."""
        files = find_data_files(path, ENDINGS, "SWE-agent's .traj files", deep=True)
        for name, file in run_names(files, ENDINGS):
            log = read_json(file, Log)
            actions = _actions([ran.action or "" for ran in log.trajectory], log.history)
            steps = [
                make_step(number, action, ran.observation or "")
                for number, (action, ran) in enumerate(zip(actions, log.trajectory, strict=True), 1)
            ]
            yield make_case(name, str(file), _task(log.history, f"{file}: history"), steps)

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        yield from check_notes(self.load(path))


def _actions(commands: Sequence[str], history: Sequence[Entry]) -> Iterator[str]:
    """For each command the calls that made it: the next in the history that tell the same command."""
    calls = [entry for entry in history if entry.tool_calls and not entry.is_demo]
    place = 0
    for command in commands:
        found = next((n for n in range(place, len(calls)) if calls[n].action == command), None)
        if found is None:
            yield command
        else:
            yield call_text(calls[found].tool_calls or ())
            place = found + 1


def _task(history: Sequence[Entry], where: str) -> str:
    texts = []
    for entry in history:
        if entry.role == "assistant" and not entry.is_demo:
            break
        if not entry.is_demo:
            texts.append(said_raw(entry.content, where))
    return "\n\n".join(filter(None, texts))
