"""What an observation states about its action: the common result of every reader in this folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import field, frozen

Outcome: TypeAlias = Literal["success", "failure", "no effect", "unknown"]
"""The same four words as the rows of the ledger, which lies above."""
QUOTE_CHARACTERS = 300
"""A quote is cut here: it is evidence to look up, not a copy of the log."""

_LINE = re.compile(rf"\S[^\n]{{0,{QUOTE_CHARACTERS - 1}}}")


@frozen
class Reading:
    """The outcome that the log states, and the text that states it.

    `quote` is a verbatim part of the observation, or of the action where the log writes an error in its place.
    `changes` are pairs of `object.property` and its value afterwards, each read from a sentence of the log.
    `numbers` are typed values that the log states.
    """

    outcome: Outcome = "unknown"
    quote: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    numbers: Mapping[str, float] = field(factory=dict)


def cut(text: str) -> str:
    """`text` as a quote: its first `QUOTE_CHARACTERS`, without blanks around it."""
    return text.strip()[:QUOTE_CHARACTERS].rstrip()


def first_line(text: str, start: int = 0) -> str:
    """The first line with something on it, as a quote, from `start` on."""
    match = _LINE.search(text, start)
    return match[0].rstrip() if match else ""
