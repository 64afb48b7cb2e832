"""The jobs that build memories."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from pathlib import Path
from time import perf_counter
from uuid import uuid4

from attrs import field, frozen

from memkit.build import build
from memkit.calls.booking import book_calls
from memkit.compare.arms import Arm, make_part
from memkit.compare.builds import build_columns
from memkit.compare.jobs import Report, Unit, do_units, parts_of
from memkit.compare.models import Calling, recorded_model
from memkit.compare.units import UnitLog, memory_dir
from memkit.contracts import Builder
from memkit.converter import make_converter
from memkit.memory import Memory
from memkit.records import Receipt, Stream
from memkit.records import Unit as StreamUnit


@frozen
class Build:
    """The memory `key` to be built from a stream, as `arm` does."""

    key: str
    name: str
    arm: Arm = field(repr=False)
    stream: Stream = field(repr=False)


@frozen
class BuildJob:
    """Build some memories, `at_once` together."""

    id: str
    calling: Calling
    builds: tuple[Build, ...]
    at_once: int = 1

    @property
    def keys(self) -> tuple[str, ...]:
        """Of its units."""
        return tuple(one.key for one in self.builds)

    def run(self) -> Report:
        """Build each in a staging folder and move it into place whole."""
        alone = len(self.builds) == 1  # then the job says it all
        units = [Unit(one.key, "" if alone else one.name, partial(self._build, one)) for one in self.builds]
        return asyncio.run(do_units(self.calling, self.id, units, self.at_once))

    async def _build(self, one: Build) -> None:
        target = memory_dir(self.calling.run_dir, one.key)
        staging = target.with_name(f".{target.name}-{uuid4().hex}")
        try:
            await self._stage(one, staging, target)
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    async def _stage(self, one: Build, staging: Path, target: Path) -> None:
        started = perf_counter()
        receipts: list[Receipt] = []

        def keep(_: StreamUnit, receipt: Receipt) -> None:
            receipts.append(receipt)

        builder = make_builder(self.calling, one.arm)
        memory = make_memory(self.calling, one, builder, staging)
        with book_calls() as booking:
            await build(memory, builder, one.stream.units, on_receipt=keep)
        seconds = perf_counter() - started
        # The record comes first: a memory without one would be a memory without a size in the table.
        with UnitLog(self.calling.run_dir / "units").writer("build") as log:
            log.write(
                one.key,
                stream=one.stream.id,
                seconds=seconds,
                **build_columns(memory),
                refused=[receipt.reason for receipt in receipts if receipt.status != "stored"],
                calls=_converter.unstructure(booking.rows()),
            )
        staging.rename(target)  # noqa: ASYNC240 - all work on a store is on disk


def make_builder(calling: Calling, arm: Arm) -> Builder:
    """The builder of an arm, with its model, whose calls are recorded, and its tools."""
    registry, factors = parts_of(calling), arm.factors
    manager = recorded_model(registry, factors["manage_model"], calling)
    harness = make_part(registry, "harness", factors["harness"])
    builder: Builder = make_part(registry, "builder", factors["builder"], model=manager, harness=harness)
    return builder


def make_memory(calling: Calling, one: Build, builder: Builder, path: Path) -> Memory:
    """An empty memory at `path` for a build."""
    use = one.arm.factors["builder"]
    source = parts_of(calling).part("builder", use.use).source
    return Memory.create(
        path,
        builder=use.use,
        plugin=f"{source.distribution} {source.version}",
        layout=builder.layout,
        options=use.options,
        stream=one.stream.id,
        task=one.stream.task,
    )


_converter = make_converter()
