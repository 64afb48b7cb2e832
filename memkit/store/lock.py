"""The writers' lock of a memory directory: one holder across processes and threads.

flock(2) on a file that holds the holder's pid. The kernel frees it when the holder dies. Network
filesystems whose flock is not honoured between machines are not supported.
"""

from __future__ import annotations

import errno
import fcntl
import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from memkit.errors import LockTimeout
from memkit.store.faults import faults
from memkit.store.paths import ROOT

TIMEOUT_SECONDS = 30.0
FIRST_WAIT_SECONDS = 0.0005
LONGEST_WAIT_SECONDS = 0.02

_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# One width for every pid: overwriting in place allocates no block, so no fsync elsewhere waits for this file.
_RECORD = "{:>19d}\n"
_NOBODY = 0


class Lock:
    """A lock to use in `with`; the thread that holds it may take the same object again.

    Parts of one process that lock the same directory must share one object; two objects on one file
    exclude each other, even in one thread. Do not await while holding it.

    `abandoned` is true when the last holder died holding it, so hidden temporary files may be left;
    whoever sweeps them sets it to False. `what` begins the sentence of a LockTimeout.
    """

    def __init__(self, path: Path, *, timeout: float = TIMEOUT_SECONDS, what: str = "The memory") -> None:
        self._path = path
        self._what = what
        self.timeout = timeout
        self._reset()

    def _reset(self) -> None:
        self._owner = os.getpid()
        self._thread = threading.RLock()
        self._depth = 0
        self._fd = -1
        self.abandoned = False

    def __enter__(self) -> Self:
        """Wait for the lock. Raises LockTimeout naming the holder after `timeout` seconds, or StoreError."""
        if self._owner != os.getpid():
            self._forget_parent()
        deadline = time.monotonic() + self.timeout
        if not self._thread.acquire(timeout=self.timeout):
            raise self._timed_out(os.getpid())
        if self._depth == 0:
            try:
                with faults(ROOT):
                    self._fd = self._take(deadline)
            except BaseException:
                self._thread.release()
                raise
        self._depth += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._depth -= 1
        try:
            if self._depth == 0:
                self._free()
        finally:
            self._thread.release()

    def _take(self, deadline: float) -> int:
        """A new descriptor with the lock on it: one of its own, because a forked child shares its parent's."""
        while True:
            fd = os.open(self._path, _OPEN, 0o600)
            try:
                self._wait(fd, deadline)
                if _same_file(fd, self._path):
                    self.abandoned = self.abandoned or _read_pid(fd) != _NOBODY
                    _write_pid(fd, os.getpid())
                    return fd
            except BaseException:
                os.close(fd)
                raise
            os.close(fd)

    def _wait(self, fd: int, deadline: float) -> None:
        wait = FIRST_WAIT_SECONDS
        while not _try_flock(fd):
            if time.monotonic() >= deadline:
                raise self._timed_out(_read_pid(fd))
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)

    def _free(self) -> None:
        fd, self._fd = self._fd, -1
        try:
            # An abandoned store that nobody swept stays marked by a pid.
            if not self.abandoned:
                _write_pid(fd, _NOBODY)
        finally:
            fcntl.flock(fd, fcntl.LOCK_UN)
            os.close(fd)

    def _forget_parent(self) -> None:
        """In a forked child: the parent's hold is not ours."""
        if self._fd >= 0:
            os.close(self._fd)
        self._reset()

    def _timed_out(self, pid: int) -> LockTimeout:
        holder = f"process {pid}" if pid != _NOBODY else "another process"
        if pid == os.getpid():
            holder = f"another thread of this process ({pid})"
        return LockTimeout(
            f"{self._what} is locked: {holder} has held it for more than {self.timeout:g} s; wait for it or end it.",
            path=ROOT,
        )


def _try_flock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            raise
        return False
    return True


def _same_file(fd: int, path: Path) -> bool:
    """Whether the path still names the locked file; it does not when someone removed it while we waited."""
    try:
        return os.path.samestat(os.fstat(fd), path.lstat())
    except FileNotFoundError:
        return False


def _read_pid(fd: int) -> int:
    text = os.pread(fd, 32, 0).strip()
    return int(text) if text.isdigit() else _NOBODY


def _write_pid(fd: int, pid: int) -> None:
    os.pwrite(fd, _RECORD.format(pid).encode(), 0)
