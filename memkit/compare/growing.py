"""The jobs that build a memory once more, a unit at a time, and keep a snapshot of it after each: M_1, M_2, ...

What a manager's model was asked before is on record, so a second build pays for no call again. The history is in
`growth/<key>/` of the run directory. A build that was cut short goes on from its last snapshot, not from a store that
was half changed, on which a manager would do other things.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from functools import partial
from math import ceil
from pathlib import Path

from attrs import define, field, frozen

from memkit.archive import unit_name
from memkit.build import ingest
from memkit.calls.booking import Booking, book_calls
from memkit.compare.building import Build, make_builder, make_memory
from memkit.compare.builds import BUILD, STORE, build_columns
from memkit.compare.control import control_of
from memkit.compare.jobs import Report, Unit, do_units
from memkit.compare.models import Calling
from memkit.compare.spec import digest_of
from memkit.contracts import Builder
from memkit.history import HISTORY, History
from memkit.management import managed_steps
from memkit.memory import Memory
from memkit.records import STORELESS, Usage
from memkit.records import Unit as StreamUnit

MEASURED = 200
"""Units of a stream after which the store is measured, spread evenly where there are more: a measurement reads all."""
MEMORY = "memory"
CONSOLIDATED = "consolidated"
"""Names the snapshot after the last one of a unit."""
TAKEN = ("rounds", "tool_calls", "dropped_tokens")
"""Of the columns of a build, those that add up over units."""
SIZES = tuple(name for name in (*BUILD, *STORE) if name not in TAKEN)
"""Columns of what the store is after a unit."""


@frozen
class GrowthJob:
    """Watch one memory grow."""

    id: str
    calling: Calling
    build: Build = field(repr=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """Of its one unit of work."""
        return (digest_of(["growth", self.build.key]),)

    def run(self) -> Report:
        """Take the snapshots that are not there; those that are stay as they are."""
        unit = Unit(self.keys[0], "", partial(_grow, self.calling, self.build))
        return asyncio.run(do_units(self.calling, self.id, [unit], 1))


def growth_dir(run_dir: Path, build_key: str) -> Path:
    """Where a run keeps the history of a build key, and the memory while it grows."""
    return run_dir / "growth" / build_key[:32]


def history_of(run_dir: Path, build_key: str) -> History:
    """Its snapshots: one after each unit, and one after consolidation."""
    return History(growth_dir(run_dir, build_key) / HISTORY)


def is_grown(run_dir: Path, one: Build) -> bool:
    """Whether every snapshot is there."""
    return len(history_of(run_dir, one.key).snapshots()) > len(one.stream.units)


async def _grow(calling: Calling, one: Build) -> None:
    builder, control = make_builder(calling, one.arm), control_of(calling.run_dir)
    growing = _start(calling, one, builder)
    memory, taken = growing.memory, growing.taken
    units: Sequence[StreamUnit] = one.stream.units
    every = ceil(len(units) / MEASURED)
    for number, unit in enumerate(units[taken:], taken + 1):
        if control.stopped:
            return
        with book_calls() as booking:
            await ingest(memory, builder, unit)
        growing.take(unit_name(unit), booking, measured=number % every == 0 or number == len(units))
    if taken <= len(units) and not control.stopped:
        with book_calls() as booking:
            await builder.consolidate(memory)
            memory.amend(ready=True)
        growing.take(CONSOLIDATED, booking, measured=True)
        shutil.rmtree(memory.path, ignore_errors=True)  # the history has it


def _start(calling: Calling, one: Build, builder: Builder) -> _Growing:
    """The memory as the last snapshot has it, or a new one."""
    root = growth_dir(calling.run_dir, one.key)
    history, path = history_of(calling.run_dir, one.key), root / MEMORY
    snapshots = history.snapshots()
    if path.exists():
        shutil.rmtree(path)
    if not snapshots:
        return _Growing(make_memory(calling, one, builder, path), history, 0, 0)
    history.restore(len(snapshots), path)
    return _Growing(Memory.open(path), history, len(snapshots), sum(snapshot.facts["steps"] for snapshot in snapshots))


@define
class _Growing:
    """A memory with its history, how many snapshots that has, and the steps of the manager that they have seen."""

    memory: Memory
    history: History
    taken: int
    steps: int

    def take(self, name: str, booking: Booking, *, measured: bool) -> None:
        """A snapshot with what the store is, and what was taken since the one before."""
        efforts = [step.effort for step in managed_steps(self.memory)[self.steps :]]
        usage = sum((effort.usage for effort in efforts), Usage())
        if not efforts:  # a builder that asks a model and logs no step
            usage = sum((row.usage for row in booking.rows()), Usage())
        stored = self.memory.manifest.layout not in STORELESS
        columns = build_columns(self.memory) if measured and stored else {}
        facts = {
            "steps": len(efforts),
            "rounds": sum(effort.rounds for effort in efforts) or len(booking.calls),
            "tool_calls": sum(effort.tool_calls for effort in efforts),
            "input_tokens": usage.input,
            "output_tokens": usage.output,
            **{column: columns.get(column) for column in SIZES},
        }
        self.history.take(self.memory.path, name, facts)
        self.steps += len(efforts)
