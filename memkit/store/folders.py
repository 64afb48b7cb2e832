"""Places for new names: a name must be free in its folder, and the folders to it are made when missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from memkit.errors import AlreadyExists
from memkit.store.atomic import make_directory
from memkit.store.faults import already_exists
from memkit.store.paths import Parts, shown, twin, virtual
from memkit.store.root import DIRECTORY_MODE, Root


def check_free(directory: int, name: str, path: str) -> None:
    """Raise AlreadyExists when the directory has the name, or one that some filesystem takes for it."""
    present = os.listdir(directory)
    if name in present:
        raise already_exists(path)
    other = twin(name, present)
    if other is not None:
        raise AlreadyExists(
            f"{shown(path)} already exists as {shown(other)}: names that differ only in case or accent form are one.",
            path=path,
        )


@contextmanager
def new_name(root: Root, parts: Parts) -> Iterator[int]:
    """A descriptor of the folder that is to hold `parts`. Folders made for it are removed when the block fails.

    Raises AlreadyExists for a folder whose name is taken, OSError.
    """
    made: list[Parts] = []
    try:
        for depth in range(_present(root, parts[:-1]) + 1, len(parts)):
            with root.directory(parts[: depth - 1]) as fd:
                check_free(fd, parts[depth - 1], virtual(parts[:depth]))
                make_directory(fd, parts[depth - 1], DIRECTORY_MODE)
                made.append(parts[:depth])
        with root.directory(parts[:-1]) as fd:
            yield fd
    except BaseException:
        for folder in reversed(made):
            with suppress(OSError), root.directory(folder[:-1]) as fd:
                os.rmdir(folder[-1], dir_fd=fd)
        raise


def _present(root: Root, folders: Parts) -> int:
    """How many of the folders, from the outermost on, are there."""
    for depth in range(len(folders), -1, -1):
        with suppress(FileNotFoundError), root.directory(folders[:depth]):
            return depth
    return 0
