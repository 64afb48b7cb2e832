"""One writer at a time, across objects, threads and processes."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from memkit.errors import LockTimeout, StoreError
from memkit.store.lock import Lock


def test_reentrant(tmp_path: Path) -> None:
    """The holder may take the lock again, and it is free only after the outermost block."""
    lock, other = Lock(tmp_path / ".lock"), Lock(tmp_path / ".lock", timeout=0.01)
    with lock:
        with lock:
            pass
        with pytest.raises(LockTimeout), other:
            pass
    with other:
        pass


def test_holds_pid(tmp_path: Path) -> None:
    """The file names the holder while it is held, and nobody after."""
    path = tmp_path / ".lock"
    with Lock(path):
        assert os.getpid() == int(path.read_text())

    assert int(path.read_text()) == 0


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    """Unguarded read-modify-write under one lock object loses nothing between threads."""
    lock, count = Lock(tmp_path / ".lock"), tmp_path / "count"
    count.write_text("0")

    def work() -> None:
        for _ in range(25):
            with lock:
                count.write_text(str(int(count.read_text()) + 1))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert count.read_text() == "100"


def test_timeout_names_own_thread(tmp_path: Path) -> None:
    """Waiting in vain for another thread says so."""
    lock = Lock(tmp_path / ".lock", timeout=0.01)
    messages = []

    def work() -> None:
        with pytest.raises(LockTimeout) as caught, lock:
            pass
        messages.append(str(caught.value))

    with lock:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    holder = f"another thread of this process ({os.getpid()})"
    wanted = f"The memory is locked: {holder} has held it for more than 0.01 s; wait for it or end it."
    assert [wanted] == messages


def test_error_in_block_frees(tmp_path: Path) -> None:
    """An exception leaves the lock free and not abandoned."""
    with pytest.raises(ZeroDivisionError), Lock(tmp_path / ".lock"):
        raise ZeroDivisionError

    with Lock(tmp_path / ".lock", timeout=0) as lock:
        assert not lock.abandoned


def test_abandoned_until_swept(tmp_path: Path) -> None:
    """After a holder died every next holder learns it, until one has swept."""
    path = tmp_path / ".lock"
    path.write_text("99999\n")
    with Lock(path) as lock:
        assert lock.abandoned
    with Lock(path) as lock:
        assert lock.abandoned
        lock.abandoned = False
    with Lock(path) as lock:
        assert not lock.abandoned


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Newer Pythons warn of any fork beside threads.
def test_forked_child_does_not_share_the_hold(tmp_path: Path) -> None:
    """A child forked while its parent holds the lock has to wait like any other process."""
    lock = Lock(tmp_path / ".lock", timeout=0.05)
    with lock:
        pid = os.fork()
        if pid == 0:
            try:
                with lock:
                    os._exit(1)
            except LockTimeout as error:
                os._exit(0 if str(os.getppid()) in str(error) else 2)
            finally:
                os._exit(3)
        assert (pid, 0) == os.waitpid(pid, 0)


def test_removed_lock_file(tmp_path: Path) -> None:
    """When the file was removed under a holder, the next holder makes and locks a new one."""
    path = tmp_path / ".lock"
    with Lock(path):
        path.unlink()
    with Lock(path):
        assert os.getpid() == int(path.read_text())


def test_unusable_path_is_a_store_error(tmp_path: Path) -> None:
    """A lock that cannot be made is an error without the host path, and leaves the object usable."""
    lock = Lock(tmp_path / "absent" / ".lock")
    for _ in range(2):
        with pytest.raises(StoreError) as caught, lock:
            pass

        assert str(tmp_path) not in str(caught.value)


def test_interrupt_while_waiting_leaves_it_usable(tmp_path: Path) -> None:
    """A signal that raises during the wait gives the thread's part of the lock back."""

    def stop(*_: object) -> None:
        raise InterruptedError

    lock = Lock(tmp_path / ".lock", timeout=5)
    old = signal.signal(signal.SIGALRM, stop)
    try:
        with Lock(tmp_path / ".lock"):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises((InterruptedError, StoreError)), lock:
                pass
    finally:
        signal.signal(signal.SIGALRM, old)
    with lock:
        pass
