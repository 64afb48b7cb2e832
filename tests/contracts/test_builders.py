"""Every builder that is installed keeps the promises of a builder."""

from __future__ import annotations

from typing import cast

import pytest

from memkit import Builder, build_registry
from memkit.testing.suites import BuilderSuite

REGISTRY = build_registry()


@pytest.mark.parametrize("name", REGISTRY.names("builder"))
class TestBuilders(BuilderSuite):
    @pytest.fixture(autouse=True)
    def _choose(self, name: str) -> None:
        self.name = name

    def make(self) -> Builder:
        chosen = {"model": REGISTRY.make("model", "memkit/extractive"), "harness": REGISTRY.make("harness", "center")}
        return cast("Builder", REGISTRY.make("builder", self.name, **chosen))
