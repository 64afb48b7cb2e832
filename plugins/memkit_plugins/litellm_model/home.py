"""The one event loop of this process in which litellm makes its calls."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_LOCK = threading.Lock()
_LOOPS: dict[int, asyncio.AbstractEventLoop] = {}
"""By process, since a thread does not survive a fork."""


async def at_home(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run `coroutine` in that loop and give its result; cancelled here, it is cancelled there.

    litellm keeps a client with open connections for each event loop and never closes them. A caller
    that uses a loop for each question would leave a socket behind every time, and would begin every
    time with a new connection and no idea of how many calls the provider bears.
    """
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, _loop()))


def _loop() -> asyncio.AbstractEventLoop:
    with _LOCK:
        if os.getpid() not in _LOOPS:
            loop = _LOOPS[os.getpid()] = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="memkit-litellm", daemon=True).start()
        return _LOOPS[os.getpid()]
