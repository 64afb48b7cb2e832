"""The root directory of a store, held open; names below it are resolved without following any link.

Linux resolves a whole path at once and free of races with openat2(2) and RESOLVE_BENEATH |
RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS. Elsewhere, and where a sandbox forbids the call, each name is
opened from the directory before it with O_NOFOLLOW, which follows no link either.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TypeAlias

from memkit.errors import NotFound, PathRefused
from memkit.store.paths import ROOT, Parts

Opener: TypeAlias = Callable[[int, Parts, int], int]
"""(root fd, names, open flags) -> fd. Raises OSError: ELOOP at a link, ENOTDIR below a file."""

DIRECTORY_MODE = 0o700

READ_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a FIFO must not wait for a writer.
READ_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

# The number of openat2(2) is one for every architecture that has it; see linux/openat2.h for the flags.
_OPENAT2 = 437
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_NO_SYMLINKS = 0x04
_RESOLVE_BENEATH = 0x08


class _OpenHow(ctypes.Structure):
    """struct open_how."""

    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def open_by_openat2(root: int, parts: Parts, flags: int) -> int:
    """Open `parts` below `root` in one system call."""
    # With O_NOFOLLOW a link at the end is opened itself and then said to be no directory; without it, it is ELOOP.
    how = _OpenHow(flags & ~os.O_NOFOLLOW, 0, _RESOLVE_BENEATH | _RESOLVE_NO_SYMLINKS | _RESOLVE_NO_MAGICLINKS)
    name = "/".join(parts) or "."
    path = ctypes.c_char_p(os.fsencode(name))
    size = ctypes.c_size_t(ctypes.sizeof(how))
    while True:
        fd: int = _libc().syscall(ctypes.c_long(_OPENAT2), ctypes.c_int(root), path, ctypes.byref(how), size)
        if fd >= 0:
            return fd
        number = ctypes.get_errno()
        # EAGAIN: the kernel could not rule out that a rename moved the walk out of the root; ask again.
        if number not in (errno.EINTR, errno.EAGAIN):
            raise OSError(number, os.strerror(number), name)


def open_by_walk(root: int, parts: Parts, flags: int) -> int:
    """Open `parts` below `root`, one name at a time."""
    at = root
    try:
        for name in parts[:-1]:
            below = _open_name(at, name, READ_DIRECTORY)
            if at != root:
                os.close(at)
            at = below
        return _open_name(at, parts[-1] if parts else ".", flags)
    finally:
        if at != root:
            os.close(at)


def _open_name(directory: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags | os.O_NOFOLLOW, dir_fd=directory)
    except NotADirectoryError:
        # O_DIRECTORY on a link says ENOTDIR on some kernels; callers tell links from files by ELOOP.
        if stat.S_ISLNK(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name) from None
        raise


@cache
def best_opener() -> Opener:
    """`open_by_openat2` where a first try of it works, else `open_by_walk`."""
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"):
        return open_by_walk
    root = os.open("/", READ_DIRECTORY)
    try:
        os.close(open_by_openat2(root, (), READ_DIRECTORY))
    except OSError:
        return open_by_walk
    finally:
        os.close(root)
    return open_by_openat2


class Root:
    """An open root directory. Every descriptor it gives was reached without a link, and is the caller's to close."""

    def __init__(self, path: Path, *, opener: Opener | None = None) -> None:
        """Open `path`; NotFound when it is absent, PathRefused when it is a link or not a directory."""
        try:
            self._fd = os.open(path, READ_DIRECTORY)
        except FileNotFoundError:
            raise NotFound(f"There is no store here: the folder of {ROOT} does not exist.", path=ROOT) from None
        except OSError as error:
            if error.errno not in (errno.ELOOP, errno.ENOTDIR):
                raise
            raise PathRefused(f"The folder of {ROOT} is a link or a file; a store needs a folder.", path=ROOT) from None
        self._opener = opener or best_opener()
        weakref.finalize(self, os.close, self._fd)

    @contextmanager
    def directory(self, parts: Parts) -> Iterator[int]:
        """A descriptor of the directory `parts`, for as long as the block lasts. Raises OSError."""
        fd = self._opener(self._fd, parts, READ_DIRECTORY)
        try:
            yield fd
        finally:
            os.close(fd)

    @contextmanager
    def file(self, parts: Parts) -> Iterator[int]:
        """A descriptor to read whatever non-directory `parts` names; the caller checks its kind. Raises OSError."""
        fd = self._opener(self._fd, parts, READ_FILE)
        try:
            yield fd
        finally:
            os.close(fd)

    def status(self, parts: Parts) -> os.stat_result:
        """What `parts` names, a link being itself. Raises OSError; ELOOP when a link leads there."""
        if not parts:
            return os.fstat(self._fd)
        with self.directory(parts[:-1]) as parent:
            return os.stat(parts[-1], dir_fd=parent, follow_symlinks=False)
