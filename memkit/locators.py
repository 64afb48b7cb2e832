"""Locators: where in the stream something was said or done.

Four written forms, and an exact span inside one of them:

- `[S5T3]` turn 3 of session 5
- `[B4M7]` message 7 of block 4
- `[M12]` message 12
- `[step 14]` step 14 of a trajectory
- `(14, observation, [10, 25))` characters 10 to 25 of that field; offsets count Unicode code points
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import frozen

from memkit.errors import UserError

Kind: TypeAlias = Literal["S", "B", "M", "step"]

PATTERN = re.compile(
    r"\[(?:S(?P<s>\d{1,9})T(?P<t>\d{1,9})|B(?P<b>\d{1,9})M(?P<bm>\d{1,9})|M(?P<m>\d{1,9})|step (?P<step>\d{1,9}))\]",
    re.ASCII,
)


@frozen(order=True)
class Locator:
    """One place in a stream. `group` is the session or block and 0 where the form has none."""

    kind: Kind
    group: int
    index: int

    def __str__(self) -> str:
        match self.kind:
            case "S":
                return f"[S{self.group}T{self.index}]"
            case "B":
                return f"[B{self.group}M{self.index}]"
            case "M":
                return f"[M{self.index}]"
            case "step":
                return f"[step {self.index}]"

    @classmethod
    def parse(cls, text: str) -> Locator:
        """The locator that `text` is, brackets included; UserError when it is anything else."""
        match = PATTERN.fullmatch(text)
        if match is None:
            raise UserError(f"{text!r} is not a locator; write [S5T3], [B4M7], [M12] or [step 14]")
        return _from_match(match)


@frozen
class Span:
    """Characters `start` to `end` (exclusive) of `field` in the turn or step at `locator`."""

    locator: Locator
    field: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"({self.locator}, {self.field}, [{self.start}, {self.end}))"


def find_locators(text: str) -> Iterator[Locator]:
    """Every locator written in `text`, in order, repeats included."""
    return map(_from_match, PATTERN.finditer(text))


def _from_match(match: re.Match[str]) -> Locator:
    s, t, b, bm, m, step = match.groups()
    if s is not None:
        return Locator("S", int(s), int(t))
    if b is not None:
        return Locator("B", int(b), int(bm))
    if m is not None:
        return Locator("M", 0, int(m))
    return Locator("step", 0, int(step))
