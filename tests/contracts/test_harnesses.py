"""Every harness that is installed keeps the promises of a harness."""

from __future__ import annotations

from typing import cast

import pytest

from memkit import Harness, UserError, build_registry
from memkit.testing.suites import HarnessSuite

REGISTRY = build_registry()


@pytest.mark.parametrize("name", REGISTRY.names("harness"))
class TestHarnesses(HarnessSuite):
    @pytest.fixture(autouse=True)
    def _choose(self, name: str) -> None:
        self.name = name

    def make(self) -> Harness:
        try:
            return cast("Harness", REGISTRY.make("harness", self.name))
        except UserError as refusal:
            # One that needs a sandbox is not made on a machine without.
            pytest.skip(str(refusal))
