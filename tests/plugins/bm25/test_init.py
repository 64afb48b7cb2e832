from __future__ import annotations

import subprocess
import sys

from memkit.registry import Registry
from memkit_plugins import bm25


def test_what_is_registered() -> None:
    """One builder, two harnesses and a searcher, each with a line for listings, made with their defaults."""
    registry = Registry()
    bm25.memkit_register(registry)

    assert [(part.kind, part.name) for part in registry] == [
        ("builder", "chunk-bm25"),
        ("harness", "center+bm25"),
        ("harness", "chunks"),
        ("searcher", "bm25-context"),
    ]
    assert all(part.note for part in registry)
    assert registry.make("builder", "chunk-bm25", {"target_tokens": 100}).layout == "chunks"
    assert registry.make("harness", "chunks", {"stemming": False}).misfit("search", "chunks") is None


def test_registering_loads_nothing_heavy() -> None:
    """Listing plugins must not wait for the search engine, the store or the token counter."""
    program = (
        "import sys; from memkit.registry import Registry; from memkit_plugins import bm25;"
        "bm25.memkit_register(Registry());"
        "print(sorted({'tantivy', 'regex', 'tiktoken', 'yaml', 'memkit.store.files'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "[]\n"
