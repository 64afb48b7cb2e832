"""The samples are what a builder would leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from memkit import Layout, find_locators
from memkit.testing.samples import CHAT, LAYOUTS, sample_memory
from memkit.testing.suites.builder import assert_valid


@pytest.mark.parametrize("layout", LAYOUTS)
def test_memories_are_valid(tmp_path: Path, layout: Layout) -> None:
    """Every layout's memory is valid, finished, and names only places in its archive."""
    memory = sample_memory(tmp_path / "memory", layout)

    assert_valid(memory)
    assert (layout, True, len(CHAT.units)) == (memory.manifest.layout, memory.manifest.ready, len(memory.archive))
    for path in memory.store.paths():
        for locator in find_locators(memory.store.read(path)):
            memory.archive.resolve(locator)
