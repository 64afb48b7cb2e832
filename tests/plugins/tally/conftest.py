"""A short run in a kitchen, and the memory that the ledger builder makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from memkit import Locator, Memory, Step, build_memory
from memkit_plugins.event_ledger.builder import Ledger

Build = Callable[..., Memory]

RUN = (
    ("look", "You are in the middle of a room."),
    ("go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed."),
    ("open drawer 1", "You open the drawer 1. The drawer 1 is open. In it, you see a pen 2."),
    ("take pen 2 from drawer 1", "You pick up the pen 2 from the drawer 1."),
    ("go to drawer 10", "You arrive at drawer 10. The drawer 10 is closed."),
    ("open drawer 10", "Nothing happens."),
    ("go to drawer 1", "You arrive at drawer 1. The drawer 1 is open."),
)


@pytest.fixture
def kitchen(tmp_path: Path) -> Memory:
    """The memory of `RUN`."""
    memory = Memory.create(tmp_path / "kitchen", builder="ledger", plugin="tests 1", layout="ledger")
    steps = [Step(Locator("step", 0, n), n, action, seen) for n, (action, seen) in enumerate(RUN)]
    asyncio.run(build_memory(memory, Ledger(), steps))
    return memory
