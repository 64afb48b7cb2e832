"""The columns of a build."""

from __future__ import annotations

from pathlib import Path

from memkit.compare.builds import BUILD, STORE, build_columns
from memkit.memory import Memory


def test_columns(tmp_path: Path) -> None:
    """Every column is there, counted over the files of the store; what cannot be measured is None."""
    memory = Memory.create(tmp_path / "memory", builder="verbatim", plugin="agent-memkit 0", layout="tree")
    memory.store.create("/memories/x/tea.md", f"# Tea\n\n{'pear ' * 10}\n\nsee /memories/no.md\n")
    memory.store.create("/memories/rain.md", "plum " * 10)
    memory.store.create("/memories/data.txt", "no markdown")
    (memory.path / "memories" / "blob.bin").write_bytes(b"\x00\xff")
    found = build_columns(memory)

    assert (*BUILD, *STORE) == tuple(found)
    assert {
        "files": 4,
        "bytes": 142,
        "folders": 1,
        "sections": 1,
        "references": 1,
        "dangling": 1,
        "leaves": 2,
        "mean_depth": 2.0,
        "max_depth": 3,
        "fanout": 4 / 3,
        "content_units": 2,
        "distinguishability": 1.0,
        "least_distinguishability": 1.0,
        "cohesion": None,
        "leakage": 0.0,
        "distance_correlation": None,
    }.items() <= found.items()


def test_no_store(tmp_path: Path) -> None:
    """A memory without files has counts of 0, and no means."""
    found = build_columns(Memory.create(tmp_path / "m", builder="closed-book", plugin="agent-memkit 0", layout="none"))

    assert (0, 0, None, None) == (found["files"], found["sections"], found["mean_depth"], found["distinguishability"])
