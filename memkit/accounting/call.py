"""A booked model call: what every sum, price and bound is worked out from."""

from __future__ import annotations

from attrs import field, frozen

from memkit.records import Asker, Request, Usage


@frozen
class Call:
    """One booking of a model call.

    `usage` is what the reply took when it was made. `billed` says whether this booking paid for it; a
    reply that came from the store, or from an equal call under way, is booked but not billed.
    `seconds` and `retries` are those of the call that was made. `conversation` names the exchange it
    belongs to, `index` its place in it, from 0.
    """

    key: str
    role: Asker
    model: str
    usage: Usage
    billed: bool
    seconds: float
    retries: int
    conversation: str
    index: int
    request: Request = field(repr=False)
