"""Taking over what other runs beside this one have on record: a unit that is done is never done again.

A changed spec has a run directory of its own. With one arm more it does that arm's work, with other labels none.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from attrs import frozen

from memkit.calls.copying import copy_calls
from memkit.compare.models import CALLS_FILE
from memkit.compare.plan import Cell
from memkit.compare.units import Record, Records, Stage, UnitLog, memory_dir

STAGES: tuple[Stage, ...] = ("build", "answer", "judge")


@frozen
class Reused:
    """How much was found in the run of that name."""

    name: str
    builds: int
    answers: int
    judgements: int


def find_records(directory: Path, cells: Sequence[Cell], have: Records) -> Iterator[tuple[Path, Records]]:
    """Each run beside `directory` that has records of these cells which `have` lacks, the newest first, with those."""
    missing = _missing(cells, have)
    for run in _siblings(directory):
        if not any(missing.values()):
            return
        found = {stage: _found(run, stage, missing[stage]) for stage in STAGES}
        if any(found.values()):
            missing = {stage: missing[stage] - found[stage].keys() for stage in STAGES}
            yield run, Records(**found)


def take_over(directory: Path, cells: Sequence[Cell]) -> list[Reused]:
    """Copy what other runs have on record into this one: records, the memories that are still to be asked, calls.

    Copied calls were paid for by those runs. Raises UserError when this run cannot be written.
    """
    log = UnitLog(directory / "units")
    have = log.load()
    taken = []
    for run, found in list(find_records(directory, cells, have)):
        for stage in STAGES:
            getattr(have, stage).update(getattr(found, stage))
        taken.append((run, found))
    asked = {cell.build_key for cell in cells if any(item.judge_key not in have.judge for item in cell.items)}
    return [_take(log, directory, run, found, asked) for run, found in taken]


def _take(log: UnitLog, directory: Path, run: Path, found: Records, asked: Collection[str]) -> Reused:
    """Copy what was found in a run. Without its memory, a build that is still to be asked is of no use."""
    builds = {key: one for key, one in found.build.items() if key not in asked or _fetch_memory(directory, key)}
    _copy(log, "build", builds)
    _copy(log, "answer", found.answer)
    _copy(log, "judge", found.judge)
    _copy_calls(run, directory, (*builds.values(), *found.answer.values(), *found.judge.values()))
    return Reused(run.name, len(builds), len(found.answer), len(found.judge))


def merged(records: Records, others: Iterator[tuple[Path, Records]]) -> Records:
    """All of them together, as if they were on record here."""
    parts = [records, *(found for _, found in others)]
    return Records(
        **{stage: {key: one for part in parts for key, one in getattr(part, stage).items()} for stage in STAGES},
        failure=records.failure,
    )


def _missing(cells: Sequence[Cell], have: Records) -> dict[Stage, set[str]]:
    items = [item for cell in cells for item in cell.items]
    return {
        "build": {cell.build_key for cell in cells if cell.build_key} - have.build.keys(),
        "answer": {item.answer_key for item in items} - have.answer.keys(),
        "judge": {item.judge_key for item in items} - have.judge.keys(),
    }


def _siblings(directory: Path) -> list[Path]:
    """The other runs below the same root, the one that was written last first."""
    runs = [units.parent for units in directory.parent.glob("*/units") if units.parent.name != directory.name]
    return sorted(runs, key=lambda run: ((run / "units").stat().st_mtime_ns, run.name), reverse=True)


def _found(run: Path, stage: Stage, keys: Collection[str]) -> dict[str, Record]:
    if not keys:
        return {}
    with suppress(OSError):  # another's folder, or one that is being removed
        return {key: one for key, one in UnitLog(run / "units").read(stage).items() if key in keys}
    return {}


def _copy(log: UnitLog, stage: Stage, records: Mapping[str, Record]) -> None:
    with log.writer(stage) as writer:
        for key, record in records.items():
            calls = [{**call, "billed": False} for call in record["calls"]]
            writer.write(
                key,
                **{name: value for name, value in record.items() if name not in ("key", "schema")} | {"calls": calls},
            )


def _fetch_memory(directory: Path, key: str) -> bool:
    """Copy a memory from a run that has it; whether it is there now."""
    target = memory_dir(directory, key)
    sources = (source for run in _siblings(directory) if (source := memory_dir(run, key)).is_dir())
    return target.is_dir() or any(_copy_memory(source, target) for source in sources)


def _copy_memory(source: Path, target: Path) -> bool:
    staging = target.with_name(f".{target.name}-{uuid4().hex}")
    try:
        shutil.copytree(source, staging)
        staging.rename(target)
    except (OSError, shutil.Error):  # it is gone, or going
        shutil.rmtree(staging, ignore_errors=True)
        return False
    return True


def _copy_calls(run: Path, directory: Path, records: Sequence[Record]) -> None:
    keys = [call["key"] for record in records for call in record["calls"]]
    if keys and (run / CALLS_FILE).is_file():
        copy_calls(run / CALLS_FILE, directory / CALLS_FILE, keys)
