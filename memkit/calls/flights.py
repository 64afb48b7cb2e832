"""Equal calls of one process that are under way at the same time become one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

from attrs import field, frozen

from memkit.errors import ModelError

T = TypeVar("T")


@frozen
class Flights(Generic[T]):
    """Calls under way by key, for all event loops and threads of the process."""

    _flying: dict[str, Future[T | None]] = field(factory=dict, init=False, repr=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False, repr=False)

    async def share(self, key: str, make: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """What `make` gives, and whether it was this caller's.

        While one caller makes, others with the same key wait and share its value or its ModelError.
        Whoever made it may be cancelled or fail otherwise; then one of those who wait makes it.
        """
        while True:
            flight, mine = self._board(key)
            if mine:
                return await self._fly(key, flight, make), True
            value = await asyncio.wrap_future(flight)
            if value is not None:
                return value, False

    def _board(self, key: str) -> tuple[Future[T | None], bool]:
        with self._lock:
            if flight := self._flying.get(key):
                return flight, False
            flight = self._flying[key] = Future()
            flight.set_running_or_notify_cancel()  # or one who waits and is cancelled would cancel it for all
            return flight, True

    async def _fly(self, key: str, flight: Future[T | None], make: Callable[[], Awaitable[T]]) -> T:
        try:
            value = await make()
        except ModelError as error:
            self._land(key)
            flight.set_exception(error)
            raise
        except BaseException:
            self._land(key)
            flight.set_result(None)
            raise
        self._land(key)
        flight.set_result(value)
        return value

    def _land(self, key: str) -> None:
        with self._lock:
            del self._flying[key]
