"""Resolving names below the root without following a link."""

from __future__ import annotations

import errno
import gc
import os
import threading
from pathlib import Path

import pytest

from memkit.errors import NotFound, PathRefused
from memkit.store.root import Opener, Root, best_opener, open_by_openat2, open_by_walk

OPENERS = [open_by_walk] + ([open_by_openat2] if best_opener() is open_by_openat2 else [])
openers = pytest.mark.parametrize("opener", OPENERS)


def count_descriptors() -> int:
    """How many files this process has open."""
    gc.collect()  # what earlier tests left to be collected must not go in between
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A root with a file, a folder, and links to a file and a folder outside."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    root = tmp_path / "memories"
    (root / "folder").mkdir(parents=True)
    (root / "folder" / "file.md").write_text("inside")
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "inner").symlink_to("folder")
    (root / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "loop").symlink_to("loop")
    return root


@openers
def test_reads_a_file(tree: Path, opener: Opener) -> None:
    """A plain path gives the file itself."""
    with Root(tree, opener=opener).file(("folder", "file.md")) as fd:
        assert os.read(fd, 100) == b"inside"


@openers
@pytest.mark.parametrize(
    ("parts", "number"),
    [
        (("link.md",), errno.ELOOP),
        (("link",), errno.ELOOP),
        (("loop",), errno.ELOOP),
        (("link", "secret.md"), errno.ELOOP),
        (("inner", "file.md"), errno.ELOOP),
        (("folder", "file.md", "x"), errno.ENOTDIR),
        (("folder", "nothing"), errno.ENOENT),
        (("nothing", "x"), errno.ENOENT),
    ],
)
def test_errors_are_the_same_for_both(tree: Path, opener: Opener, parts: tuple[str, ...], number: int) -> None:
    """Links say ELOOP, files in place of folders ENOTDIR, whichever way names are resolved."""
    with pytest.raises(OSError) as caught, Root(tree, opener=opener).file(parts):
        pass

    assert number == caught.value.errno


@openers
def test_directory_refuses_link(tree: Path, opener: Opener) -> None:
    """A link to a folder is no folder."""
    with pytest.raises(OSError) as caught, Root(tree, opener=opener).directory(("inner",)):
        pass

    assert caught.value.errno == errno.ELOOP


@openers
def test_leaves_no_descriptor(tree: Path, opener: Opener) -> None:
    """Success and failure alike close what they opened."""
    root = Root(tree, opener=opener)
    before = count_descriptors()
    with root.directory(("folder",)), root.directory(()):
        pass
    for parts in (("folder", "nothing"), ("link", "x"), ("folder", "file.md", "x")):
        with pytest.raises(OSError), root.file(parts):
            pass

    assert before == count_descriptors()


def test_root_must_be_a_folder(tree: Path) -> None:
    """An absent root is NotFound; a link or a file is refused; no message has the host path."""
    for name, kind in [("absent", NotFound), ("inner", PathRefused), ("folder/file.md", PathRefused)]:
        with pytest.raises(kind) as caught:
            Root(tree / name)

        assert str(tree) not in str(caught.value)


@openers
def test_swapped_folder_never_leads_outside(tree: Path, opener: Opener) -> None:
    """While a thread swaps a folder for a link to outside, a reader gets the inside file or an error."""
    (tree / "folder" / "secret.md").write_text("inside")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (tree / "folder").rename(tree / "kept")
            (tree / "folder").symlink_to("../outside")
            (tree / "folder").unlink()
            (tree / "kept").rename(tree / "folder")

    thread = threading.Thread(target=swap)
    thread.start()
    root = Root(tree, opener=opener)
    read, refused = 0, 0
    try:
        while read < 200 or refused < 200:
            try:
                with root.file(("folder", "secret.md")) as fd:
                    assert os.read(fd, 100) == b"inside"
                    read += 1
            except (FileNotFoundError, NotADirectoryError):
                refused += 1
            except OSError as error:
                if error.errno != errno.ELOOP:
                    raise
                refused += 1
    finally:
        stop.set()
        thread.join()
