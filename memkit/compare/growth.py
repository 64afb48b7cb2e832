"""The growth protocol: how the memories of a comparison grow, unit by unit, and what can be asked of them on the way.

The trajectory of a memory is M_1, ..., M_T and the consolidated memory (filesystem paper, section 3). At a checkpoint
the memory is built from the units so far and consolidated, as if the stream ended there, and is asked the questions
whose evidence is all in: the same units of work, keys and records as those of the comparison itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TypeAlias, cast

from attrs import asdict, evolve, field, frozen

from memkit.compare.arms import Arm, make_part
from memkit.compare.building import Build
from memkit.compare.control import close_control, control_of
from memkit.compare.growing import GrowthJob, history_of, is_grown
from memkit.compare.jobs import Failure
from memkit.compare.keys import Keys
from memkit.compare.models import Calling
from memkit.compare.plan import Cell, Plan, make_cell
from memkit.compare.run import LOCK_SECONDS, Run, disk_faults
from memkit.compare.spec import Use
from memkit.compare.stopping import Reason, stoppable
from memkit.compare.units import Records, UnitLog, encode
from memkit.contracts import Job
from memkit.history import Snapshot
from memkit.plugins import build_registry
from memkit.records import Case, Conversation, Question, Stream
from memkit.registry import Registry
from memkit.store.atomic import write_file
from memkit.store.lock import Lock

SCHEMA = 1
"""Of growth.jsonl."""
GROWTH_FILE = "growth.jsonl"
Watch: TypeAlias = Callable[[int, int], None]
"""Called with the memories that are grown in this call, and those it has to grow."""


def ignore_watch(done: int, total: int) -> None:
    """For callers that show none."""


@frozen
class GrowthRow:
    """An arm on a stream after its unit number `unit`; the last row of a stream, one further, is after consolidation.

    `facts` are what the unit took and what the store then is, `changed` the files that are new, other or gone.
    `questions` are those asked there, 0 where there is no checkpoint, and `scores` the means over them.
    """

    arm: str
    stream: str
    unit: int
    name: str
    changed: int
    facts: Mapping[str, float | None]
    questions: int = 0
    scores: Mapping[str, float] = field(factory=dict)


@frozen
class Growth:
    """The trajectories of a run, and what went wrong or stopped it on the way."""

    directory: Path
    rows: tuple[GrowthRow, ...]
    errors: tuple[str, ...]
    stopped: Reason
    complete: bool


def grow(
    plan: Plan,
    calling: Calling,
    *,
    runner: Use = Use("local"),
    every: int | None = None,
    on_progress: Watch = ignore_watch,
) -> Growth:
    """Take the snapshots of every memory of a finished comparison; called again, it repeats nothing.

    With `every`, ask at a checkpoint after so many units, and at the end. `growth.jsonl` is written into the results.
    Raises UserError when the disk refuses, LockTimeout when another process runs this comparison.
    """
    registry = build_registry(accept_unsandboxed=calling.accept_unsandboxed)
    directory = calling.run_dir
    with disk_faults(directory):
        failures, stopped = _watch(plan, calling, registry, runner, on_progress)
        errors = [failure.text for failure in failures]
        checkpoints = list(_checkpoints(plan, registry, every)) if every else []
        for _, cells in checkpoints:
            if stopped:
                break
            asked = evolve(plan, cells=cells)
            done = Run(asked, make_part(registry, "runner", runner), registry, calling, keeps_spec=True).execute()
            errors += done.errors
            stopped = done.stopped
        rows = tuple(_rows(plan, directory, checkpoints))
        write_file(directory / "results" / GROWTH_FILE, b"".join(map(_line, rows)))
    complete = not errors and not stopped and all(is_grown(directory, one) for one in _builds(plan))
    return Growth(directory, rows, tuple(dict.fromkeys(errors)), stopped, complete)


def _watch(
    plan: Plan, calling: Calling, registry: Registry, runner: Use, on_progress: Watch
) -> tuple[list[Failure], Reason]:
    """Grow the memories that are not grown; what failed, and why it stopped."""
    jobs = [
        GrowthJob(f"growth of {one.name} ({one.key[:8]})", calling, one)
        for one in _builds(plan)
        if not is_grown(calling.run_dir, one)
    ]
    failures: list[Failure] = []
    with Lock(calling.run_dir / ".lock", timeout=LOCK_SECONDS, what=f"The run {calling.run_dir}"):
        control = control_of(calling.run_dir)
        try:
            control.go()
            with stoppable(control, calling.budget.wall):
                results = make_part(registry, "runner", runner).run(cast(Sequence[Job], jobs))
                on_progress(0, len(jobs))
                for done, result in enumerate(results, 1):
                    failures += [Failure(result.id, result.error)] if result.error else result.value.failures
                    on_progress(done, len(jobs))
                    if control.stopped:
                        results.close()
                        break
            return failures, cast(Reason, control.stopped)
        finally:
            close_control(calling.run_dir)


def _builds(plan: Plan) -> list[Build]:
    """Each memory once, however many arms share it."""
    builds = {
        cell.build_key: Build(cell.build_key, _name(cell), cell.arm, cell.case.stream) for cell in _grown_cells(plan)
    }
    return list(builds.values())


def _grown_cells(plan: Plan) -> Iterator[Cell]:
    return (cell for cell in plan.cells if cell.build_key and not cell.arm.memoryless)


def _name(cell: Cell) -> str:
    return f"{cell.arm.factors['builder'].shown}, {cell.case.stream.id}"


def _checkpoints(plan: Plan, registry: Registry, every: int) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """The number of units at each checkpoint, with the cells that are asked there."""
    longest = max((len(cell.case.stream.units) for cell in _grown_cells(plan)), default=0)
    for units in range(every, longest + every, every):
        keys = Keys(registry, plan.spec)  # one for each: a stream is known by its name
        # The last checkpoint of a stream is at its end, between two of a longer one.
        ending = [cell for cell in _grown_cells(plan) if len(cell.case.stream.units) > units - every]
        cells = (_cell_at(keys, cell.arm, cell.case, units) for cell in ending)
        if asked := tuple(cell for cell in cells if cell.items):
            yield units, asked


def _cell_at(keys: Keys, arm: Arm, case: Case, units: int) -> Cell:
    """The cell as it would be, did the stream end after so many units."""
    stream = first_units(case.stream, units)
    return make_cell(keys, arm, evolve(case, stream=stream, questions=answerable_from(stream, case.questions)))


def first_units(stream: Stream, units: int) -> Stream:
    """The stream as it was after so many units."""
    if isinstance(stream, Conversation):
        return evolve(stream, sessions=stream.sessions[:units])
    return evolve(stream, steps=stream.steps[:units])


def answerable_from(stream: Stream, questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions whose evidence is all in; those without evidence, or that cannot be answered, are left out."""
    there = {place for unit in stream.units for place in unit.locators}
    return tuple(one for one in questions if one.answerable and one.evidence and there.issuperset(one.evidence))


