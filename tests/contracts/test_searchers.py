"""Every searcher with the embedded model keeps the promises of a searcher, over each harness and layout that fit it."""

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
WITHOUT_TOOLS = [
    (name, layout)
    for name in ("tm", "long-context", "tally", "tally-lite", "fixed-counter", "voting", "bm25-context")
    for layout in sorted(REGISTRY.part("searcher", name).layouts or ("ledger", "flat"))
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


@pytest.mark.parametrize(("name", "store_layout"), WITHOUT_TOOLS)
class TestWithoutTools(SearcherSuite):
    """What reads the archive or the ledger in one go."""

    @pytest.fixture(autouse=True)
    def _choose(self, name: str, store_layout: Layout) -> None:
        self.name, self.store_layout = name, store_layout

    @pytest.fixture
    def memory(self, tmp_path: Path) -> Memory:
        return sample_memory(tmp_path / "memory", self.store_layout)

    def make(self) -> Searcher:
        model = REGISTRY.make("model", "memkit/extractive")
        return cast("Searcher", REGISTRY.make("searcher", self.name, model=model))
