"""The harness of a memory without a store."""

from __future__ import annotations

from collections.abc import Sequence

from memkit import Layout, Memory, Role, Tool


class NoTools:
    """No tools: for the search of a memory that has no store."""

    def misfit(self, role: Role, layout: Layout) -> str | None:
        """It serves a search that has nothing to search, and nothing else."""
        if role != "search":
            return "only a search can do without tools"
        return None if layout == "none" else "gives no tools to reach the store with"

    def tools(self, role: Role, memory: Memory) -> Sequence[Tool]:  # noqa: ARG002 - whatever is asked for
        """None."""
        return ()
