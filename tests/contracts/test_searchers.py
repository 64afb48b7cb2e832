"""The searcher `agent` with the embedded model keeps the promises of a searcher, over each harness and layout."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from memkit import Harness, Layout, Memory, Searcher, build_registry
from memkit.testing.samples import LAYOUTS, sample_memory
from memkit.testing.suites import SearcherSuite

REGISTRY = build_registry()
FITS = [
    (harness, layout)
    for harness in REGISTRY.names("harness")
    for layout in LAYOUTS
    if cast("Harness", REGISTRY.make("harness", harness)).misfit("search", layout) is None
]


@pytest.mark.parametrize(("harness", "store_layout"), FITS)
class TestAgent(SearcherSuite):
    @pytest.fixture(autouse=True)
    def _choose(self, harness: str, store_layout: Layout) -> None:
        self.harness, self.store_layout = harness, store_layout

    @pytest.fixture
    def memory(self, tmp_path: Path) -> Memory:
        return sample_memory(tmp_path / "memory", self.store_layout)

    def make(self) -> Searcher:
        chosen = {
            "model": REGISTRY.make("model", "memkit/extractive"),
            "harness": REGISTRY.make("harness", self.harness),
        }
        return cast("Searcher", REGISTRY.make("searcher", "agent", **chosen))
