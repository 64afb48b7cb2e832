"""A call without its text: what stays on record when the request is gone, and all a bill needs."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from memkit.accounting.bounds import Bounds, call_bounds, ceiling_of
from memkit.accounting.call import Call
from memkit.records import Asker, Usage


@frozen
class CallRow:
    """The figures of a `Call`, with the floor of its usage; small enough to keep and plain enough for JSON."""

    key: str
    role: Asker
    model: str
    conversation: str
    index: int
    usage: Usage
    floor: Usage
    billed: bool
    seconds: float
    retries: int

    @property
    def bounds(self) -> Bounds:
        """What the call took, between its bounds."""
        return Bounds(self.usage, self.floor, ceiling_of(self.usage))


def call_rows(calls: Iterable[Call]) -> list[CallRow]:
    """The rows of calls, given in the order they were made: the floor of each rests on those before it."""
    calls = list(calls)
    return [_row(call, each.floor) for call, each in zip(calls, call_bounds(calls), strict=True)]


def _row(call: Call, floor: Usage) -> CallRow:
    return CallRow(
        key=call.key,
        role=call.role,
        model=call.model,
        conversation=call.conversation,
        index=call.index,
        usage=call.usage,
        floor=floor,
        billed=call.billed,
        seconds=call.seconds,
        retries=call.retries,
    )
