"""Running a comparison: do what is not done yet, in a directory that survives being killed.

```
runs/<name>-<id>/  spec.yaml  plan.json  events.jsonl  control.db  .lock
  units/<stage>/   segments of finished units      memories/<key>/  each built memory
  results/         items.jsonl and summary.json, derived and rebuilt at every run
```
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from attrs import asdict, define, field, frozen

from memkit.compare.control import Control, close_control, control_of
from memkit.compare.events import EventLog
from memkit.compare.jobs import Failure, Report
from memkit.compare.models import Calling
from memkit.compare.plan import Plan
from memkit.compare.reuse import Reused, take_over
from memkit.compare.schedule import BATCH, Scheduler, pending_items, sweep_staging
from memkit.compare.stopping import Reason, stoppable
from memkit.compare.units import Records, UnitLog, memory_dir
from memkit.contracts import Job, Runner
from memkit.converter import make_converter
from memkit.errors import UserError
from memkit.registry import Registry
from memkit.store.atomic import write_file
from memkit.store.lock import Lock

SPEC_FILE = "spec.yaml"
LOCK_SECONDS = 1.0
"""A second run of the same comparison is refused rather than left waiting."""
HELD_SECONDS = 1.0
"""Between two looks whether units that a process of an earlier run still does are done."""

Stage: TypeAlias = Literal["build", "answer"]
Progress: TypeAlias = Callable[[Stage, int, int], None]
"""Called with the stage, the units done in this run, and the units this run has to do."""


def ignore_progress(stage: Stage, done: int, total: int) -> None:
    """For callers that show none."""


@frozen
class Outcome:
    """What a run did: units executed now, units that failed, what it took over from other runs, why it stopped, and
    all that is on record.
    """

    directory: Path
    built: int
    answered: int
    errors: tuple[str, ...]
    stopped: Reason
    reused: tuple[Reused, ...]
    records: Records = field(repr=False)

    @property
    def interrupted(self) -> bool:
        """Whether it was by Ctrl-C."""
        return self.stopped == "interrupt"


@define
class Run:
    """One comparison in its directory. `execute` may be called by any number of processes, one at a time."""

    plan: Plan
    runner: Runner
    registry: Registry
    calling: Calling
    on_progress: Progress = ignore_progress
    keeps_spec: bool = False
    """Leave `spec.yaml` and `plan.json` as they are: the plan is not the run's own."""
    _failed: dict[str, Failure] = field(factory=dict, init=False)
    """What will not be tried again in this run, by key."""

    @property
    def directory(self) -> Path:
        """Of the run."""
        return self.calling.run_dir

    def execute(self) -> Outcome:
        """Build and answer what the log lacks.

        Raises LockTimeout when another process runs this comparison, UserError when the disk refuses, and
        KeyboardInterrupt on a second Ctrl-C.
        """
        log, events = UnitLog(self.directory / "units"), EventLog(self.directory)
        with disk_faults(self.directory):
            self.directory.mkdir(parents=True, exist_ok=True)
            with Lock(self.directory / ".lock", timeout=LOCK_SECONDS, what=f"The run {self.directory}"):
                before = after = log.load()
                built, stopped, reused = 0, "", list[Reused]()
                if not self.keeps_spec:
                    self._write_spec()
                if pending_items(self.plan.cells, before):
                    sweep_staging(self.directory)
                    events.write("start")
                    reused = take_over(self.directory, self.plan.cells)
                    for one in reused:
                        events.write("reuse", **asdict(one))
                    before = log.load() if reused else before
                    built, stopped = self._work(before)
                    after = log.load()
                answered = len(after.answer) - len(before.answer)
                errors = tuple(dict.fromkeys(one.text for one in self._failed.values()))
                events.write("end", built=built, answered=answered, errors=len(errors), stopped=stopped)
        return Outcome(self.directory, built, answered, errors, cast(Reason, stopped), tuple(reused), after)

    def unanswered(self) -> int:
        """How many answers of the plan are not on record."""
        answered = UnitLog(self.directory / "units").load().answer
        return sum(item.answer_key not in answered for cell in self.plan.cells for item in cell.items)

    def _work(self, before: Records) -> tuple[int, str]:
        """How many memories were built, and why the run stopped."""
        schedule = Scheduler(self.plan, self.calling, self.registry)
        control = control_of(self.directory)
        try:
            control.go()
            with stoppable(control, self.calling.budget.wall):
                missing = {
                    key for job in schedule.build_jobs(pending_items(self.plan.cells, before)) for key in job.keys
                }

                def builds(done: Records, size: int) -> Sequence[Any]:
                    del size
                    return schedule.build_jobs(pending_items(self.plan.cells, done), self._failed)

                def answers(done: Records, size: int) -> Sequence[Any]:
                    return schedule.answer_jobs(pending_items(self.plan.cells, done, self._failed), done, size)

                self._stage("build", builds, before, control)
                self._stage("answer", answers, before, control)
            return sum(memory_dir(self.directory, key).is_dir() for key in missing), control.stopped
        finally:
            self._record_failures()
            close_control(self.directory)

    def _stage(
        self, stage: Stage, jobs: Callable[[Records, int], Sequence[Any]], done: Records, control: Control
    ) -> None:
        """Do the jobs of a stage, then those of what is to be tried again, one unit each, until there are none."""
        tries, size = Counter[str](), BATCH
        while not control.stopped and (now := jobs(done, size)):
            held = self._do(stage, now, tries, control)
            if held:
                time.sleep(HELD_SECONDS)
            elif not any(tries[key] and key not in self._failed for job in now for key in job.keys):
                return
            done, size = UnitLog(self.directory / "units").load(), 1  # a unit that kills its worker is then alone

    def _do(self, stage: Stage, jobs: Sequence[Any], tries: Counter[str], control: Control) -> bool:
        """Run jobs; whether another process holds some of their units. Failures count into `tries`."""
        by_id = {job.id: job for job in jobs}
        total, done, held = sum(len(job.keys) for job in jobs), 0, False
        first = not tries
        results = self.runner.run(cast(Sequence[Job], jobs))
        if first:
            self.on_progress(stage, 0, total)
        try:
            for result in results:
                job = by_id[result.id]
                report = result.value if result.error is None else self._lost(job, result.error)
                held = held or bool(report.held)
                for failure in report.failures:
                    self._failure(failure, tries)
                done += len(job.keys)
                if first:
                    self.on_progress(stage, done, total)
                if report.failures and self._too_many():
                    control.stop("errors")
                if control.stopped:
                    break
        finally:
            results.close()
        return held

    def _lost(self, job: Any, error: str) -> Report:
        """What is to be done again of a job whose worker died."""
        done = UnitLog(self.directory / "units").load()
        keys = [key for key in job.keys if key not in done.judge and not memory_dir(self.directory, key).is_dir()]
        EventLog(self.directory).write("lost", job=job.id, units=len(keys), error=error)
        return Report(tuple(Failure(key, error, again=True) for key in keys))

    def _failure(self, failure: Failure, tries: Counter[str]) -> None:
        tries[failure.key] += 1
        again = failure.again and tries[failure.key] <= self.plan.spec.errors.retry
        if not again:
            self._failed[failure.key] = failure
        EventLog(self.directory).write("retry" if again else "error", unit=failure.key, error=failure.text)

    def _too_many(self) -> bool:
        """Whether more answers have failed than the spec allows."""
        most = self.plan.spec.errors.max_rate
        if most is None:
            return False
        items = [(cell.build_key, item.judge_key) for cell in self.plan.cells for item in cell.items]
        return sum(build in self._failed or judge in self._failed for build, judge in items) > most * len(items)

    def _record_failures(self) -> None:
        with UnitLog(self.directory / "units").writer("failure") as log:
            for failure in self._failed.values():
                log.write(failure.key, error=failure.text)

    def _write_spec(self) -> None:
        """Write down what is compared; also when nothing is left to do, since a gate or a budget may be new."""
        import yaml

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


@contextmanager
def disk_faults(path: Path) -> Iterator[None]:
    """What the operating system refuses, as a UserError."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"{error.filename or path} cannot be used: {error.strerror}; choose another with --runs"
        ) from None
