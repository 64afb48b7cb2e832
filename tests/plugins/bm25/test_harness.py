from __future__ import annotations

import asyncio
from pathlib import Path

from memkit.memory import Memory
from memkit_plugins.bm25 import center_bm25, chunks

LAYOUTS = ("tree", "flat", "chunks")


def test_who_the_harnesses_serve() -> None:
    """Center+BM25 serves managers and searchers of notes, chunk retrieval searchers of chunk stores."""
    fits = {
        (name, role, layout): harness.misfit(role, layout) is None
        for name, harness in (("center+bm25", center_bm25()), ("chunks", chunks()))
        for role in ("manage", "search", "execute")
        for layout in LAYOUTS
    }

    assert {key for key, fit in fits.items() if fit} == {
        *(("center+bm25", role, layout) for role in ("manage", "search") for layout in ("tree", "flat")),
        ("chunks", "search", "chunks"),
    }
    assert chunks().misfit("search", "tree") == "needs a chunk store"


def test_the_tools_of_each_role(memory: Memory) -> None:
    """Ranked search comes on top of the tools of Center, and chunk retrieval alone."""
    tools = {
        (name, role): [tool.spec.name for tool in harness.tools(role, memory)]
        for name, harness, role in (
            ("center+bm25", center_bm25(), "manage"),
            ("center+bm25", center_bm25(), "search"),
            ("chunks", chunks(), "search"),
        )
    }

    assert tools == {
        ("center+bm25", "manage"): [
            "view",
            "create",
            "str_replace",
            "insert",
            "delete",
            "rename",
            "grep",
            "bm25_search",
        ],
        ("center+bm25", "search"): ["view", "grep", "toc", "section_read", "bm25_search"],
        ("chunks", "search"): ["bm25_chunk_retrieve"],
    }


def test_a_manager_finds_what_it_just_wrote(memory: Memory) -> None:
    """The search of either role sees the edit before it, also through tools made earlier."""
    manager = {tool.spec.name: tool for tool in center_bm25().tools("manage", memory)}
    searcher = {tool.spec.name: tool for tool in center_bm25().tools("search", Memory.open(memory.path))}
    asyncio.run(searcher["bm25_search"]({"query": "Lisbon"}))
    asyncio.run(manager["create"]({"path": "/memories/a.md", "file_text": "Lisbon\n"}))

    for tools in (manager, searcher):
        assert asyncio.run(tools["bm25_search"]({"query": "Lisbon"})) == "/memories/a.md\n     1\tLisbon"


def test_one_harness_serves_several_memories(memory: Memory, tmp_path: Path) -> None:
    """Tools made for one memory keep to it when the harness is used for another."""
    other = Memory.create(tmp_path / "other", builder="none", plugin="none", layout="tree")
    memory.store.create("/memories/a.md", "Lisbon\n")
    other.store.create("/memories/b.md", "Lisbon\n")
    harness = center_bm25()
    searches = [harness.tools("search", m)[-1] for m in (memory, other, memory)]

    found = [asyncio.run(search({"query": "Lisbon"})).partition("\n")[0] for search in searches]
    assert found == ["/memories/a.md", "/memories/b.md", "/memories/a.md"]
