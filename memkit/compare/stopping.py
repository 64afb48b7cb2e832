"""Bringing a run to an early end: by Ctrl-C, by the clock."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Literal, TypeAlias

from memkit.compare.control import Control

Reason: TypeAlias = Literal["", "interrupt", "budget", "wall", "errors"]
"""Why a run stopped before its end; empty where it did not."""


@contextmanager
def stoppable(control: Control, wall: float | None) -> Iterator[None]:
    """Inside, Ctrl-C asks the run to finish what is started, a second one raises KeyboardInterrupt; and so many seconds
    end it like the first.
    """
    with ExitStack() as stack:
        if wall is not None:
            timer = threading.Timer(wall, control.stop, ("wall",))
            timer.daemon = True
            timer.start()
            stack.callback(timer.cancel)
        if threading.current_thread() is threading.main_thread():
            before = signal.signal(signal.SIGINT, _handler(control))
            stack.callback(signal.signal, signal.SIGINT, before)
        yield


def _handler(control: Control) -> Any:
    asked = threading.Event()

    def handle(_: int, __: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        # From another thread: this one may be within a transaction, and hold the lock.
        threading.Thread(target=control.stop, args=("interrupt",), daemon=True).start()

    return handle
