"""Dataset `mini-swe-agent`: the `.traj.json` files of mini-SWE-agent, which are chats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from memkit import Case, Step, find_data_files, read_json
from memkit_plugins.trajectories.logs import Said, check_notes, make_case, make_step, run_names, said

ENDINGS = (".traj.json", ".traj.json.gz")


class Message(Struct):
    """A message of the chat."""

    role: str
    content: Said = None


class Log(Struct):
    """A run: what was said, in order."""

    messages: list[Message]
    instance_id: str = ""


class MiniSweAgent:
    """mini-SWE-agent's runs: a `.traj.json` file, or a folder in which such files lie at any depth.

    A step's action is the agent's whole message, its thought and its block of bash; its observation is what came back.
    Steps are counted from 1. The task is what stood before the first.
    """

    def load(self, path: Path | None) -> Iterator[Case]:
        """A case for each file, by name, without questions. Raises DataError naming file and key."""
        files = find_data_files(path, ENDINGS, "mini-SWE-agent's .traj.json files", deep=True)
        for name, file in run_names(files, ENDINGS):
            messages = read_json(file, Log).messages
            first = next((n for n, message in enumerate(messages) if message.role == "assistant"), len(messages))
            task = "\n\n".join(filter(None, (said(message.content) for message in messages[:first])))
            yield make_case(name, str(file), task, list(_steps(messages[first:])))

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        yield from check_notes(self.load(path))


def _steps(messages: Sequence[Message]) -> Iterator[Step]:
    """Each message of the agent with what came before the next; more messages than one are joined by a line break."""
    turns: list[tuple[str, list[str]]] = []
    for message in messages:
        if message.role == "assistant":
            turns.append((said(message.content), []))
        else:
            turns[-1][1].append(said(message.content))
    for number, (action, replies) in enumerate(turns, 1):
        yield make_step(number, action, "\n".join(replies))
