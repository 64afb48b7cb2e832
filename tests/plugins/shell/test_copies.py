"""Private copies of a store."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memkit import Memory
from memkit_plugins.shell import copies
from memkit_plugins.shell.copies import Copy


@pytest.fixture
def filled(memory: Memory) -> Memory:
    """A memory with two files, an empty folder, and what no copy holds."""
    for path in ("/memories/a.md", "/memories/people/ana.md", "/memories/empty/x.md"):
        memory.store.write(path, "é\n")
    memory.store.delete("/memories/empty/x.md")
    root = memory.path / "memories"
    (root / "link.md").symlink_to(memory.path / "memory.toml")
    (root / ".hidden").write_text("x")
    os.mkfifo(root / "pipe.md")
    return memory


def test_copy(filled: Memory) -> None:
    """Regular files and folders are copied, for one user alone, with no time of this run."""
    copy = Copy.of(filled.store)
    found = {str(path.relative_to(copy.memories)): path for path in sorted(copy.memories.rglob("*"))}

    assert ["a.md", "empty", "people", "people/ana.md"] == list(found)
    assert "é\n" == found["a.md"].read_text(encoding="utf-8")
    assert [0o700, 0o700] == [path.stat().st_mode & 0o777 for path in (copy.path, copy.memories)]
    assert {0.0} == {path.stat().st_mtime for path in (*found.values(), copy.memories)}
    owner = copies.NOBODY if os.geteuid() == 0 else os.geteuid()
    assert {owner} == {path.stat().st_uid for path in (copy.path, copy.memories, *found.values())}


def test_copy_goes_with_the_object(filled: Memory) -> None:
    """A copy nobody holds any more leaves no folder."""
    copy = Copy.of(filled.store)
    path = copy.path
    del copy

    assert not path.exists()


def test_is_current(filled: Memory) -> None:
    """A change by a writer is noticed, and one by hand."""
    copy = Copy.of(filled.store)
    assert copy.is_current()

    (filled.path / "memories" / "a.md").write_text("by hand")
    by_hand = copy.is_current()
    copy = Copy.of(filled.store)
    filled.store.write("/memories/b.md", "")
    filled.store.delete("/memories/b.md")

    assert (False, False) == (by_hand, copy.is_current())


@pytest.mark.parametrize("stale", [True, False])
def test_sweep(filled: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, stale: bool) -> None:
    """What a killed process left is removed after a while; a copy in use, and what is no copy, stay."""
    monkeypatch.setattr(copies, "MEMORY_FOLDER", tmp_path)
    used, left, other = Copy.of(filled.store).path, tmp_path / f"{copies.PREFIX}left", tmp_path / "other"
    held = Copy.of(filled.store)
    for folder in (left, other):
        (folder / "memories" / "people").mkdir(parents=True)
    for folder in (left, other, held.path):
        os.utime(folder, (0, 0) if stale else None)

    copies.sweep()

    assert [not stale, True, True] == [left.exists(), other.exists(), held.path.exists()]
    assert not used.exists()


def test_small_memory_folder_is_left_alone(filled: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the folder in memory has no room or is absent, copies go where temporary files go."""
    monkeypatch.setattr(copies, "MEMORY_FOLDER", tmp_path / "absent")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    assert tmp_path == Copy.of(filled.store).path.parent
