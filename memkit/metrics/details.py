"""The details of a gold answer that a context must hold: its numbers, identifiers and quoted strings.

Read beside the share of cited steps: a context that shows every step cut to nothing holds the steps and no detail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memkit.events.references import without_references

QUOTED_CHARACTERS = 200
"""A longer quoted string is a passage or a program, not a detail, and its numbers and identifiers count alone."""

_QUOTED = re.compile(r"\"([^\"\n]+)\"|“([^”\n]+)”|`([^`\n]+)`|(?<!\w)'([^'\n]+)'(?!\w)|‘([^’\n]+)’")
_IDENTIFIER = re.compile(
    # A relative path needs more than a slash: `and/or` is none.
    r"(?<![\w/.~-])(?P<path>[~.]{0,2}(?:/[\w.+@-]+)+/?|(?=[^\s/]*/\S*[./\d_])\w[\w.+@-]*(?:/[\w.+@-]+)+)"
    r"|(?P<element>\[[A-Za-z]{0,3}\d+\])"
    r"|(?<![\w.])(?P<dotted>[^\W\d]\w*(?:\.[^\W\d]\w*)+)"
    r"|(?<![\w.])(?P<hex>(?=[0-9a-fA-F]*[a-fA-F])(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{7,64})(?!\w)"
    r"|(?<!\w)(?P<joined>\w*[^\W_]_+[^\W_]\w*|__\w+__)(?!\w)"
    r"|(?<!\w)(?P<camel>[A-Za-z]+[a-z0-9][A-Z]\w*)(?!\w)"
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)")
_LIST_MARK = re.compile(r"^\s*\d{1,3}\.(?=\s)|(?<!\S)\(?\d{1,3}\)(?=\s)", re.MULTILINE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ABBREVIATIONS = frozenset({"e.g", "i.e", "etc.", "n.b"})
_SPACE = re.compile(r"\s+")


def details(gold: str) -> tuple[str, ...]:
    """The details of a gold answer, each once, in the order of their kinds: quoted strings, identifiers, numbers.

    Identifiers are paths, dotted, underscored and camel-case names, hexadecimal ids and bracketed element ids; what
    a quoted string or an identifier holds counts once, with it. Numbers of cited steps (`step 14`) and of list items
    are no details.
    """
    text = _plain(_LIST_MARK.sub(" ", without_references(gold)))
    found: dict[str, None] = {}
    for pattern in (_QUOTED, _IDENTIFIER, _NUMBER):
        taken = list(_taken(pattern, text))
        found.update((detail, None) for _, _, detail in taken)
        for start, end, _ in reversed(taken):
            text = text[:start] + " " * (end - start) + text[end:]
    return tuple(found)


def details_found(gold: str, question: str, text: str) -> float | None:
    """The share of the gold's details, those the question gives away left out, that occur in `text`.

    Without regard to case, runs of white space and thousands separators, at token boundaries. None when there are
    no such details.
    """
    asked = _plain(question).casefold()
    wanted = [detail for detail in details(gold) if not _occurs(detail.casefold(), asked)]
    if not wanted:
        return None
    served = _plain(text).casefold()
    return sum(_occurs(detail.casefold(), served) for detail in wanted) / len(wanted)


def _taken(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, detail) of each match that is a detail."""
    for match in pattern.finditer(text):
        detail = next((group for group in match.groups() if group), match[0]).strip(" .,:;!?")
        if pattern is _QUOTED and not 2 <= len(detail) <= QUOTED_CHARACTERS:
            continue
        if detail and detail.casefold() not in _ABBREVIATIONS:
            yield *match.span(), detail


def _plain(text: str) -> str:
    return _THOUSANDS.sub("", text) if "\n" not in text and "  " not in text else _THOUSANDS.sub("", _squeeze(text))


def _squeeze(text: str) -> str:
    """Runs of blanks as one; line breaks kept, for the marks of list items stand at their beginnings."""
    return "\n".join(_SPACE.sub(" ", line) for line in text.split("\n"))


def _occurs(detail: str, text: str) -> bool:
    """Whether `detail` stands in `text` with no letter, digit or underscore going on at an edge that is one."""
    at = text.find(detail)
    while at >= 0:
        end = at + len(detail)
        if _edge(text, at - 1, at) and _edge(text, end - 1, end):
            return True
        at = text.find(detail, at + 1)
    return False


def _edge(text: str, left: int, right: int) -> bool:
    """Whether a token may end between the characters at `left` and `right`."""
    if left < 0 or right >= len(text):
        return True
    before, after = text[left], text[right]
    return not (_of_token(before) and _of_token(after))


def _of_token(character: str) -> bool:
    return character.isalnum() or character == "_"
