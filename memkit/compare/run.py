"""Running a comparison: do what is not done yet, in a directory that survives being killed.

```
runs/<name>-<id>/  spec.yaml  plan.json  events.jsonl  .lock
  units/<stage>/   segments of finished units      memories/<key>/  each built memory
  results/         items.jsonl and summary.json, derived and rebuilt at every run
```
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import define, field, frozen

from memkit.compare.plan import Cell, Item, Plan
from memkit.compare.units import Records, UnitLog, memory_dir
from memkit.contracts import Runner
from memkit.converter import make_converter
from memkit.errors import UserError
from memkit.store.atomic import write_file
from memkit.store.lock import Lock

if TYPE_CHECKING:
    from memkit.compare.work import AnswerJob, BuildJob

SPEC_FILE = "spec.yaml"
BATCH = 32
"""Questions a job: large enough that handing it over costs nothing, small enough to lose little and share evenly."""
LOCK_SECONDS = 1.0
"""A second run of the same comparison is refused rather than left waiting."""

Stage: TypeAlias = Literal["build", "answer"]
Progress: TypeAlias = Callable[[Stage, int, int], None]
"""Called with the stage, the units done in this run, and the units this run has to do."""
Pending: TypeAlias = list[tuple[Cell, list[Item]]]


def ignore_progress(stage: Stage, done: int, total: int) -> None:
    """For callers that show none."""


@frozen
class Outcome:
    """What a run did: units executed now, units that failed, whether it was interrupted, and all that is on record."""

    directory: Path
    built: int
    answered: int
    errors: tuple[str, ...]
    interrupted: bool
    records: Records = field(repr=False)


@define
class Run:
    """One comparison in its directory. `execute` may be called by any number of processes, one at a time."""

    plan: Plan
    runner: Runner
    directory: Path
    on_progress: Progress = ignore_progress
    offline: bool = False
    accept_unsandboxed: bool = False
    keeps_spec: bool = False
    """Leave `spec.yaml` and `plan.json` as they are: the plan is not the run's own."""
    _errors: list[str] = field(factory=list, init=False)
    _interrupted: bool = field(default=False, init=False)

    def execute(self) -> Outcome:
        """Build and answer what the log lacks.

        Raises LockTimeout when another process runs this comparison, UserError when the disk refuses.
        """
        log = UnitLog(self.directory / "units")
        with disk_faults(self.directory):
            self.directory.mkdir(parents=True, exist_ok=True)
            with Lock(self.directory / ".lock", timeout=LOCK_SECONDS, what=f"The run {self.directory}"):
                before = after = log.load()
                built = 0
                if pending := _pending(self.plan.cells, before):
                    self._start()
                    builds = self._build_jobs(pending)
                    self._do("build", builds, [1] * len(builds))
                    built = sum(memory_dir(self.directory, job.key).is_dir() for job in builds)
                    if not self._interrupted:
                        answers = self._answer_jobs(pending, before)
                        self._do("answer", answers, [len(job.items) for job in answers])
                    after = log.load()
                answered = len(after.answer) - len(before.answer)
                errors = len(self._errors)
                self._event("end", built=built, answered=answered, errors=errors, interrupted=self._interrupted)
        return Outcome(self.directory, built, answered, tuple(self._errors), self._interrupted, after)

    def unanswered(self) -> int:
        """How many answers of the plan are not on record."""
        answered = UnitLog(self.directory / "units").load().answer
        return sum(item.answer_key not in answered for cell in self.plan.cells for item in cell.items)

    def _do(self, stage: Stage, jobs: Sequence[Any], sizes: Sequence[int]) -> None:
        """Run the jobs, keeping what failed; an interrupt lets started jobs finish and starts no more."""
        size = dict(zip((job.id for job in jobs), sizes, strict=True))
        total, done = sum(sizes), 0
        self.on_progress(stage, 0, total)
        results = self.runner.run(jobs)
        try:
            for result in results:
                done += size[result.id]
                self.on_progress(stage, done, total)
                for error in result.value or () if result.error is None else (result.error,):
                    self._errors.append(error)
                    self._event("error", job=result.id, error=error)
        except KeyboardInterrupt:
            self._interrupted = True
        finally:
            results.close()

    def _build_jobs(self, pending: Pending) -> list[BuildJob]:
        from memkit.compare.models import Calling
        from memkit.compare.work import BuildJob

        jobs: dict[str, BuildJob] = {}
        calling = Calling(self.directory, self.offline, self.accept_unsandboxed)
        for cell, _ in pending:
            key, stream = cell.build_key, cell.case.stream
            if key and key not in jobs and not memory_dir(self.directory, key).is_dir():
                builder = cell.arm.factors["builder"].shown
                jobs[key] = BuildJob(f"{builder}, {stream.id} ({key[:8]})", calling, key, cell.arm, stream)
        return list(jobs.values())

    def _answer_jobs(self, pending: Pending, done: Records) -> list[AnswerJob]:
        return [
            self._answer_job(cell, items[start : start + BATCH], start, done)
            for cell, items in pending
            # Without its memory a cell is left: that the build failed is on record.
            if not cell.build_key or memory_dir(self.directory, cell.build_key).is_dir()
            for start in range(0, len(items), BATCH)
        ]

    def _answer_job(self, cell: Cell, items: Sequence[Item], start: int, done: Records) -> AnswerJob:
        from memkit.compare.models import Calling
        from memkit.compare.work import AnswerJob

        spec = self.plan.spec
        return AnswerJob(
            id=f"{cell.arm.label}, {cell.case.stream.id} [{start + 1}-{start + len(items)}]",
            calling=Calling(self.directory, self.offline, self.accept_unsandboxed),
            arm=cell.arm,
            build_key=cell.build_key,
            items=tuple(items),
            known={item.answer_key: done.answer[item.answer_key] for item in items if item.answer_key in done.answer},
            judge=spec.judge,
            judge_model=spec.judge_model,
            search_model=spec.factors.models.search[0],
            stream=cell.case.stream if cell.arm.null else None,
            null_tokens=spec.nulls.long_context_tokens,
        )

    def _start(self) -> None:
        """Write what is about to be done, and sweep what a killed run left half built."""
        import yaml

        memories = self.directory / "memories"
        memories.mkdir(exist_ok=True)
        for staging in memories.glob(".*"):
            shutil.rmtree(staging, ignore_errors=True)
        self._event("start", pid=os.getpid())
        if self.keeps_spec:
            return
        spec = make_converter().unstructure(self.plan.spec)
        text = yaml.safe_dump(spec, sort_keys=False, allow_unicode=True)
        write_file(self.directory / SPEC_FILE, text.encode("utf-8", "replace"))
        plan = {
            "schema": 1,
            "arms": {arm.label: arm.shown for arm in self.plan.arms},
            "excluded": {one.label: one.reason for one in self.plan.excluded},
            "streams": {cell.case.stream.id: len(cell.case.questions) for cell in self.plan.cells},
        }
        write_file(self.directory / "plan.json", json.dumps(plan, indent=1).encode())

    def _event(self, kind: str, **data: Any) -> None:
        line = {"time": datetime.now(UTC).isoformat(), "event": kind, **data}
        with (self.directory / "events.jsonl").open("a", encoding="ascii") as events:
            events.write(json.dumps(line) + "\n")


def _pending(cells: Sequence[Cell], done: Records) -> Pending:
    """What has no score on record; what two cells share (an arm under two labels) is done once."""
    pending: Pending = []
    planned: set[str] = set()
    for cell in cells:
        items = [item for item in cell.items if item.judge_key not in planned and not _on_record(item, done)]
        planned.update(item.judge_key for item in items)
        if items:
            pending.append((cell, items))
    return pending


def _on_record(item: Item, done: Records) -> bool:
    return item.judge_key in done.judge and item.answer_key in done.answer


@contextmanager
def disk_faults(path: Path) -> Iterator[None]:
    """What the operating system refuses, as a UserError."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"{error.filename or path} cannot be used: {error.strerror}; choose another with --runs"
        ) from None
