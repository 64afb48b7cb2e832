"""Where a term occurs: without regard to case, at token boundaries unless it may stand anywhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from memkit.query.plan import Term

_BETWEEN = "\0"
_NO_WORD = re.compile(r"\W")
_SHORT_TEXT = 50_000
"""Characters that are searched sooner than an expression is compiled."""
_LONG_TERM = 200
"""Characters of a term for which compiling an expression does not pay."""


def fold(text: str) -> str:
    """`text` without differences of case, each character by itself, so that a part of it folds to a part."""
    return text.casefold()


def occurs(term: Term, text: str) -> bool:
    """Whether `text` holds `term`.

    At a token boundary: where the term begins (ends) with a letter, digit or underscore, the character before
    (after) it in `text` is none. An empty term occurs nowhere.
    """
    return bool(Haystack((text,)).find(term))


class Haystack:
    """Many texts searched as one: a search is one pass over the joined text, and costs more for its hits only."""

    def __init__(self, texts: Sequence[str]) -> None:
        joined = _BETWEEN.join(("", *texts, ""))
        self._text = fold(joined)
        # Folding may lengthen a text and never shortens one, so that equal sums are equal lengths throughout.
        kept = len(self._text) == len(joined)
        lengths = map(len, texts if kept else map(fold, texts))
        self._ends = list(accumulate(length + 1 for length in lengths))

    def find(self, term: Term) -> list[int]:
        """The indices, ascending, of the texts that hold `term`."""
        needle = fold(term.text)
        if not needle:
            return []
        ends, width = self._ends, len(needle)
        across = _BETWEEN in needle
        found: list[int] = []
        index, end = -1, 0
        for at in self._hits(needle, anywhere=term.anywhere):
            if at < end:  # in the text found last
                continue
            following = index + 1  # which is the likeliest where many texts hold the term
            if at >= ends[following]:
                following = bisect_right(ends, at, following)
            # A text may hold what stands between texts, and the term with it.
            if across and (at + width > ends[following] or (following and at == ends[following - 1])):
                continue
            index, end = following, ends[following]
            found.append(index)
        return found

    def _hits(self, needle: str, *, anywhere: bool) -> Iterator[int]:
        """Where `needle` stands with its boundaries; of hits that overlap perhaps only the first."""
        left = not anywhere and _in_word(needle[0])
        right = not anywhere and _in_word(needle[-1])
        if len(self._text) <= _SHORT_TEXT or len(needle) > _LONG_TERM or _BETWEEN in needle:
            return self._walk(needle, left=left, right=right)
        # What is asked of the characters around stands behind the literal, which is thus searched for quickly.
        expression = re.escape(needle) + r"(?!\w)" * right + rf"(?<!\w.{{{len(needle)}}})" * left
        return map(re.Match.start, re.compile(expression, re.DOTALL).finditer(self._text))

    def _walk(self, needle: str, *, left: bool, right: bool) -> Iterator[int]:
        text, width, across = self._text, len(needle), _BETWEEN in needle
        at = text.find(needle, 1, -1)
        while at >= 0:
            start = at + 1
            if left and _in_word(text[at - 1]):
                # The next one with a boundary before it is behind this word.
                start = next(_NO_WORD.finditer(text, at)).start()
            elif not (right and _in_word(text[at + width])):
                yield at
                if not across:  # the rest of a text in which it was found does not matter
                    start = text.find(_BETWEEN, at + width)
            at = text.find(needle, start, -1)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
