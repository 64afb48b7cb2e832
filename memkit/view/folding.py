"""Repeated lines: what many entries of a stream hold word for word is written once in a view.

A log repeats itself: the actions that are available, the trailer of a shell, a page that hardly changed, a file viewed
again. A line of some length that several entries hold gets a number; a view writes it once, above its entries, and
`[=12]` or `[=12-15]` where it stands. Nothing is lost. Ours, not the paper's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from memkit.locators import Span
from memkit.view.entries import Entry, Part
from memkit.view.forms import Form, Written

FOLDED_CHARACTERS = 16
"""Shorter lines stay: the mark `[=12-15]` costs about as many tokens."""
FOLDED_ENTRIES = 3
"""A line is folded when as many entries hold it: with two, writing it aside saves little and scatters what is read."""
INTRODUCTION = Form(("Lines that several entries hold, written once here and as [=number] where they stand:\n",))


@frozen
class RepeatedLines:
    """The repeated lines of a stream in order of first occurrence: `numbers` by their text, `forms` by their number."""

    numbers: dict[str, int]
    forms: Sequence[Form]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> RepeatedLines:
        """Found in two passes over the text."""
        held = Counter(
            line for entry in entries for line in {line for part in entry.parts for line in _foldable(part.text)}
        )
        numbers: dict[str, int] = {}
        forms = []
        for entry in entries:
            for part in entry.parts:
                at = 0
                for line in part.text.split("\n"):
                    if held.get(line, 0) >= FOLDED_ENTRIES and line not in numbers:
                        span = Span(entry.locator, part.field, at, at + len(line))
                        forms.append(Form((f"[={len(numbers)}] {line}\n",), (span,)))
                        numbers[line] = len(numbers)
                    at += len(line) + 1
        return cls(numbers, forms)

    def write(self, part: Part) -> Written:
        """The part with its repeated lines as marks."""
        pieces: list[str] = []
        kept: list[tuple[int, int]] = []
        used: set[int] = set()
        at = 0
        for numbers, lines in _runs(part.text.split("\n"), self.numbers):
            text = "\n".join(lines)
            if numbers:
                pieces.append(_mark(numbers))
                used.update(numbers)
            else:
                pieces.append(text)
                kept.append((at, at + len(text)))
            at += len(text) + 1
        return "\n".join(pieces), kept, frozenset(used)


def _foldable(text: str) -> Iterator[str]:
    return (line for line in text.split("\n") if len(line) >= FOLDED_CHARACTERS)


def _runs(lines: Sequence[str], numbers: dict[str, int]) -> Iterator[tuple[list[int], list[str]]]:
    """(numbers, lines) of each run: repeated lines whose numbers follow one another, or lines that stay (no number)."""
    run: list[int] = []
    held: list[str] = []
    for line in lines:
        number = numbers.get(line)
        if held and ((number is None) != (not run) or (number is not None and number != run[-1] + 1)):
            yield run, held
            run, held = [], []
        if number is not None:
            run.append(number)
        held.append(line)
    if held:
        yield run, held


def _mark(numbers: Sequence[int]) -> str:
    return f"[={numbers[0]}]" if len(numbers) == 1 else f"[={numbers[0]}-{numbers[-1]}]"
