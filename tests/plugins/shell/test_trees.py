"""Walking and removing hostile folders."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memkit_plugins.shell import trees


def names(root: Path, depth: int = 5) -> list[str]:
    """What a walk finds."""
    return ["/".join(found.names) for found in trees.walk(root, depth)]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with a link out of it, a FIFO, a socket, a closed folder and a closed file."""
    root = tmp_path / "root"
    (root / "closed").mkdir(parents=True)
    (root / "closed" / "file.md").write_text("x")
    (root / "closed" / "file.md").chmod(0)
    (root / "closed").chmod(0)
    (root / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept.md").write_text("kept")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(root / "socket"))
    return root


def test_walk(hostile: Path) -> None:
    """Closed folders are entered, links are not, and nothing waits."""
    assert ["closed", "closed/file.md", "link", "pipe", "socket"] == names(hostile)


def test_walk_is_bounded(tmp_path: Path) -> None:
    """A folder at the last depth is an error, so that nothing hides below it."""
    (tmp_path / "a" / "b").mkdir(parents=True)

    assert ["a", "a/b"] == names(tmp_path, 3)
    with pytest.raises(trees.TooDeep):
        names(tmp_path, 2)


def test_read_file(hostile: Path, tmp_path: Path) -> None:
    """Regular files of one name within the limit are read, closed ones too; nothing else is."""
    (hostile / "twin.md").write_text("y")
    os.link(hostile / "twin.md", tmp_path / "outside" / "twin.md")
    read = {
        "/".join(found.names): (trees.read_file(found, 1), trees.read_file(found, 0))
        for found in trees.walk(hostile, 5)
        if not found.is_folder
    }

    nothing = (None, None)
    assert {
        "closed/file.md": (b"x", None),
        "link": nothing,
        "pipe": nothing,
        "socket": nothing,
        "twin.md": nothing,
    } == read


def test_reserved_blocks_count(tmp_path: Path) -> None:
    """Disk space that is reserved beyond a file's size counts, and so does a size without blocks."""
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1_000_000)

    assert [1_000_000] == [found.disk_bytes for found in trees.walk(tmp_path, 1)]


def test_remove(hostile: Path, tmp_path: Path) -> None:
    """All of it goes, and nothing that a link leads to."""
    trees.remove(hostile)

    assert not hostile.exists()
    assert "kept" == (tmp_path / "outside" / "kept.md").read_text()


def test_remove_deep(tmp_path: Path) -> None:
    """A tree deeper than any path may be long is removed."""
    root = tmp_path / "root"
    root.mkdir()
    fd = os.open(root, os.O_RDONLY)
    for _ in range(3_000):
        os.mkdir("d", dir_fd=fd)
        below = os.open("d", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    os.close(fd)

    trees.remove(root)

    assert not root.exists()
