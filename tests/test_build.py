"""Units are ingested once each, in order, and a build that was cut short goes on."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from attrs import field, mutable
from hypothesis import given
from hypothesis import strategies as st

from memkit import Layout, Locator, Memory, ModelError, Receipt, Step, Unit, build_memory, ingest
from memkit.build import TOGETHER


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


def test_build_together(memory: Memory) -> None:
    """A builder without a store finds all units of a group in the archive, and gets them one by one."""
    builder = Noting(layout="none")

    assert ["stored"] * 3 == reasons(memory, builder, STEPS)
    assert ["ingest 1 of 3", "ingest 2 of 3", "ingest 3 of 3", "consolidate 3"] == builder.calls
    assert (3, True) == (memory.manifest.units, memory.manifest.ready)


def test_long_groups_are_cut(memory: Memory) -> None:
    """A group ends when it is large, so that no long stream is written at once."""
    long = [step(n, "A room. " * (TOGETHER // 12)) for n in range(1, 6)]
    builder = Noting(layout="none")

    reasons(memory, builder, long)

    assert ["ingest 1 of 2", "ingest 2 of 2", "ingest 3 of 4", "ingest 4 of 4", "ingest 5 of 5"] == builder.calls[:-1]


def test_failure_within_a_group(memory: Memory) -> None:
    """What was handed over before a failure in a group is not handed over again, and the rest keeps its order."""
    builder = Noting(layout="none", fails_at=2)
    with pytest.raises(ModelError):
        reasons(memory, builder, STEPS)
    assert (1, 3) == (memory.manifest.units, len(memory.archive))

    again = Memory.open(memory.path)
    early = asyncio.run(ingest(again, builder, step(3)))

    assert "step 2 was cut short; ingest it again before step 3" == early.reason
    assert ["step 1 is already in this memory", "stored", "stored"] == reasons(again, builder, STEPS)
    assert ["ingest 1 of 3", "ingest 2 of 3", "ingest 3 of 3", "consolidate 3"] == builder.calls
    assert STEPS == list(again.archive.units())


@given(st.data())
def test_crash_within_a_group(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Wherever the machine stops, a second build ends with every unit once, in order, and handed over."""
    memory = Memory.create(tmp_path_factory.mktemp("crash") / "m", builder="noting", plugin="tests 1", layout="none")
    memory.archive.extend(STEPS)
    os.truncate(memory.archive.path, data.draw(st.integers(0, memory.archive.path.stat().st_size)))

    builder = Noting(layout="none")
    asyncio.run(build_memory(Memory.open(memory.path), builder, STEPS))

    assert STEPS == list(memory.archive.units())
    assert [1, 2, 3] == [int(call.split()[1]) for call in builder.calls[:-1]]
    assert "consolidate 3" == builder.calls[-1]


def test_one_unit_twice_in_a_group(memory: Memory) -> None:
    """The second of two units of one name in a group is refused as it would be later."""
    changed = step(2, "Another room.")
    expected = ["stored", "stored", "step 2 is already in this memory"]
    expected += ["step 2 is already in the archive with other content"]

    assert expected == reasons(memory, Noting(layout="none"), [step(1), step(2), step(2), changed])
    assert STEPS[:2] == list(memory.archive.units())


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
