"""The dataset: each episode is a trajectory with its twelve questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from attrs import frozen

from memkit import Case, DataError, Locator, Question, Step, Trajectory, cited_steps, reference_load
from memkit_plugins.ama_bench.episodes import Episode, Pair, read_episodes

Family: TypeAlias = Literal["all", "alfworld", "games", "spider2", "webarena", "swebench", "gaia"]
FAMILIES: dict[str, Family] = {
    "Embodied AI": "alfworld",
    "Gaming": "games",
    "Game": "games",
    "Text 2 SQL": "spider2",
    "Web Task Execution": "webarena",
    "Software Engineering": "swebench",
    "Open World Tool QA": "gaia",
}
"""The family of each domain, as the source calls it."""

TYPES = {"A": "A recall", "B": "B causal inference", "C": "C state updating", "D": "D state abstraction"}
"""What the source's letters stand for, on its own site."""


@frozen
class AmaBench:
    """AMA-Bench: a folder of its task JSONs, one of them, a .tar.xz or a .jsonl of them; a stream is an episode.

    `family` takes one of the six families. A step's number is its `turn_idx`, which is what questions mean by step
    and turn. The evidence of a question are the steps that its gold answer cites.
    """

    family: Family = "all"

    def __attrs_post_init__(self) -> None:
        if self.family not in get_args(Family):
            raise ValueError(f"no family is called {self.family!r}; there are: {', '.join(get_args(Family))}")

    def load(self, path: Path | None) -> Iterator[Case]:
        """Each episode in the order of files, one in memory at a time. Raises DataError naming file and key."""
        taken: set[str] = set()
        for name, where, episode in read_episodes(path):
            if name in taken:
                raise DataError(f"two episodes are called {name!r}; rename one", where=where)
            taken.add(name)
            if self.family in ("all", FAMILIES.get(episode.domain)):
                yield _case(name, where, episode)

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        for case in self.load(path):
            yield from (f"{case.stream.id}: {note}" for note in case.notes)


def _case(name: str, where: str, episode: Episode) -> Case:
    steps: list[Step] = []
    empty: list[str] = []
    for turn in episode.trajectory:
        if steps and turn.turn_idx <= steps[-1].index:
            raise DataError(f"turn_idx {turn.turn_idx} comes after {steps[-1].index}; repair the file", where=where)
        if not turn.action and not turn.observation:
            empty.append(str(turn.turn_idx))
            continue
        locator = Locator("step", 0, turn.turn_idx)
        steps.append(Step(locator, turn.turn_idx, turn.action or "", turn.observation or ""))
    notes = (f"steps with neither action nor observation were left out: {', '.join(empty)}",) if empty else ()
    success = episode.success if episode.state is None else episode.state == "success"
    held = {step.index for step in steps}
    questions = tuple(_question(f"{name}-q{n}", pair, held) for n, pair in enumerate(episode.qa_pairs, 1))
    return Case(Trajectory(name, episode.task, tuple(steps), success), questions, notes)


def _question(name: str, pair: Pair, held: set[int]) -> Question:
    evidence = tuple(Locator("step", 0, step) for step in cited_steps(pair.answer) if step in held)
    category = TYPES.get(pair.type, pair.type)
    load = reference_load(pair.answer)
    return Question(name, pair.question, gold=pair.answer, evidence=evidence, category=category, load=load)
