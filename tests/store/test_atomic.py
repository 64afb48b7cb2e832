"""Changes to one directory that happen whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from memkit.store import atomic


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[int]:
    """A descriptor of tmp_path."""
    fd = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield fd
    os.close(fd)


def names(directory: Path) -> list[str]:
    """What a directory has, in order."""
    return sorted(path.name for path in directory.iterdir())


def test_replace_leaves_other_links_alone(directory: int, tmp_path: Path) -> None:
    """A hard link elsewhere keeps the old content, and the new file is private."""
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "other").hardlink_to(tmp_path / "a")
    atomic.replace(directory, "a", b"new")

    assert ((tmp_path / "a").read_bytes(), (tmp_path / "other").read_bytes()) == (b"new", b"old")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
    assert names(tmp_path) == ["a", "other"]


def test_replace_unlinks_a_link(directory: int, tmp_path: Path) -> None:
    """A link in the way is replaced itself; its target stays."""
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "a").symlink_to("target")
    atomic.replace(directory, "a", b"new")

    assert (tmp_path / "target").read_bytes() == b"old"
    assert not (tmp_path / "a").is_symlink()


def test_create_never_replaces(directory: int, tmp_path: Path) -> None:
    """A taken name is an error that leaves the content and no temporary file."""
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        atomic.create(directory, "a", b"new")

    assert (tmp_path / "a").read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("way", ["system call", "two steps"])
def test_rename_never_replaces(directory: int, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is renamed over a file, a folder or an empty folder, with the system call or without it."""
    if way == "two steps":
        monkeypatch.setattr(atomic, "_renameat2", lambda: None)
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "other").write_bytes(b"2")
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "dangling").symlink_to("nowhere")
    for old, new in [
        ("file", "other"),
        ("folder", "empty"),
        ("file", "folder"),
        ("folder", "file"),
        ("file", "dangling"),
    ]:
        with pytest.raises(FileExistsError):
            atomic.rename(directory, old, directory, new)
    atomic.rename(directory, "file", directory, "moved")

    assert names(tmp_path) == ["dangling", "empty", "folder", "moved", "other"]


def test_remove_directory_follows_no_link(directory: int, tmp_path: Path) -> None:
    """What links in a removed folder point to stays."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_bytes(b"1")
    (tmp_path / "gone" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "gone" / "deep" / "link").symlink_to(tmp_path / "kept")
    atomic.remove_directory(directory, "gone")

    assert names(tmp_path) == ["kept"]
    assert names(tmp_path / "kept") == ["file"]


def test_sweep_removes_leftovers_only(directory: int, tmp_path: Path) -> None:
    """Temporary files and half-removed folders go; everything else stays."""
    (tmp_path / f"{atomic.TEMPORARY}1").write_bytes(b"")
    (tmp_path / f"{atomic.TEMPORARY}2" / "deep").mkdir(parents=True)
    (tmp_path / ".hidden").write_bytes(b"")
    (tmp_path / "a.md").write_bytes(b"")
    atomic.sweep(directory)

    assert names(tmp_path) == [".hidden", "a.md"]


def test_failed_directory_sync_is_unconfirmed(tmp_path: Path) -> None:
    """A failure of the last step is told apart from one that changed nothing."""
    reading, writing = os.pipe()
    with pytest.raises(atomic.Unconfirmed) as caught:
        atomic.sync_directory(reading)
    os.close(reading)
    os.close(writing)

    assert caught.value.errno == errno.EINVAL
