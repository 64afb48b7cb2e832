"""The caps of one loop."""

from __future__ import annotations

from attrs import field, frozen, validators

POSITIVE = validators.ge(1)


@frozen
class Limits:
    """Caps that end a loop when they are met; the answer then says which one.

    The defaults are those of the search role in the filesystem paper (configuration of record: 40
    tool rounds, 8,192 output tokens a reply); `MANAGE` holds those of the management role.
    `context_tokens` is the model's window: requests are kept within it (see `memkit.runtime.context`), and a reply
    may take half of it at most.
    """

    rounds: int = field(default=40, validator=POSITIVE)
    calls: int = field(default=400, validator=POSITIVE)
    reply_tokens: int = field(default=8_192, validator=POSITIVE)
    output_tokens: int = field(default=131_072, validator=POSITIVE)
    context_tokens: int = field(default=200_000, validator=POSITIVE)


MANAGE = Limits(rounds=60, reply_tokens=32_768)
"""Management role: 60 tool rounds and 32,768 output tokens (filesystem paper, configuration of record)."""
