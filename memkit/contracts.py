"""What each part of an agent's memory must do: the Protocols that plugins fill.

A class needs no base class; it fits when its methods do. Constructors take options as keyword
arguments, and may ask for what the caller chose by naming a parameter `model` or `harness`
(see `memkit.registry.Registry.make`). Anything a plugin raises that is not a `MemkitError` is
reported as that plugin's bug.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from memkit.records import (
    Answer,
    Case,
    Completion,
    Episode,
    Layout,
    Observation,
    Question,
    Receipt,
    Request,
    Role,
    ToolSpec,
    Unit,
    Verdict,
)

if TYPE_CHECKING:
    from memkit.memory import Memory


@runtime_checkable
class Builder(Protocol):
    """The management role: M_t = pi(M_{t-1}, x_t; H)."""

    @property
    def layout(self) -> Layout:
        """The shape of the store it makes; a plain class attribute will do."""
        ...

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Take in one unit. Called in stream order, once for each unit; the unit is already in the archive.

        Called again with the same unit only after a crash inside the first call, so it must be
        safe to repeat; where `layout` is `none`, several of the last units may come again.
        Raise StoreError or ModelError when nothing could be stored.
        """
        ...

    async def consolidate(self, memory: Memory) -> None:
        """Finish the store after the last unit; called again after more units have come."""
        ...


@runtime_checkable
class Searcher(Protocol):
    """The search role: (a, C) = pi'(M, q; H').

    One that computes over an event ledger says so by a class attribute `computes`, which is True.
    """

    async def answer(self, memory: Memory, question: Question) -> Answer:
        """Answer from the store alone. Must not read `question.gold`, `question.evidence` or `question.defect`.

        Several questions may be asked at the same time, in one event loop, while a provider's model is waited for.
        """
        ...


@runtime_checkable
class Executor(Protocol):
    """The execution role: acts in an environment with the guidance a search gave."""

    async def attempt(self, task: str, guidance: str, environment: Environment) -> Episode:
        """Attempt `task` until the environment says it is over or a limit is met."""
        ...


@runtime_checkable
class Environment(Protocol):
    """A world to act in. One object serves one attempt at a time."""

    def reset(self, task: str) -> Observation:
        """Start `task` afresh and show the first observation."""
        ...

    def act(self, action: str) -> Observation:
        """Take one action. An action that is not admissible is an observation, not an exception."""
        ...


@runtime_checkable
class Tool(Protocol):
    """One function a model may call."""

    @property
    def spec(self) -> ToolSpec:
        """What the model is told of it."""
        ...

    async def __call__(self, arguments: Mapping[str, Any]) -> str:
        """Run with arguments that already fit `spec.parameters`; raise ToolError with the text for the model."""
        ...


@runtime_checkable
class Harness(Protocol):
    """The tools a role gets over a memory."""

    def misfit(self, role: Role, layout: Layout) -> str | None:
        """Why this harness cannot serve `role` over a store of `layout`, in a few words; None when it can."""
        ...

    def tools(self, role: Role, memory: Memory) -> Sequence[Tool]:
        """The tools of `role`, in the order they are described to the model."""
        ...


@runtime_checkable
class Model(Protocol):
    """Whatever completes messages with tools; the policy behind a role."""

    @property
    def name(self) -> str:
        """Its whole name, as the user gave it."""
        ...

    async def complete(self, request: Request) -> Completion:
        """One reply. Raises ModelError; must not change `request`."""
        ...


@runtime_checkable
class Dataset(Protocol):
    """Streams with questions, read from a path the user named (None for data that ships with the plugin)."""

    def load(self, path: Path | None) -> Iterator[Case]:
        """Each stream with its questions, always in the same order. Raises DataError naming file and place."""
        ...


@runtime_checkable
class Judge(Protocol):
    """Scores an answer against the gold."""

    async def judge(self, question: Question, answer: Answer, memory: Memory | None) -> Verdict:
        """Scores by name in [0, 1]. `memory` is there to resolve citations; None for the null rows without a store."""
        ...


@runtime_checkable
class Runner(Protocol):
    """Where the cells of a comparison run."""

    def run(self, jobs: Sequence[Job]) -> Generator[JobResult]:
        """Run every job, in any order, and yield each result as it comes.

        Closing the generator lets started jobs finish and starts no more; a KeyboardInterrupt inside it ends them
        where they are. A job that raises, or whose process dies, yields its error as text; only a runner that cannot
        go on raises.
        """
        ...


@runtime_checkable
class Job(Protocol):
    """A picklable piece of work. `run` may happen in another process."""

    @property
    def id(self) -> str:
        """Unlike that of any other job of the run."""
        ...

    def run(self) -> Any:
        """Do it and return something picklable."""
        ...


class JobResult(Protocol):
    """What became of a job: its value, or an error text."""

    @property
    def id(self) -> str:
        """The job's."""
        ...

    @property
    def value(self) -> Any:
        """What the job returned; None when it failed."""
        ...

    @property
    def error(self) -> str | None:
        """What went wrong, for a person; None when nothing did."""
        ...


def members(contract: type) -> frozenset[str]:
    """The names a class must have to fit `contract`."""
    return frozenset(name for name in vars(contract) if not name.startswith("_"))
