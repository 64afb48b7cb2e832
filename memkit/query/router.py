"""Whether the evidence computed for a question goes to the reader (ledger paper, appendix J)."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Route: TypeAlias = Literal["above", "always", "never"]
ROUTES: tuple[Route, ...] = get_args(Route)
ROUTER_LOAD = 15
"""Events that a reader still counts by itself: evidence is attached above this load (ledger paper, section 6)."""


def attaches(route: Route, load: int | None) -> bool:
    """Whether evidence of this load is attached; never where nothing was computed, which is a load of None."""
    if load is None or route == "never":
        return False
    return route == "always" or load > ROUTER_LOAD
