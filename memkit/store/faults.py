"""What the operating system refused, said as errors of the store: virtual paths only, never a host path."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memkit.errors import AlreadyExists, NotFound, PathRefused, StoreError, TooLarge
from memkit.store.atomic import Unconfirmed
from memkit.store.paths import refused, shown

_REASONS = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "the disk quota is used up; free some space",
    errno.EROFS: "the disk is read-only; make it writable or copy the memory elsewhere",
    errno.EIO: "the disk failed to read or write; check the disk",
    errno.EACCES: "the operating system denies access; check the owner and mode of the memory directory",
    errno.EPERM: "the operating system denies access; check the owner and mode of the memory directory",
    errno.EMFILE: "this process has too many files open; close some",
    errno.ENFILE: "the system has too many files open; close some",
    errno.ESTALE: "the folder is gone from under the store; open the memory again",
}


def translate(error: OSError, path: str) -> StoreError:
    """The store's error for `error`, met while working on the virtual `path`."""
    number = error.errno or 0
    reason = _REASONS.get(number) or os.strerror(number).lower()
    if isinstance(error, Unconfirmed):
        return StoreError(f"{shown(path)} was changed, but the change may not last: {reason}.", path=path)
    known = _KNOWN.get(number)
    return known(path) if known else StoreError(f"The store could not work on {shown(path)}: {reason}.", path=path)


def not_found(path: str) -> NotFound:
    """Nothing has this name."""
    return NotFound(f"{shown(path)} does not exist.", path=path)


def already_exists(path: str) -> AlreadyExists:
    """Something has this name."""
    return AlreadyExists(f"{shown(path)} already exists.", path=path)


def special(path: str) -> PathRefused:
    """A link, FIFO, socket or device has this name."""
    return refused(path, "it is a link, pipe, socket or device; a store holds only files and folders")


def _not_a_folder(path: str) -> NotFound:
    return NotFound(f"{shown(path)} does not exist: where it needs a folder there is a file.", path=path)


def _link(path: str) -> PathRefused:
    return refused(path, "it is or passes through a link; a store holds only files and folders")


def _too_long(path: str) -> PathRefused:
    return refused(path, "it is longer than this disk allows; use shorter names")


def _too_large(path: str) -> TooLarge:
    return TooLarge(f"{shown(path)} is over the file size limit of this process.", path=path)


_KNOWN: dict[int, Callable[[str], StoreError]] = {
    errno.ENOENT: not_found,
    errno.ENOTDIR: _not_a_folder,
    errno.EEXIST: already_exists,
    errno.ENOTEMPTY: already_exists,
    errno.ELOOP: _link,
    errno.EXDEV: _link,
    errno.ENXIO: special,
    errno.ENODEV: special,
    errno.ENAMETOOLONG: _too_long,
    errno.EFBIG: _too_large,
}


@contextmanager
def faults(path: str) -> Iterator[None]:
    """Run a block of system calls for `path`; any OSError becomes a StoreError."""
    try:
        yield
    except OSError as error:
        raise translate(error, path) from error
