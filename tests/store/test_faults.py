"""Errors of the operating system, said in the store's words."""

from __future__ import annotations

import errno
import os

import pytest

from memkit.errors import AlreadyExists, NotFound, PathRefused, StoreError, TooLarge
from memkit.store.atomic import Unconfirmed
from memkit.store.faults import faults

KINDS = {
    errno.ENOENT: NotFound,
    errno.ENOTDIR: NotFound,
    errno.EEXIST: AlreadyExists,
    errno.ELOOP: PathRefused,
    errno.ENXIO: PathRefused,
    errno.ENAMETOOLONG: PathRefused,
    errno.EFBIG: TooLarge,
}


@pytest.mark.parametrize("number", sorted(errno.errorcode))
def test_every_number(number: int) -> None:
    """Every error becomes one of the store's, with the virtual path and without the host's."""
    with pytest.raises(StoreError) as caught, faults("/memories/a.md"):
        raise OSError(number, os.strerror(number), "/home/someone/a.md")

    assert KINDS.get(number, type(caught.value)) is type(caught.value)
    assert caught.value.path == "/memories/a.md"
    assert '"/memories/a.md"' in str(caught.value)
    assert "/home" not in str(caught.value)


def test_full_disk() -> None:
    """A full disk is told with its mend."""
    with pytest.raises(StoreError) as caught, faults("/memories/a.md"):
        raise OSError(errno.ENOSPC, "")

    assert str(caught.value) == 'The store could not work on "/memories/a.md": the disk is full; free some space.'


def test_unconfirmed() -> None:
    """A change that may not last is not reported as one that was not made."""
    with pytest.raises(StoreError) as caught, faults("/memories/a.md"):
        raise Unconfirmed(errno.EIO, "")

    assert str(caught.value).startswith('"/memories/a.md" was changed, but the change may not last')
