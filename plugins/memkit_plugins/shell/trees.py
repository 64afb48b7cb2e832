"""Walking and removing a folder that hostile processes fill: no link is followed, no FIFO waited for.

Everything is reached by descriptor from the folder above it. Folders without permissions are opened up on the way.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import frozen

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_PATH_ONLY = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_READ_FOLDER = _READ | os.O_DIRECTORY
_BLOCK_BYTES = 512
"""What `st_blocks` counts in, whatever the filesystem."""


class TooDeep(Exception):
    """Folders lie deeper than the walk may go."""


@frozen
class Found:
    """A file or folder: its names from the root of the walk on, its status, and its folder's open descriptor."""

    names: tuple[str, ...]
    status: os.stat_result
    folder: int

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, no link to one."""
        return stat.S_ISDIR(self.status.st_mode)

    @property
    def disk_bytes(self) -> int:
        """What it takes: blocks may be reserved beyond the size, and a size may have no blocks."""
        return max(self.status.st_size, self.status.st_blocks * _BLOCK_BYTES)


def walk(root: Path, depth: int) -> Iterator[Found]:
    """Everything below `root`, a folder before what is in it; what vanishes meanwhile is left out. Raises TooDeep."""
    with _folder(str(root), None) as fd:
        yield from _walk(fd, (), depth)


def _walk(fd: int, above: tuple[str, ...], depth: int) -> Iterator[Found]:
    for name in _names(fd):
        with suppress(FileNotFoundError, NotADirectoryError):
            found = Found((*above, name), os.stat(name, dir_fd=fd, follow_symlinks=False), fd)
            yield found
            if found.is_folder:
                if len(found.names) >= depth:
                    raise TooDeep
                with _folder(name, fd) as below:
                    yield from _walk(below, found.names, depth)


def read_file(found: Found, limit: int) -> bytes | None:
    """The content of a regular file of at most `limit` bytes and of one name; None for any other."""
    pinned = os.open(found.names[-1], _PATH_ONLY, dir_fd=found.folder)
    try:
        status = os.fstat(pinned)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
            return None
        fd = _reopen(pinned, _READ, FILE_MODE)
        with os.fdopen(fd, "rb") as file:
            data = file.read(limit + 1)
        return data if len(data) <= limit else None
    finally:
        os.close(pinned)


def remove(root: Path) -> None:
    """Remove a folder with everything in it, however deep. Raises OSError.

    What is in a folder moves up to the root before the folder goes, so that no path grows long and nothing recurses.
    """
    prefix = secrets.token_hex(8)
    moved = 0
    with _folder(str(root), None) as top:
        while names := _names(top):
            for name in names:
                if not _is_folder(name, top):
                    os.unlink(name, dir_fd=top)
                    continue
                with _folder(name, top) as fd:
                    for inner in _names(fd):
                        if _is_folder(inner, fd):
                            with _folder(inner, fd):
                                pass  # opened up: a folder that moves is written to
                            os.rename(inner, f"{prefix}{moved}", src_dir_fd=fd, dst_dir_fd=top)
                            moved += 1
                        else:
                            os.unlink(inner, dir_fd=fd)
                os.rmdir(name, dir_fd=top)
    root.rmdir()


def _names(fd: int) -> list[str]:
    with os.scandir(fd) as entries:
        return sorted(entry.name for entry in entries)


def _is_folder(name: str, fd: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode)


@contextmanager
def _folder(name: str, above: int | None) -> Iterator[int]:
    """A descriptor of a folder, with which it can be listed. Raises OSError; NotADirectoryError for a link."""
    pinned = os.open(name, _PATH_ONLY | os.O_DIRECTORY, dir_fd=above)
    try:
        fd = _reopen(pinned, _READ_FOLDER, FOLDER_MODE)
    finally:
        os.close(pinned)
    try:
        yield fd
    finally:
        os.close(fd)


def _reopen(pinned: int, flags: int, mode: int) -> int:
    """Open for reading what a path-only descriptor stands for, which needed no permission, after giving it `mode`."""
    # Through /proc the very inode is meant, not a name that may have changed hands.
    path = f"/proc/self/fd/{pinned}"
    if os.fstat(pinned).st_mode & mode != mode:
        Path(path).chmod(mode)
    return os.open(path, flags)
