"""The generation: a counter beside the store that every change raises, so that a cache knows when to look again.

It is not synced: after a crash of the machine it may be behind, and caches compare signatures too.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path

# One width for every number: overwritten in place by one write.
_RECORD = "{:>19d}\n"
_CLOSED = -1
_FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Generation:
    """The counter in a file. Reading is one system call; only the holder of the store's lock may raise it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = _CLOSED
        self._writable = False

    def read(self) -> int:
        """The number of changes so far; 0 before the first. Raises OSError."""
        if self._fd == _CLOSED:
            try:
                self._open(os.O_RDONLY)
            except FileNotFoundError:
                return 0
        return self._number()

    def bump(self) -> int:
        """Raise the counter and give the new number. Raises OSError."""
        if not self._writable:
            self._open(os.O_RDWR | os.O_CREAT)
            self._writable = True
        number = self._number() + 1
        os.pwrite(self._fd, _RECORD.format(number).encode(), 0)
        return number

    def _open(self, flags: int) -> None:
        fd = os.open(self._path, flags | _FLAGS, 0o600)
        weakref.finalize(self, os.close, fd)
        self._fd = fd

    def _number(self) -> int:
        text = os.pread(self._fd, 32, 0).strip()
        return int(text) if text.isdigit() else 0
