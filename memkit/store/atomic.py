"""Changes to one directory that happen whole or not at all, and last once they return.

Each works on (directory descriptor, name), so no link can lead it elsewhere. Content goes to a hidden
temporary file, is synced, renamed into place, and the directory is synced: after a crash of the process
or of the machine a name holds its old content or its new content. All raise OSError: Unconfirmed when only
the last step failed, any other when nothing was changed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
import shutil
import stat
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

TEMPORARY = ".tmp-"
FILE_MODE = 0o600
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_RENAME_NOREPLACE = 1


class Unconfirmed(OSError):
    """The change was made, but the disk did not confirm that it will last."""


def replace(directory: int, name: str, data: bytes) -> None:
    """Make `name` a regular file of `data`, whatever it was. Other hard links to an old file keep the old content."""
    temporary = _write_temporary(directory, data)
    with _Unlink(directory, temporary):
        os.rename(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    sync_directory(directory)


def write_file(path: Path, data: bytes) -> None:
    """`replace` for a file of memkit's own outside any store; its folder must exist."""
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        replace(directory, path.name, data)
    finally:
        os.close(directory)


def create(directory: int, name: str, data: bytes) -> None:
    """Make a new file; FileExistsError when anything has the name."""
    temporary = _write_temporary(directory, data)
    with _Unlink(directory, temporary):
        rename_no_replace(directory, temporary, directory, name)
    sync_directory(directory)


def rename(old_directory: int, old: str, new_directory: int, new: str) -> None:
    """Move a file or folder; FileExistsError when anything has the new name."""
    rename_no_replace(old_directory, old, new_directory, new)
    sync_directory(new_directory)
    sync_directory(old_directory)


def remove_file(directory: int, name: str) -> None:
    """Unlink `name`; a link is unlinked itself."""
    os.unlink(name, dir_fd=directory)
    sync_directory(directory)


def remove_directory(directory: int, name: str) -> None:
    """Remove a folder and all in it, following no link.

    The folder gets a hidden name first, so readers see all of it or none. What cannot be removed after
    that stays hidden.
    """
    hidden = _hidden_name()
    rename_no_replace(directory, name, directory, hidden)
    try:
        sync_directory(directory)
    finally:
        sweep_name(directory, hidden)


def make_directory(directory: int, name: str, mode: int) -> None:
    """Make an empty folder; FileExistsError when anything has the name."""
    os.mkdir(name, mode, dir_fd=directory)
    try:
        os.fsync(directory)
    except OSError:
        os.rmdir(name, dir_fd=directory)
        raise


def sweep(directory: int) -> None:
    """Remove what interrupted changes left in one directory. Only for the holder of the store's lock."""
    for name in os.listdir(directory):
        if name.startswith(TEMPORARY):
            sweep_name(directory, name)


def sweep_name(directory: int, name: str) -> None:
    """Remove a hidden file or folder as far as it can be."""
    # RecursionError: rmtree recurses, and a planted tree may be deeper than any path the store takes.
    with suppress(OSError, RecursionError):
        if stat.S_ISDIR(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode):
            shutil.rmtree(name, ignore_errors=True, dir_fd=directory)
        else:
            os.unlink(name, dir_fd=directory)


def rename_no_replace(old_directory: int, old: str, new_directory: int, new: str) -> None:
    """rename(2) that never replaces: FileExistsError when `new` exists. Not synced."""
    call = _renameat2()
    if call is not None:
        result = call(old_directory, os.fsencode(old), new_directory, os.fsencode(new), _RENAME_NOREPLACE)
        if result == 0:
            return
        number = ctypes.get_errno()
        if number not in (errno.EINVAL, errno.ENOSYS):
            raise OSError(number, os.strerror(number), new)
    # No such call, or a filesystem without it: the store's lock keeps other writers out between the two steps.
    with suppress(FileNotFoundError):
        os.stat(new, dir_fd=new_directory, follow_symlinks=False)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new)
    os.rename(old, new, src_dir_fd=old_directory, dst_dir_fd=new_directory)


@cache
def _renameat2() -> ctypes._NamedFuncPointer | None:
    call: ctypes._NamedFuncPointer | None = None
    if sys.platform == "linux":
        call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is not None:
        call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return call


def sync_directory(directory: int) -> None:
    """Sync a directory after a change in it. Raises Unconfirmed."""
    try:
        os.fsync(directory)
    except OSError as error:
        raise Unconfirmed(error.errno, error.strerror) from error


class _Unlink:
    """Removes the temporary file when the block fails."""

    def __init__(self, directory: int, name: str) -> None:
        self._directory = directory
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            with suppress(OSError):
                os.unlink(self._name, dir_fd=self._directory)


def _write_temporary(directory: int, data: bytes) -> str:
    name = _hidden_name()
    fd = os.open(name, _CREATE, FILE_MODE, dir_fd=directory)
    with _Unlink(directory, name):
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(fd, left) :]
            # Kernels before 6.13 stamp files by the tick (up to 10 ms); a signature needs to tell two writes apart.
            now = time.time_ns()
            os.utime(fd, ns=(now, now))
            os.fsync(fd)
        finally:
            os.close(fd)
    return name


def _hidden_name() -> str:
    return TEMPORARY + secrets.token_hex(8)