def _rows(plan: Plan, directory: Path, checkpoints: Sequence[tuple[int, tuple[Cell, ...]]]) -> Iterator[GrowthRow]:
    """Arm by arm and stream by stream, in the order of the plan's arms."""
    records = UnitLog(directory / "units").load()
    asked = {
        (cell.arm.label, cell.case.stream.id, len(cell.case.stream.units)): cell
        for _, cells in checkpoints
        for cell in cells
    }
    order = {arm.label: place for place, arm in enumerate(plan.arms)}
    for cell in sorted(_grown_cells(plan), key=lambda cell: order[cell.arm.label]):
        arm, stream = cell.arm.label, cell.case.stream.id
        for unit, snapshot in enumerate(history_of(directory, cell.build_key).snapshots(), 1):
            row = GrowthRow(arm, stream, unit, snapshot.name, _changed(snapshot), snapshot.facts)
            there = asked.get((arm, stream, unit))
            yield _with_scores(row, there, records) if there else row


def _changed(snapshot: Snapshot) -> int:
    """Files of the store that are new, other or gone."""
    paths = (*snapshot.put, *snapshot.appended, *snapshot.gone)
    return sum(path.startswith("memories/") for path in paths)


def _with_scores(row: GrowthRow, cell: Cell, records: Records) -> GrowthRow:
    judged = [records.judge[item.judge_key]["scores"] for item in cell.items if item.judge_key in records.judge]
    names = dict.fromkeys(name for scores in judged for name in scores)
    means = {name: fmean(scores[name] for scores in judged if name in scores) for name in names}
    return evolve(row, questions=len({item.question.id for item in cell.items}), scores=means)


def _line(row: GrowthRow) -> bytes:
    return encode({"schema": SCHEMA, **asdict(row)})
