"""Folders for new names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memkit.errors import AlreadyExists
from memkit.store.folders import check_free, new_name
from memkit.store.root import Root


def keep_and_fail(folder: Path) -> None:
    """Put a file in a folder, then fail."""
    (folder / "kept.md").touch()
    folder.mkdir()


def test_made_folders_stay_on_success(tmp_path: Path) -> None:
    """The folders that were missing are there after the block, the innermost one given as a descriptor."""
    with new_name(Root(tmp_path), ("a", "b", "c.md")) as fd:
        assert os.path.samestat(os.fstat(fd), (tmp_path / "a" / "b").stat())

    assert (tmp_path / "a" / "b").is_dir()


def test_made_folders_go_on_failure(tmp_path: Path) -> None:
    """Only the folders that were made are removed again, and only when they are empty."""
    (tmp_path / "a").mkdir()
    with pytest.raises(ZeroDivisionError), new_name(Root(tmp_path), ("a", "b", "c", "d.md")):
        raise ZeroDivisionError

    assert (tmp_path / "a").is_dir()
    assert list((tmp_path / "a").iterdir()) == []

    with pytest.raises(FileExistsError), new_name(Root(tmp_path), ("a", "b", "c", "d.md")):
        keep_and_fail(tmp_path / "a" / "b")

    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["kept.md"]


def test_file_in_place_of_a_folder(tmp_path: Path) -> None:
    """Nothing is put inside a file."""
    (tmp_path / "a").touch()
    with pytest.raises(NotADirectoryError), new_name(Root(tmp_path), ("a", "b", "c.md")):
        pass


@pytest.mark.parametrize("name", ["a.md", "A.md", "\u00c9", "e\u0301"])
def test_check_free(tmp_path: Path, name: str) -> None:
    """A name is taken by itself and by what differs only in case or accent form."""
    (tmp_path / "a.md").touch()
    (tmp_path / "\u00e9").touch()
    with Root(tmp_path).directory(()) as fd:
        check_free(fd, "b.md", "/memories/b.md")
        with pytest.raises(AlreadyExists):
            check_free(fd, name, f"/memories/{name}")
