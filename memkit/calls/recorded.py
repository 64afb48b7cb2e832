"""A model whose calls are recorded, replayed and booked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Any

from attrs import field, frozen, validators

from memkit.calls.booking import current_booking
from memkit.calls.keys import Address, address
from memkit.calls.store import CallStore, Holder, Recorded
from memkit.contracts import Model
from memkit.errors import MemkitError, PermanentModelError, TransientModelError
from memkit.records import Completion, Request

FIRST_WAIT_SECONDS = 0.02
LONGEST_WAIT_SECONDS = 0.5
PATIENCE_SECONDS = 3600.0
"""How long one process waits for another that is making the same call."""
SHOWN_CHARACTERS = 60


@frozen
class RecordedModel:
    """`model`, with every call looked up in `store` before it is made, and recorded when it succeeds.

    A reply on record is returned as it was and billed to nobody. Equal calls at the same time, in
    this process or another, are made once. Errors and refusals are passed on and not recorded.
    `offline` replays only. `attempt` tells samples of the same question apart. `options` are those the
    model was made with, as far as they change its replies. Without a store, calls are made each time.
    Every reply goes into the booking of `book_calls`, where there is one.
    """

    model: Model
    store: CallStore | None
    offline: bool = False
    attempt: int = field(default=0, validator=validators.ge(0))
    options: Mapping[str, Any] = field(factory=dict)

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    async def complete(self, request: Request) -> Completion:
        """The reply on record, or the model's.

        Raises what the model raises; PermanentModelError for a call that is not on record when offline;
        UserError when the store fails.
        """
        at = address(self.name, self.options, request, self.attempt)
        found, billed = await self._reply(at, request)
        if booking := current_booking():
            booking.book(at.key, self.name, request, found.completion, billed=billed, seconds=found.seconds)
        return found.completion

    async def _reply(self, at: Address, request: Request) -> tuple[Recorded, bool]:
        """The reply, and whether this call paid for it."""
        if self.store is None:
            return await self._ask(request), True
        if found := self.store.find(at.key):
            return found, False
        if self.offline:
            raise PermanentModelError(self._missing(at, request))
        (reply, paid), mine = await self.store.flights.share(at.key, partial(self._make, self.store, at, request))
        return reply, paid and mine

    async def _make(self, store: CallStore, at: Address, request: Request) -> tuple[Recorded, bool]:
        """Make the call, unless another process does."""
        if found := await _claim(store, at.key):
            return found, False
        try:
            reply = await self._ask(request)
            return store.record(at, reply.completion, reply.seconds), True
        except BaseException:
            with suppress(MemkitError):  # the first error says more
                store.release(at.key)
            raise

    async def _ask(self, request: Request) -> Recorded:
        started = perf_counter()
        completion = await self.model.complete(request)
        return Recorded(completion, perf_counter() - started)

    def _missing(self, at: Address, request: Request) -> str:
        text = " ".join(request.messages[-1].content.split()) if request.messages else ""
        words = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS].rpartition(" ")[0] + " ..."
        return (
            f"no reply is on record for the {request.role} call to {self.name} after {words!r} (key {at.key[:12]});"
            " run online to make it"
        )


async def _claim(store: CallStore, key: str) -> Recorded | None:
    """The reply that another process made, or None when the call is ours to make."""
    wait = FIRST_WAIT_SECONDS
    while isinstance(found := store.claim(key), Holder):
        if found.seconds > PATIENCE_SECONDS:
            raise TransientModelError(
                f"process {found.pid} has been making the same call for {found.seconds:.0f} s; end it and run again"
            )
        await asyncio.sleep(wait)
        wait = min(1.5 * wait, LONGEST_WAIT_SECONDS)
    return found
