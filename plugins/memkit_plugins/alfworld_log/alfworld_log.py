"""The dataset: each run, or each demonstration of a prompt, is a trajectory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from memkit import Case, DataError, Locator, Step, Trajectory, find_data_files, read_json
from memkit_plugins.alfworld_log.transcript import parse_transcript

_WHAT = "ALFWorld logs: a JSON list of runs, a JSON map of prompt texts, or a folder of them"


class Taken(Struct):
    """A step of a run; its observation is what came after the action."""

    step: int
    action_taken: str
    next_observation: str


class Run(Struct):
    """An item of the list. The list of another kind, of lessons without steps, has neither key."""

    game_id: int | str | None = None
    steps: list[Taken] | None = None
    initial_obs: str = ""
    result: str | None = None


class AlfworldLog:
    """ALFWorld runs: a JSON list of ReAct runs, a JSON map of Reflexion's prompt texts, or a folder of such files.

    A run is called `alfworld-` and its game's number; a step's action is `action_taken`, its observation
    `next_observation`. A text is called by its key; a step's action is what stands behind `> `, thoughts included, and
    its steps are counted from 1. The task is all that stood before the first action, the room with it.
    """

    def load(self, path: Path | None) -> Iterator[Case]:
        """Each run, in the order of files, without questions. Raises DataError naming file and key."""
        taken: set[str] = set()
        for file in find_data_files(path, (".json",), _WHAT):
            for case in _read(file):
                if case.stream.id in taken:
                    raise DataError(f"two runs are called {case.stream.id!r}; rename one", where=str(file))
                taken.add(case.stream.id)
                yield case
        if not taken:
            raise DataError(f"there is no run with steps; give the path to {_WHAT}", where=str(path))

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        for case in self.load(path):
            yield from (f"{case.stream.id}: {note}" for note in case.notes)


def _read(file: Path) -> Iterator[Case]:
    data: list[Run] | dict[str, str] = read_json(file, list[Run] | dict[str, str])  # type: ignore[arg-type]
    if isinstance(data, dict):
        for name, text in data.items():
            told = parse_transcript(text)
            steps = _steps(((number, *turn) for number, turn in enumerate(told.turns, 1)), f"{file}: {name}")
            if steps:
                yield Case(Trajectory(name, told.opening, steps), ())
        return
    for place, run in enumerate(data):
        taken = ((one.step, one.action_taken, one.next_observation) for one in run.steps or ())
        if steps := _steps(taken, f"{file}: [{place}]"):
            name = f"alfworld-{place + 1 if run.game_id is None else run.game_id}"
            success = None if run.result is None else run.result == "success"
            yield Case(Trajectory(name, run.initial_obs, steps, success), ())


def _steps(turns: Iterable[tuple[int, str, str]], where: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    for number, action, observation in turns:
        if steps and number <= steps[-1].index:
            raise DataError(f"step {number} comes after step {steps[-1].index}; repair the file", where=where)
        steps.append(Step(Locator("step", 0, number), number, action, observation))
    return tuple(steps)
