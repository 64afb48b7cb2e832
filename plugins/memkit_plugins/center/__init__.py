"""The harness `center`: file tools over a store that has folders to navigate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memkit import STORELESS, Layout, Registry, Role, Tool, hookimpl

if TYPE_CHECKING:
    from memkit import Memory  # Importing it loads the store, which registering does not need.


class Center:
    """File tools: view, grep and outlines to search a store; the memory tool's commands and grep to manage one."""

    def misfit(self, role: Role, layout: Layout) -> str | None:
        """An executor never sees the store, and where there is none or one of chunks there is nothing to navigate."""
        if role == "execute":
            return "an executor acts in its environment, not on the store"
        if layout in STORELESS:
            return "there is no store to navigate"
        if layout == "chunks":
            return "a chunk store has no folders to navigate"
        return None

    def tools(self, role: Role, memory: Memory) -> Sequence[Tool]:
        """The seven tools of a manager, or the four that only read."""
        from memkit import read_tools, write_tools

        return write_tools(memory.store) if role == "manage" else read_tools(memory.store)


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the harness."""
    registry.harness("center", Center)
