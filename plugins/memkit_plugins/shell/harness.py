"""The harness Shell: a bash command line over a private copy of the store."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import field, frozen

from memkit import STORELESS, Layout, Memory, Role, Tool
from memkit_plugins.shell.caps import DEFAULT_CAPS, Caps
from memkit_plugins.shell.sandbox import Box
from memkit_plugins.shell.tool import Managing, Searching, bash_tool


@frozen(eq=False)
class Shell:
    """One tool, `bash`, run by `box` within `caps`."""

    box: Box
    caps: Caps = DEFAULT_CAPS
    _searching: Searching = field(init=False, repr=False)

    @_searching.default
    def _new_searching(self) -> Searching:
        return Searching(self.box, self.caps)

    @property
    def level(self) -> str:
        """The protection in force, A or E; see docs/explanation/sandbox.md. It belongs into the record of a run."""
        return self.box.level

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
        """`bash` alone; what it changes is stored for a manager only."""
        if role == "manage":
            return (bash_tool(partial(Managing(self.box, self.caps).run, memory.store), writes=True),)
        return (bash_tool(partial(self._searching.run, memory.store), writes=False),)
