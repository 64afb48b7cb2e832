"""The long-context baseline: the beginning and the end of a stream, whatever is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from memkit.locators import Locator, Span
from memkit.records import Unit
from memkit.tokens import count_tokens, cut_tokens
from memkit.view.entries import Entry, entries_of
from memkit.view.forms import LONGEST_TOKEN
from memkit.view.reading import BUDGET
from memkit.view.sheet import View

HEAD_SHARE = 0.7
"""Long-context keeps the first 70 % and the last 30 % of its budget (ledger paper, appendix H)."""
OMITTED = "[... left out here to fit the budget ...]\n"


@frozen
class _Placed:
    """Characters `start` to `end` of the whole text: a part, or an entry with all its marks (field empty)."""

    locator: Locator
    field: str
    start: int
    end: int


def long_context(units: Iterable[Unit], budget: int = BUDGET) -> View:
    """The whole stream when it fits, else its first 70 % and last 30 % of the budget, cut at line breaks.

    Never over the budget; one too small for the mark of the gap holds the beginning alone.
    """
    text, placed = _rendered(entries_of(units))
    if len(text) <= budget * LONGEST_TOKEN and count_tokens(text) <= budget:
        return _view(text, placed, len(text), len(text))
    room = budget - count_tokens(OMITTED)
    while room > 0:
        head = _whole_lines(cut_tokens(text, int(room * HEAD_SHARE)))
        start = max(len(head), _tail_start(text, room - int(room * HEAD_SHARE)))
        fitted = head + OMITTED + text[start:]
        # The counts of parts do not quite add up to the count of the whole.
        if (over := count_tokens(fitted) - budget) <= 0:
            return _view(fitted, placed, len(head), start)
        room -= over
    head = cut_tokens(text, budget)
    return _view(head, placed, len(head), len(text))


def _rendered(entries: Sequence[Entry]) -> tuple[str, list[_Placed]]:
    pieces: list[str] = []
    placed: list[_Placed] = []
    at, session = 0, ""

    def write(text: str) -> None:
        nonlocal at
        pieces.append(text)
        at += len(text)

    for entry in entries:
        if entry.session not in {"", session}:
            session = entry.session
            write(f"{session}\n")
        start = at
        for block in entry.blocks:
            for part in block:
                write(part.before)
                placed.append(_Placed(entry.locator, part.field, at, at + len(part.text)))
                write(part.text + part.after)
            write("\n")
        placed.append(_Placed(entry.locator, "", start, at))
    return "".join(pieces), placed


def _view(shown: str, placed: Sequence[_Placed], head: int, tail: int) -> View:
    """The view `shown`, which holds the characters of the whole text up to `head` and from `tail` on."""
    spans = []
    for part in placed:
        if part.field:
            ends = ((part.start, min(part.end, head)), (max(part.start, tail), part.end))
            spans += [
                Span(part.locator, part.field, start - part.start, end - part.start)
                for start, end in (ends if head < tail else ((part.start, part.end),))
                if start < end
            ]
    whole = [part.locator for part in placed if not part.field and (part.end <= head or part.start >= tail)]
    return View(shown, tuple(spans), (), tuple(whole), count_tokens(shown))


def _whole_lines(text: str) -> str:
    """`text` up to its last line break, or all of it when it has none."""
    return text[: text.rfind("\n") + 1] or text


def _tail_start(text: str, limit: int) -> int:
    """Where as many whole lines from the end of `text` begin as `limit` tokens hold."""
    start = len(text)
    while start > 0:
        begin = text.rfind("\n", 0, start - 1) + 1
        # A long line is not encoded only to find that it does not fit.
        limit -= count_tokens(text[begin:start]) if start - begin <= limit * LONGEST_TOKEN else limit + 1
        if limit < 0:
            break
        start = begin
    return start
