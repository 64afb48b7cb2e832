"""What the tests of comparisons share: the registry of the installed plugins, and specs over the demo data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memkit.compare.spec import Spec
from memkit.converter import structure
from memkit.plugins import build_registry
from memkit.registry import Registry

MakeSpec = Callable[..., Spec]


@pytest.fixture(scope="session")
def registry() -> Registry:
    """The parts of the installed plugins."""
    return build_registry()


@pytest.fixture(scope="session")
def make_spec() -> MakeSpec:
    """A spec over three questions of the demo: `verbatim` under `center`, changed by keyword."""

    def make(*, select: dict[str, Any] | None = None, **changes: Any) -> Spec:
        spec = {
            "data": [{"use": "demo", "select": {"limit": 3, **(select or {})}}],
            "factors": {"builder": ["verbatim"], "harness": ["center"]},
            **changes,
        }
        return structure(Spec, spec, where="spec")

    return make
