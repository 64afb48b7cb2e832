"""How many calls a provider gets at once: fewer when it says they are too many, slowly more when it does not.

And how soon one after the other they begin.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

from attrs import field, mutable

GROW_AFTER = 16
"""Successes in a row for one more call at once."""
TURNS = 8
"""Turns of the event loop between the beginnings of two calls: about those from a call's beginning to its sending."""


@mutable
class Window:
    """The number of calls allowed at once, from 1 to `most`: additive increase, multiplicative decrease.

    (Chiu and Jain 1989, as in TCP.) One refusal halves `limit`. Of many calls that were under way
    together only the first refusal counts, since they all met the same limit: `throttled` takes the
    `epoch` in which its call began, and each halving begins another.
    """

    most: int
    limit: int = field(init=False)
    epoch: int = field(default=0, init=False)
    _successes: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.limit = self.most

    def succeeded(self) -> None:
        """A call went through."""
        self._successes += 1
        if self._successes >= GROW_AFTER:
            self._successes = 0
            self.limit = min(self.most, self.limit + 1)

    def throttled(self, epoch: int) -> None:
        """The provider refused a call, begun in `epoch`, because there were too many."""
        self._successes = 0
        if epoch == self.epoch:
            self.epoch += 1
            self.limit = max(1, self.limit // 2)


@mutable(eq=False)
class Gate:
    """Lets no more calls in than its window allows; the others wait in the order they came.

    Calls that came together are let in one after the other. All at once they would take turns step by
    step, so that the first is sent when the last one is, nothing is done while the provider works, and the
    replies come back together as well.
    """

    window: Window
    active: int = field(default=0, init=False)
    _waiting: deque[asyncio.Future[None]] = field(factory=deque, init=False)
    _beginning: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[Window]:
        """One call's place, kept while it waits to be tried again: a refused call must not make room for another."""
        await self._enter()
        try:
            async with self._beginning:
                for _ in range(TURNS):
                    await asyncio.sleep(0)
            yield self.window
        finally:
            self._leave()

    async def _enter(self) -> None:
        if self.active < self.window.limit and not self._waiting:
            self.active += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was let in at the very moment
                self._leave()
            raise

    def _leave(self) -> None:
        self.active -= 1
        while self._waiting and self.active < self.window.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self.active += 1


_GATES: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str, int], Gate]] = WeakKeyDictionary()


def gate_to(provider: str, api_base: str, most: int) -> Gate:
    """The gate to a provider at an address, one for all models with the same cap: the limit is the provider's.

    It belongs to the running event loop.
    """
    gates = _GATES.setdefault(asyncio.get_running_loop(), {})
    return gates.setdefault((provider, api_base, most), Gate(Window(most)))
