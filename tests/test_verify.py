"""What a memory rests on is opened again, and what no longer holds is named."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from msgspec.structs import replace

from memkit.build import build
from memkit.ledger.log import load_rows, write_rows
from memkit.ledger.row import Change
from memkit.locators import Locator
from memkit.memory import Memory
from memkit.records import Answer, Citation, Effort, Finding, Step
from memkit.testing.samples import LAYOUTS, sample_memory
from memkit.verify import Verification
from memkit_plugins.event_ledger.builder import Ledger


@pytest.fixture
def kitchen(tmp_path: Path) -> Memory:
    """A run of three steps with its ledger."""
    memory = Memory.create(tmp_path / "m", builder="ledger", plugin="tests 1", layout="ledger")
    told = (
        ("go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed."),
        ("open drawer 1", "You open the drawer 1. The drawer 1 is open. In it, you see a \ud800pen 2."),
        ("look", "Nothing happens."),
    )
    steps = [Step(Locator("step", 0, n), n, action, seen) for n, (action, seen) in enumerate(told)]
    asyncio.run(build(memory, Ledger(), steps))
    return memory


@pytest.mark.parametrize("layout", LAYOUTS)
def test_samples_hold(tmp_path: Path, layout: Any) -> None:
    """A memory as a builder leaves it has no fault, whatever its layout."""
    verification = Verification(sample_memory(tmp_path / "m", layout))
    assert [] == list(verification.faults())
    assert ("row" in verification.checked) == (layout == "ledger")


def test_a_ledger_holds(kitchen: Memory) -> None:
    """Every row is opened, one with a character that no file can hold too."""
    verification = Verification(kitchen)
    assert ([], {"row": 3}) == (list(verification.faults()), dict(verification.checked))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"locator": "[step 9]"}, "ledger row of [step 9]: it is not in the archive"),
        ({"locator": "step 1"}, "ledger row of step 1: 'step 1' is not a locator"),
        ({"action": "open drawer 2"}, "ledger row of [step 1]: its step's action is another"),
        ({"quote": "You find a key"}, "ledger row of [step 1]: its step does not say what it quotes"),
    ],
)
def test_a_row_that_does_not_hold(kitchen: Memory, changes: dict[str, Any], fault: str) -> None:
    """A row whose place, action or quote do not stand by its step is named."""
    rows = load_rows(kitchen.path)
    rows[1] = replace(rows[1], **changes)
    write_rows(kitchen.path, rows)
    (found,) = Verification(kitchen).faults()
    assert found.startswith(fault)


def test_a_store_that_does_not_hold(tmp_path: Path) -> None:
    """A locator that the archive has not, and a citation that leads nowhere, are named with file and line."""
    memory = sample_memory(tmp_path / "m", "flat")
    memory.store.create("/memories/new.md", "one\nBo has a dog [S9T9] [/memories/gone.md]\n")
    faults = list(Verification(memory).faults())
    assert "/memories/new.md:2: [S9T9] is not in the archive" == faults[0]
    assert faults[1].startswith("/memories/new.md:2: [/memories/gone.md]: ")
    assert 2 == len(faults)


def test_answers(kitchen: Memory) -> None:
    """What was computed is computed again; what was served is opened."""
    step = Locator("step", 0, 1)
    held = Finding('count where tool: "open"', "computed", "1", (step,))
    answer = Answer("1.", effort=Effort(served=(step,)), findings=(held,))
    assert [] == list(Verification(kitchen).answer_faults(answer))
    wrong = evolve(
        answer,
        effort=Effort(served=(Locator("step", 0, 7),)),
        citations=(Citation("/memories/gone.md"),),
        findings=(evolve(held, value="2"), evolve(held, rows=(Locator("step", 0, 8),))),
    )
    faults = list(Verification(kitchen).answer_faults(wrong))
    assert "served [step 7] is not in the archive" == faults[0]
    assert faults[1].startswith("[/memories/gone.md]: ")
    assert [
        "finding 'count where tool: \"open\"': computed again, it is computed with 1",
        "finding 'count where tool: \"open\"': [step 8] is not in the archive",
    ] == faults[2:]


def test_changes_are_not_needed(kitchen: Memory) -> None:
    """A row that says less than the program found still holds."""
    rows = load_rows(kitchen.path)
    write_rows(kitchen.path, [replace(row, changes=(), quote="") for row in rows])
    assert [] == list(Verification(kitchen).faults())
    assert Change("drawer 1.state", "open") in rows[1].changes
