"""A memory to index, and a way to search it as a model does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memkit.memory import Memory
from memkit.records import Message, ToolCall
from memkit.tools.dispatch import call_tool
from memkit_plugins.bm25.harness import index_of
from memkit_plugins.bm25.index import Options
from memkit_plugins.bm25.passages import Passages
from memkit_plugins.bm25.tools import chunk_tool, search_tool


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return Memory.create(tmp_path / "memory", builder="none", plugin="none", layout="tree")


@pytest.fixture
def passages(memory: Memory) -> Passages:
    """The ranking over the memory's lines."""
    return Passages(index_of(memory, Options()))


@pytest.fixture
def search(passages: Passages) -> Callable[..., Message]:
    """Calls `bm25_search` with its arguments as keywords."""
    tool = search_tool(passages)
    return lambda **arguments: asyncio.run(
        call_tool({"bm25_search": tool}, ToolCall("c1", "bm25_search", json.dumps(arguments)))
    )


@pytest.fixture
def retrieve(memory: Memory) -> Callable[[str], str]:
    """Calls `bm25_chunk_retrieve`."""
    tool = chunk_tool(Passages(index_of(memory, Options("file"))))
    return lambda query: asyncio.run(tool({"query": query}))
