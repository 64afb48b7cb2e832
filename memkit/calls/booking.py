"""Booking: which calls were made while something was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from attrs import field, mutable

from memkit.accounting.call import Call
from memkit.accounting.rows import CallRow, call_rows
from memkit.calls.keys import digest_of
from memkit.records import Completion, Request


@mutable
class Booking:
    """The calls booked, in the order their replies came."""

    calls: list[Call] = field(factory=list)
    _next: Counter[str] = field(factory=Counter, init=False, repr=False)

    def book(self, key: str, model: str, request: Request, reply: Completion, *, billed: bool, seconds: float) -> None:
        """Add a call."""
        conversation = conversation_of(model, request)
        self.calls.append(
            Call(
                key=key,
                role=request.role,
                model=model,
                usage=reply.usage,
                billed=billed,
                seconds=seconds,
                retries=reply.retries,
                conversation=conversation,
                index=self._next[conversation],
                request=request,
            )
        )
        self._next[conversation] += 1

    def rows(self) -> list[CallRow]:
        """The calls without their texts, for bills and records."""
        return call_rows(self.calls)


_booking: ContextVar[Booking | None] = ContextVar("memkit_booking", default=None)


@contextmanager
def book_calls() -> Iterator[Booking]:
    """Every recorded call made inside goes into this booking: by whatever part, in this task and those it starts.

    Of nested ones the inner has the call alone. Questions answered at the same time keep their books apart.
    """
    booking = Booking()
    token = _booking.set(booking)
    try:
        yield booking
    finally:
        _booking.reset(token)


def current_booking() -> Booking | None:
    """The booking of the innermost `book_calls` around the caller."""
    return _booking.get()


def conversation_of(model: str, request: Request) -> str:
    """The exchange a request belongs to: that of all requests of its role and model that open alike.

    An opening is what comes before the model's first reply; a loop keeps it whatever else it drops.
    """
    opening = []
    for message in request.messages:
        if message.role == "assistant":
            break
        opening.append([message.role, message.content])
    return digest_of([model, request.role, opening])[:32]
