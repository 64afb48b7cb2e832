"""The two harnesses with ranked search: Center+BM25 over files, and chunk retrieval."""

from __future__ import annotations

from collections.abc import Sequence

from memkit import STORELESS, Layout, Memory, Role, Tool, read_tools, write_tools
from memkit_plugins.bm25.index import Index, Options
from memkit_plugins.bm25.passages import Passages
from memkit_plugins.bm25.tools import chunk_tool, search_tool


class CenterBM25:
    """Center+BM25: the navigation and editing tools with ranked whole-file search on top.

    `stemming` joins the forms of English words.
    """

    def __init__(self, *, stemming: bool) -> None:
        self._kept = _Kept(Options("line", stemming))

    def misfit(self, role: Role, layout: Layout) -> str | None:
        """It serves the roles that read or write a store of notes."""
        if role == "execute":
            return "an executor acts in its environment and has no store"
        if layout in STORELESS:
            return "there is no store to navigate"
        if layout == "chunks":
            return "a chunk store has no folders to navigate"
        return None

    def tools(self, role: Role, memory: Memory) -> Sequence[Tool]:
        """The tools of Center for the role, then `bm25_search`."""
        center = write_tools(memory.store) if role == "manage" else read_tools(memory.store)
        return (*center, search_tool(self._kept.passages(memory)))


class Chunks:
    """Chunk retrieval: one tool that returns the best chunks in full. `stemming` joins the forms of English words."""

    def __init__(self, *, stemming: bool) -> None:
        self._kept = _Kept(Options("file", stemming))

    def misfit(self, role: Role, layout: Layout) -> str | None:
        """It serves the search of chunk stores alone."""
        if role != "search":
            return "chunk retrieval can only search"
        if layout != "chunks":
            return "needs a chunk store"
        return None

    def tools(self, role: Role, memory: Memory) -> Sequence[Tool]:  # noqa: ARG002
        """`bm25_chunk_retrieve` alone."""
        return (chunk_tool(self._kept.passages(memory)),)


def index_of(memory: Memory, options: Options) -> Index:
    """The index of a memory."""
    return Index(memory.store, memory.index_dir, memory.lock, options)


class _Kept:
    """The passages of the last memory used: its next question finds the index open and the terms at hand."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._last: Passages | None = None

    def passages(self, memory: Memory) -> Passages:
        if self._last is None or self._last.index.store is not memory.store:
            self._last = Passages(index_of(memory, self._options))
        return self._last
