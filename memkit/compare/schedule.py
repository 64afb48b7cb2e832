"""From what is not on record to jobs: streams one after the other, arms taking turns, so that drift favours none."""

from __future__ import annotations

import random
import shutil
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

from memkit.compare.arms import Arm
from memkit.compare.building import Build, BuildJob
from memkit.compare.jobs import CONNECTIONS
from memkit.compare.models import Calling, asked_models, is_ours
from memkit.compare.plan import Cell, Item, Plan
from memkit.compare.spec import Use
from memkit.compare.units import Records, memory_dir
from memkit.compare.work import AnswerJob
from memkit.registry import Registry

BATCH = 32
"""Questions a job: large enough that handing it over costs nothing, small enough to lose little and share evenly."""
BUILDS_TOGETHER = 4
"""Builds a job where a provider's model builds, which is to wait."""
Pending: TypeAlias = Sequence[tuple[Cell, Sequence[Item]]]


def pending_items(cells: Sequence[Cell], done: Records, skip: Collection[str] = ()) -> Pending:
    """What has no score on record and is not to be skipped, by judge key; what two cells share (an arm under two
    labels) is done once.
    """
    pending: list[tuple[Cell, list[Item]]] = []
    planned = set(skip)
    for cell in cells:
        items = [item for item in cell.items if item.judge_key not in planned and not _on_record(item, done)]
        planned.update(item.judge_key for item in items)
        if items:
            pending.append((cell, items))
    return pending


def turns(pending: Pending, seed: int, size: int) -> Iterator[tuple[Cell, Sequence[Item], int]]:
    """Batches of at most `size` questions with the place of their first, stream after stream.

    Within a stream every arm has its turn before any has its next, each time in another seeded order.
    """
    streams: dict[str, list[tuple[Cell, Sequence[Item]]]] = {}
    for cell, items in pending:
        streams.setdefault(cell.case.stream.id, []).append((cell, items))
    for stream, cells in streams.items():
        draw = random.Random(f"{seed}:{stream}")
        for start in range(0, max(len(items) for _, items in cells), size):
            for cell, items in draw.sample(cells, len(cells)):
                if batch := items[start : start + size]:
                    yield cell, batch, start


@frozen
class Scheduler:
    """Makes the jobs of a plan in the directory that `calling` names."""

    plan: Plan
    calling: Calling
    registry: Registry

    def build_jobs(self, pending: Pending, skip: Collection[str] = ()) -> list[BuildJob]:
        """For each memory that is not there, but those to be skipped by key."""
        builds: dict[str, Build] = {}
        for cell, _ in pending:
            key, stream = cell.build_key, cell.case.stream
            if key and key not in builds and key not in skip and not self._has_memory(key):
                name = f"{cell.arm.factors['builder'].shown}, {stream.id}"
                builds[key] = Build(key, name, cell.arm, stream)
        waiting = [one for one in builds.values() if self._builder_waits(one.arm)]
        alone = [one for one in builds.values() if one not in waiting]
        groups = [waiting[at : at + BUILDS_TOGETHER] for at in range(0, len(waiting), BUILDS_TOGETHER)]
        return [self._build_job(group) for group in (*groups, *([one] for one in alone))]

    def answer_jobs(self, pending: Pending, done: Records, size: int = BATCH) -> list[AnswerJob]:
        """For each batch of questions whose memory is there: that a build failed is on record."""
        ready = [(cell, items) for cell, items in pending if not cell.build_key or self._has_memory(cell.build_key)]
        return [self._answer_job(*turn, done) for turn in turns(ready, self.plan.spec.seed, size)]

    def _build_job(self, builds: Sequence[Build]) -> BuildJob:
        more = f" and {len(builds) - 1} more" if len(builds) > 1 else ""
        return BuildJob(f"{builds[0].name} ({builds[0].key[:8]}){more}", self.calling, tuple(builds), len(builds))

    def _answer_job(self, cell: Cell, items: Sequence[Item], start: int, done: Records) -> AnswerJob:
        spec = self.plan.spec
        first = spec.factors.models.search[0]
        numbers = f"{start + 1}-{start + len(items)}" if len(items) > 1 else f"{start + 1}"
        return AnswerJob(
            id=f"{cell.arm.label}, {cell.case.stream.id} [{numbers}]",
            calling=self.calling,
            arm=cell.arm,
            build_key=cell.build_key,
            items=tuple(items),
            known={item.answer_key: done.answer[item.answer_key] for item in items if item.answer_key in done.answer},
            judge=spec.judge,
            judge_model=spec.judge_model,
            search_model=first,
            stream=cell.case.stream if cell.arm.null else None,
            null_tokens=spec.nulls.long_context_tokens,
            at_once=CONNECTIONS if self._waits(cell.arm.factors.get("search_model", first)) else 1,
        )

    def _has_memory(self, key: str) -> bool:
        return memory_dir(self.calling.run_dir, key).is_dir()

    def _waits(self, search_model: Use) -> bool:
        """Whether a provider is asked: who asks one waits, and can do other units meanwhile."""
        judges = (use for place, use in asked_models(self.plan.spec, self.registry) if place == "judge_model")
        return not all(map(is_ours, (search_model, *judges)))

    def _builder_waits(self, arm: Arm) -> bool:
        wants = self.registry.part("builder", arm.factors["builder"].use).wants
        return "model" in wants and not is_ours(arm.factors["manage_model"])


def sweep_staging(run_dir: Path) -> None:
    """Remove what a killed run left half built."""
    memories = run_dir / "memories"
    memories.mkdir(exist_ok=True)
    for staging in memories.glob(".*"):
        shutil.rmtree(staging, ignore_errors=True)


def _on_record(item: Item, done: Records) -> bool:
    return item.judge_key in done.judge and item.answer_key in done.answer
