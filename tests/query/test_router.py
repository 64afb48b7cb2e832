from __future__ import annotations

import pytest

from memkit.query.router import ROUTER_LOAD, Route, attaches


@pytest.mark.parametrize(
    ("route", "load", "expected"),
    [
        ("above", ROUTER_LOAD, False),
        ("above", ROUTER_LOAD + 1, True),
        ("above", 0, False),
        ("always", 0, True),
        ("never", 1000, False),
        ("above", None, False),
        ("always", None, False),
        ("never", None, False),
    ],
)
def test_attaches(route: Route, load: int | None, *, expected: bool) -> None:
    """Above the paper's load of 15, always or never; and never what was not computed."""
    assert (15, expected) == (ROUTER_LOAD, attaches(route, load))
