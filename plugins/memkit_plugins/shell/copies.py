"""Private copies of a store: what commands see as /memories in place of the store itself."""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from memkit import ROOT, NotFound, Store
from memkit_plugins.shell import trees
from memkit_plugins.shell.caps import MIB, Caps

PREFIX = "memkit-shell-"
MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - names in it are drawn at random, and made for one user
"""Where copies go for choice: memory, since making and removing many small files is slow on some disks."""
ROOM_BYTES = 256 * MIB
"""What must be free there beside the copy itself."""
STALE_SECONDS = 3600.0
"""A copy of that age which nobody holds was left by a process that was killed."""
NOBODY = 65_534
"""The user and group a command has when root runs it, and sees itself as having in any case."""
_HOLD = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# No clock of this run gets into what a model reads, so that a rerun sends the same requests.
_TIMES = (0, 0)


@frozen(eq=False)
class Copy:
    """A store's files as of `generation` and `signatures`, below `path`; `size` is what they took on the disk at first.

    The folder is removed with the object at the latest.
    """

    path: Path
    store: Store
    generation: int
    signatures: Mapping[str, Any]
    folders: frozenset[str]
    size: int

    @classmethod
    def of(cls, store: Store) -> Copy:
        """Copy the regular files and folders of a store. Raises StoreError, OSError."""
        generation, signatures = store.generation, store.scan()
        folders = [entry.path for entry in store.entries() if entry.is_dir]
        owner = NOBODY if os.geteuid() == 0 else None
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_place(sum(one.size for one in signatures.values()))))
        held = os.open(path, _HOLD)
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            for folder in (ROOT, *folders):
                (path / folder[1:]).mkdir(trees.FOLDER_MODE)
            for file, signature in signatures.items():
                with suppress(NotFound):  # removed since it was listed; the generation will tell
                    _write(path / file[1:], store.load(file, signature), owner)
            for folder in (*reversed(folders), ROOT):
                os.utime(path / folder[1:], _TIMES)
                _hand_over(path / folder[1:], owner)
            _hand_over(path, owner)
            size = sum(found.disk_bytes for found in _walk(path, store))
        except BaseException:
            _remove(path)
            os.close(held)
            raise
        copy = cls(path, store, generation, signatures, frozenset(folders), size)
        weakref.finalize(copy, os.close, held)
        weakref.finalize(copy, _remove, path)
        return copy

    @property
    def memories(self) -> Path:
        """The folder that stands for /memories."""
        return self.path / ROOT[1:]

    def walk(self) -> Iterator[trees.Found]:
        """Everything in it. Raises trees.TooDeep for folders deeper than a store has them."""
        return _walk(self.path, self.store)

    def is_current(self) -> bool:
        """Whether the store still is as it was copied."""
        return self.store.generation == self.generation and self.store.scan() == self.signatures

    def over(self, caps: Caps) -> str | None:
        """The cap on its growth that the copy is over, or None. Safe to ask while a command runs."""
        most_files = len(self.signatures) + len(self.folders) + caps.growth_files
        most_bytes = self.size + caps.growth_bytes
        files = size = 0
        try:
            for found in self.walk():
                files += 1
                size += found.disk_bytes
                if files > most_files:
                    return f"it made more than {caps.growth_files:,} files and folders"
                if size > most_bytes:
                    return f"it added more than {caps.growth_bytes:,} bytes to {ROOT}"
        except OSError as error:
            return f"its folder can no longer be read ({error.strerror})"
        except trees.TooDeep:
            return f"it made folders more than {self.store.limits.depth} deep"
        return None

    def remove(self) -> None:
        """Remove the folder; harmless when it is gone."""
        _remove(self.path)


def _place(size: int) -> Path | None:
    """The folder in memory when it has room; else None, the usual one for temporary files."""
    with suppress(OSError):
        disk = os.statvfs(MEMORY_FOLDER)
        if disk.f_bavail * disk.f_frsize > size + ROOM_BYTES and os.access(MEMORY_FOLDER, os.W_OK | os.X_OK):
            return MEMORY_FOLDER
    return None


def sweep() -> None:
    """Remove the copies that killed processes left."""
    for path in (*MEMORY_FOLDER.glob(f"{PREFIX}*"), *Path(tempfile.gettempdir()).glob(f"{PREFIX}*")):
        with suppress(OSError):
            if time.time() - path.lstat().st_mtime > STALE_SECONDS:
                _sweep(path)


def _sweep(path: Path) -> None:
    held = os.open(path, _HOLD)
    try:
        if os.fstat(held).st_uid not in (os.geteuid(), *((NOBODY,) if os.geteuid() == 0 else ())):
            return
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        trees.remove(path)
    finally:
        os.close(held)


def _walk(path: Path, store: Store) -> Iterator[trees.Found]:
    # One deeper than paths of a store: what is there is refused by its path.
    return trees.walk(path / ROOT[1:], store.limits.depth + 1)


def _write(path: Path, data: bytes, owner: int | None) -> None:
    fd = os.open(path, _CREATE, trees.FILE_MODE)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(fd, left) :]
        os.utime(fd, _TIMES)
        if owner is not None:
            os.fchown(fd, owner, owner)
    finally:
        os.close(fd)


def _hand_over(folder: Path, owner: int | None) -> None:
    if owner is not None:
        os.chown(folder, owner, owner)


def _remove(path: Path) -> None:
    # What cannot be removed is private, and in a folder for temporary files.
    with suppress(OSError):
        trees.remove(path)
