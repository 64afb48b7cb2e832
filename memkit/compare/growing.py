"""The jobs that build a memory once more, a unit at a time, and keep a snapshot of it after each: M_1, M_2, ...

What a manager's model was asked before is on record, so a second build pays for no call again. The memory stays in
`growth/<key>/` of the run directory with its history, and a build that was cut short goes on there.
"""

from __future__ import annotations

import asyncio
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
from memkit.history import HISTORY, History
from memkit.management import managed_steps
from memkit.memory import MANIFEST_NAME, Memory
from memkit.records import Unit as StreamUnit
from memkit.records import Usage

MEASURED = 200
"""Units of a stream after which the store is measured, spread evenly where there are more: a measurement reads all."""
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
    """Where a run keeps the growing memory of a build key."""
    return run_dir / "growth" / build_key[:32]


def history_of(run_dir: Path, build_key: str) -> History:
    """Its snapshots: one after each unit, and one after consolidation."""
    return History(growth_dir(run_dir, build_key) / HISTORY)


def is_grown(run_dir: Path, one: Build) -> bool:
    """Whether every snapshot is there."""
    return len(history_of(run_dir, one.key).snapshots()) > len(one.stream.units)


async def _grow(calling: Calling, one: Build) -> None:
    path = growth_dir(calling.run_dir, one.key)
    builder = make_builder(calling, one.arm)
    is_begun = (path / MANIFEST_NAME).exists()
    memory = Memory.open(path) if is_begun else make_memory(calling, one, builder, path)
    growing, control = _Growing(memory, History(path / HISTORY)), control_of(calling.run_dir)
    units: Sequence[StreamUnit] = one.stream.units
    every, taken = ceil(len(units) / MEASURED), growing.taken
    for number, unit in enumerate(units[taken:], taken + 1):
        if control.stopped:
            return
        with book_calls() as booking:
            # Refused where it was cut short between the unit and its snapshot: then the snapshot alone is missing.
            await ingest(memory, builder, unit)
        growing.take(unit_name(unit), booking, measured=number % every == 0 or number == len(units))
    if taken <= len(units) and not control.stopped:
        with book_calls() as booking:
            if not memory.manifest.ready:
                await builder.consolidate(memory)
                memory.amend(ready=True)
        growing.take(CONSOLIDATED, booking, measured=True)


@define
class _Growing:
    """A memory with its history, how many snapshots that has, and the steps of the manager that they have seen."""

    memory: Memory
    history: History
    taken: int = field(init=False)
    steps: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        snapshots = self.history.snapshots()
        self.taken, self.steps = len(snapshots), sum(one.facts["steps"] for one in snapshots)

    def take(self, name: str, booking: Booking, *, measured: bool) -> None:
        """A snapshot with what the store is, and what was taken since the one before."""
        efforts = [step.effort for step in managed_steps(self.memory)[self.steps :]]
        usage = sum((effort.usage for effort in efforts), Usage())
        if not efforts:  # a builder that asks a model and logs no step
            usage = sum((row.usage for row in booking.rows()), Usage())
        columns = build_columns(self.memory) if measured else {}
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
