"""The sheet: entries placed on a budget of tokens, counted exactly, and the text they make."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from attrs import frozen

from memkit.locators import Locator, Span
from memkit.tokens import PIECE_CHARACTERS, count_tokens
from memkit.view.entries import Entry
from memkit.view.folding import INTRODUCTION, RepeatedLines
from memkit.view.forms import Form

MARK_TOKENS = 40
"""No mark of what is left out has more: what an entry may save, at most, by filling a gap."""


@frozen
class View:
    """What a reader is shown of a stream. `tokens` is the exact count of `text`.

    `shown` are the spans of the entries in the order of the text, `repeated` those of the lines written once above
    them, `whole` the entries nothing of which is missing. They tell what is shown; text that looks like a mark may
    stand in the source.
    """

    text: str
    shown: tuple[Span, ...] = ()
    repeated: tuple[Span, ...] = ()
    whole: tuple[Locator, ...] = ()
    tokens: int = 0


class Sheet:
    """Entries placed so far. `left` tokens of the budget remain; it is negative when not even the marks fit."""

    def __init__(self, entries: Sequence[Entry], budget: int, repeats: RepeatedLines | None = None) -> None:
        self._entries = entries
        self._repeats = repeats
        self._forms: dict[int, Form] = {}
        self._order: list[int] = []
        self._sessions: set[str] = set()
        self._repeated: set[int] = set()
        self._note = ""
        self._budget = budget
        self.left = budget - self._gap(-1, len(entries))

    def __getitem__(self, at: int) -> Form | None:
        """The form in which the entry at a position is placed; None when it is not."""
        return self._forms.get(at)

    def place(self, at: int, form: Form, *, room: int | None = None) -> bool:
        """Write the entry at a position in `form`, in the place of what stands there; whether it fits in `room` tokens.

        `room` is all that is left when None, and never more than that.
        """
        room = self.left if room is None else min(room, self.left)
        old = self._forms.get(at)
        saved = old.tokens if old else MARK_TOKENS
        if form.least - saved > room or form.tokens - saved > room:
            return False
        cost = self._cost(at, form, old)
        if cost > room:
            return False
        self.left -= cost
        if old is None:
            self._order.insert(bisect_left(self._order, at), at)
            self._sessions.add(self._entries[at].session)
        self._repeated |= form.repeats
        self._forms[at] = form
        return True

    def note(self, line: str) -> bool:
        """Add a line at the end, if it fits; it replaces none. Call it once."""
        cost = count_tokens(line)
        if cost > self.left:
            return False
        self.left -= cost
        self._note = line
        return True

    def view(self) -> View:
        """The text and what is shown in it. Empty when the budget holds not even the marks."""
        if self.left < 0:
            return View("")
        text = "".join(self._lines())
        placed = [(self._entries[at].locator, self._forms[at]) for at in self._order]
        shown = tuple(span for _, form in placed for span in form.spans)
        whole = tuple(locator for locator, form in placed if form.whole)
        repeated = tuple(span for form in self._repeated_forms() for span in form.spans)
        # Longer texts are encoded piece by piece, and a piece may end anywhere.
        tokens = self._budget - self.left if len(text) <= PIECE_CHARACTERS else count_tokens(text)
        return View(text, shown, repeated, whole, tokens)

    def _cost(self, at: int, form: Form, old: Form | None) -> int:
        cost = form.tokens
        if old is not None:
            cost -= old.tokens
        else:
            cost += self._gap_change(at)
            if (session := self._entries[at].session) and session not in self._sessions:
                cost += count_tokens(_heading(session))
        if self._repeats and form.repeats:
            cost += sum(self._repeats.forms[number].tokens for number in form.repeats - self._repeated)
            cost += 0 if self._repeated else INTRODUCTION.tokens
        return cost

    def _gap_change(self, at: int) -> int:
        place = bisect_left(self._order, at)
        before = self._order[place - 1] if place else -1
        after = self._order[place] if place < len(self._order) else len(self._entries)
        return self._gap(before, at) + self._gap(at, after) - self._gap(before, after)

    def _gap(self, before: int, after: int) -> int:
        return count_tokens(self._gap_line(before, after)) if after - before > 1 else 0

    def _gap_line(self, before: int, after: int) -> str:
        """The mark of the entries between two positions."""
        first, last = self._entries[before + 1], self._entries[after - 1]
        if first is last:
            return f"[{first.name} left out]\n"
        if first.locator.kind == last.locator.kind == "step":
            return f"[steps {first.number}-{last.number} left out]\n"
        return f"[{first.name} to {last.name} left out]\n"

    def _repeated_forms(self) -> list[Form]:
        return [self._repeats.forms[number] for number in sorted(self._repeated)] if self._repeats else []

    def _lines(self) -> Iterator[str]:
        if self._repeated:
            yield from INTRODUCTION.lines
            for form in self._repeated_forms():
                yield from form.lines
        before, session = -1, ""
        for at in self._order:
            if at - before > 1:
                yield self._gap_line(before, at)
            if self._entries[at].session not in {"", session}:
                session = self._entries[at].session
                yield _heading(session)
            yield from self._forms[at].lines
            before = at
        if len(self._entries) - before > 1:
            yield self._gap_line(before, len(self._entries))
        yield self._note


def _heading(session: str) -> str:
    return f"{session}\n"
