"""Units are ingested once each, in order, and a build that was cut short goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from attrs import field, mutable

from memkit import Layout, Locator, Memory, ModelError, Receipt, Step, Unit, build_memory, ingest


def step(index: int, observation: str = "A room.") -> Step:
    """A step of a trajectory."""
    return Step(Locator("step", 0, index), index, "look", observation)


STEPS = [step(1), step(2), step(3)]


@mutable
class Noting:
    """A builder that notes its calls, and fails at the step `fails_at` once."""

    layout: Layout = "flat"
    fails_at: int = 0
    calls: list[str] = field(factory=list)

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Note the unit."""
        assert isinstance(unit, Step)
        if unit.index == self.fails_at:
            self.fails_at = 0
            raise ModelError("no reply")
        self.calls.append(f"ingest {unit.index} of {len(memory.archive)}")
        return Receipt("stored", (unit.locator,))

    async def consolidate(self, memory: Memory) -> None:
        """Note the end."""
        self.calls.append(f"consolidate {memory.manifest.units}")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return Memory.create(tmp_path / "m", builder="noting", plugin="tests 1", layout="flat")


def reasons(memory: Memory, builder: Noting, units: list[Step]) -> list[str]:
    """Build, and give each receipt's reason, or its status when it has none."""
    noted: list[str] = []
    asyncio.run(
        build_memory(
            memory, builder, units, on_receipt=lambda _, receipt: noted.append(receipt.reason or receipt.status)
        )
    )
    return noted


def test_build(memory: Memory) -> None:
    """Each unit is in the archive before the builder sees it; consolidation comes last."""
    builder = Noting()

    assert ["stored"] * 3 == reasons(memory, builder, STEPS)
    assert ["ingest 1 of 1", "ingest 2 of 2", "ingest 3 of 3", "consolidate 3"] == builder.calls
    assert STEPS == list(memory.archive.units())
    assert (3, True) == (memory.manifest.units, memory.manifest.ready)


def test_build_again(memory: Memory) -> None:
    """A finished build does nothing more, and says why."""
    builder = Noting()
    reasons(memory, builder, STEPS)
    builder.calls.clear()

    assert [f"step {n} is already in this memory" for n in (1, 2, 3)] == reasons(memory, builder, STEPS)
    assert [] == builder.calls


def test_build_more(memory: Memory) -> None:
    """New units are added, and the store is consolidated again."""
    builder = Noting()
    reasons(memory, builder, STEPS[:2])

    assert "stored" == reasons(memory, builder, STEPS)[-1]
    assert ["ingest 3 of 3", "consolidate 3"] == builder.calls[-2:]


def test_changed_unit_is_rejected(memory: Memory) -> None:
    """A unit of a known name with other content is not the same unit, and changes nothing."""
    builder = Noting()
    reasons(memory, builder, STEPS)

    receipt = asyncio.run(ingest(memory, builder, step(2, "Another room.")))

    assert Receipt("rejected", reason="step 2 is already in the archive with other content") == receipt
    assert STEPS == list(memory.archive.units())


def test_build_goes_on_after_a_failure(memory: Memory) -> None:
    """The unit at which a build broke is handed over again; those before it are not."""
    builder = Noting(fails_at=2)
    with pytest.raises(ModelError):
        reasons(memory, builder, STEPS)
    assert not memory.manifest.ready

    again = Memory.open(memory.path)

    assert ["step 1 is already in this memory", "stored", "stored"] == reasons(again, builder, STEPS)
    assert ["ingest 1 of 1", "ingest 2 of 2", "ingest 3 of 3", "consolidate 3"] == builder.calls


def test_unit_cut_short_comes_first(memory: Memory) -> None:
    """No unit is taken before the one that was cut short: it would be lost in silence."""
    builder = Noting(fails_at=1)
    with pytest.raises(ModelError):
        asyncio.run(ingest(memory, builder, step(1)))

    receipt = asyncio.run(ingest(memory, builder, step(2)))

    assert Receipt("rejected", reason="step 1 was cut short; ingest it again before step 2") == receipt
    assert 1 == len(memory.archive)


def test_other_process(memory: Memory) -> None:
    """A unit that another process ingested meanwhile is not ingested twice."""
    other = Memory.open(memory.path)
    asyncio.run(ingest(memory, Noting(), step(1)))

    receipt = asyncio.run(ingest(other, Noting(), step(1)))

    assert Receipt("rejected", reason="step 1 is already in this memory") == receipt


def test_failed_consolidation_is_repeated(memory: Memory) -> None:
    """A memory is ready only when consolidation came to its end."""
    builder = Noting()
    asyncio.run(ingest(memory, builder, step(1)))
    assert not memory.manifest.ready

    reasons(memory, builder, STEPS[:1])

    assert memory.manifest.ready
