"""What two texts, or two labels, must share to say the same: words, and the details whose change is an update."""

from __future__ import annotations

import re
from functools import cache
from typing import TypeAlias

from attrs import frozen

from memkit.locators import PATTERN as LOCATOR
from memkit.metrics.dates import Day, find_days
from memkit.metrics.kept import find_names
from memkit.metrics.references import REFERENCE
from memkit.terms import Analyzer

LabelKey: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The words of a label, its numbers in order, and its signs."""

MARKS = re.compile(r"^[ \t]*(?:(?:[-*+>]|\d{1,3}[.)])[ \t]+)+", re.MULTILINE)
"""What stands before the text of a list item or a quotation."""

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_TURNING = frozenset(
    """
    no not never none nothing nobody neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont
    wouldnt hasnt havent hadnt shouldnt couldnt
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half twice once
    first second third fourth fifth sixth seventh eighth ninth tenth
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    today tomorrow yesterday before after more less
    """.split()  # noqa: SIM905
)
"""Words that a fact turns on: numbers and times spelled out, and negations."""
_ARTICLES = frozenset({"a", "an", "the", "and"})
_SIGNS = re.compile(r"[+#%$€£@=<>]")


@frozen
class Details:
    """The numbers, days, names and turning words of a text: where one of them differs, so does what is said."""

    numbers: tuple[str, ...]
    days: frozenset[Day]
    names: frozenset[str]
    turns: tuple[str, ...]


def details(text: str) -> Details:
    """The details of a text; those of list marks are none."""
    text = MARKS.sub("", text)
    turns = tuple(word for word in words(text) if word in _TURNING)
    return Details(tuple(_NUMBER.findall(text)), frozenset(find_days(text)), frozenset(find_names(text)), turns)


def label_key(label: str) -> LabelKey:
    """Equal for labels that a reader cannot tell apart: case, articles, plurals and punctuation aside.

    `C` and `C++`, `1.2` and `2.1` stay apart.
    """
    said = words(label)
    kept = [_singular(word) for word in said if word not in _ARTICLES] or list(said) or [label]
    return tuple(kept), tuple(_NUMBER.findall(label)), tuple(_SIGNS.findall(label))


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word


def without_sources(text: str) -> str:
    """`text` without locators and cross-references: where a fact comes from or leads to is no part of it."""
    return REFERENCE.sub(" ", LOCATOR.sub(" ", text))


def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, folded."""
    return tuple(_analyzer().words(text))


@cache
def _analyzer() -> Analyzer:
    return Analyzer()
