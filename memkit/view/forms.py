"""Forms: how an entry is written in a view: whole, cut, with its repeated lines folded, or as a record of what is
left out. A form knows its exact number of tokens and the source spans it shows.

Every line of a view begins with neither white space nor a slash and ends with a line break. The splitter of the
o200k encoding then never joins the end of one line with the beginning of the next, so that the counts of lines add
up to the count of the view exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import frozen

from memkit.events.files import FileEvent
from memkit.locators import Span
from memkit.tokens import count_tokens
from memkit.view.entries import Entry, Part

HEAD_CHARACTERS = 80
"""Of an action in an index record: enough for a tool and its first arguments. Our choice; the paper gives no number."""
LONGEST_TOKEN = 128
"""Characters of the longest token of o200k_base: a text has at least its length divided by this many tokens."""

Written: TypeAlias = tuple[str, list[tuple[int, int]], frozenset[int]]
"""A part's text as a view writes it, the characters of the source in it, and the repeated lines it refers to."""


@frozen(eq=False)
class Form:
    """`lines` are written one after another. `whole` when nothing of the entry is missing.

    `repeats` are the numbers of the repeated lines that stand in it as marks.
    """

    lines: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    whole: bool = False
    repeats: frozenset[int] = frozenset()

    @cached_property
    def tokens(self) -> int:
        """Exactly how many tokens it adds to a view, repeated lines left out."""
        return sum(map(count_tokens, self.lines))

    @cached_property
    def least(self) -> int:
        """A number of tokens it cannot have fewer of, found without encoding: no token goes over a blank in a text."""
        return sum(max(len(line.split()), len(line) // LONGEST_TOKEN) for line in self.lines)


def whole_form(entry: Entry) -> Form:
    """The entry word for word."""
    return _form(entry, lambda part: (part.text, [(0, len(part.text))], frozenset()))


def cut_form(entry: Entry, characters: int) -> Form:
    """The entry with at most the first `characters` of each field, and a mark that says how many are missing."""

    def write(part: Part) -> Written:
        missing = len(part.text) - characters
        if missing <= 0:
            return part.text, [(0, len(part.text))], frozenset()
        mark = f" [... {missing:,} more characters left out]"
        return part.text[:characters] + mark, [(0, characters)], frozenset()

    longest = max(len(part.text) for part in entry.parts)
    return _form(entry, write, whole=longest <= characters)


def folded_form(entry: Entry, write: Callable[[Part], Written]) -> Form:
    """The entry whole, with the lines that repeat written as `write` does."""
    return _form(entry, write)


def record_form(entry: Entry, event: FileEvent | None = None) -> Form:
    """The index record of an entry that is left out: its number and the head of its action, or its file event."""
    name = f"[{entry.name}, left out]"
    if event is not None:
        spans = (event.spans["command"], event.spans["path"])
        command, path = (entry.action[span.start : span.end] for span in spans)
        return Form((f"{name} {command} {path} ({event.status})\n",), spans)
    text, shown = name, []
    for number, part in enumerate(part for part in entry.parts if part.field in {"action", "speaker", "text"}):
        # From the second on, what is written before a part joins it to the one before.
        head = part.text.split("\n", 1)[0][:HEAD_CHARACTERS]
        text += (part.before if number else " ") + head + ("..." if len(head) < len(part.text) else "")
        if head:
            shown.append(Span(entry.locator, part.field, 0, len(head)))
    return Form((text + "\n",), tuple(shown))


def _form(entry: Entry, write: Callable[[Part], Written], *, whole: bool = True) -> Form:
    lines: list[str] = []
    spans: list[Span] = []
    repeats = frozenset[int]()
    for block in entry.blocks:
        pieces = []
        for part in block:
            text, shown, used = write(part)
            pieces.append(f"{part.before}{text}{part.after}")
            spans += _spans(entry, part, shown)
            repeats |= used
        lines.append("".join(pieces) + "\n")
    return Form(tuple(lines), tuple(spans), whole, repeats)


def _spans(entry: Entry, part: Part, shown: list[tuple[int, int]]) -> Iterator[Span]:
    """Spans of the parts shown; an empty one shows nothing."""
    return (Span(entry.locator, part.field, start, end) for start, end in shown if start < end)
