"""A description for a file that has none: its first heading, or else its first sentence."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from memkit.lint.wording import MARKS
from memkit.locators import PATTERN as LOCATOR
from memkit.store.frontmatter import end_line
from memkit.store.lines import split_lines
from memkit.store.outline import headings

CHARACTERS = 120
"""Longer ones are cut at a word."""

_SENTENCE = re.compile(r".+?[.!?…。！？](?=\s|$)")


def summarize(path: str, text: str) -> str:
    """One line that says what a file is about in its own words; empty when nothing in it does.

    A heading that only repeats the name of the file stands back for the sentence.
    """
    outline = headings(text)
    title = _plain(outline[0].title) if outline else ""
    if title and _letters(title) != _letters(PurePosixPath(path).stem):
        return _cut(title)
    titles = {heading.line for heading in outline}
    skipped = end_line(text)
    for number, line in enumerate(split_lines(text)[skipped:], skipped + 1):
        said = _plain(MARKS.sub("", line))
        if number not in titles and _letters(said):
            found = _SENTENCE.match(said)
            return _cut(found[0] if found else said)
    return title


def _plain(text: str) -> str:
    """Without locators and control characters, runs of blanks as one."""
    return " ".join("".join(c if c.isprintable() else " " for c in LOCATOR.sub(" ", text)).split())


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _cut(text: str) -> str:
    if len(text) <= CHARACTERS:
        return text
    return text[:CHARACTERS].rpartition(" ")[0].rstrip(" ,;:") + "…" if " " in text[:CHARACTERS] else text[:CHARACTERS]
