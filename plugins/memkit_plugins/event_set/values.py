"""The value that an answer states, read in the format that its question asks for.

The formats are those of the ledger paper's appendix H: an integer, a step number, a comma-separated list or `none`,
a name. An integer is the leading one of the answer, else its first.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Format: TypeAlias = Literal["integer", "integers", "name", "names"]

_FORMATS: tuple[tuple[re.Pattern[str], Format], ...] = (
    (re.compile(r"comma-separated list of (?:step )?numbers", re.IGNORECASE), "integers"),
    (re.compile(r"comma-separated list", re.IGNORECASE), "names"),
    (re.compile(r"\b(?:an?|one) (?:integer|number|step number)\b", re.IGNORECASE), "integer"),
    (re.compile(r"\b(?:an?|one) name\b", re.IGNORECASE), "name"),
)
_INTEGER = re.compile(r"(?<![\w.,])-?\d+(?![\w])(?!\.\d)")
_LIST = re.compile(r"(?<![\w.])\d+(?:\s*(?:,\s*and|,|and|&)\s*\d+)*(?![\w])", re.IGNORECASE)
_ANSWER = re.compile(r"^\s*(?:the\s+)?(?:final\s+)?answer(?:\s*\[\d+\])?\s*(?::|is\b)\s*", re.IGNORECASE | re.MULTILINE)
_QUOTED = re.compile(r"\*\*(.+?)\*\*|`(.+?)`|\"(.+?)\"|“(.+?)”")
_NOTHING = {"", "none", "no", "nothing", "n/a", "0"}


def stated_format(question: str) -> Format | None:
    """The format that a question asks its answer in, by the last sentence that names one; None where none does."""
    found = [(match.start(), form) for pattern, form in _FORMATS for match in pattern.finditer(question)]
    last = max(found, default=None)
    if last is not None and last[1] == "names" and any(form == "integers" for at, form in found if at == last[0]):
        return "integers"
    return last[1] if last else None


def same_value(form: Format, answer: str, gold: str) -> bool:
    """Whether the value that an answer states in `form` is the gold's. The order of a list does not count."""
    said = _ANSWER.split(answer)[-1].strip()
    if form == "integer":
        return _integer(said) is not None and _integer(said) == _integer(gold)
    if form == "integers":
        return _integers(said) == _integers(gold)
    if form == "names":
        return _names(said) == _names(gold)
    return _name(said) == _name(gold)


def _integer(text: str) -> int | None:
    found = _INTEGER.search(text)
    return int(found[0]) if found else None


def _integers(text: str) -> frozenset[int] | None:
    """The numbers of the first list; none for an answer that begins with `none`; None where there is no list."""
    if re.match(r"\W*none\b", text, re.IGNORECASE):
        return frozenset()
    found = _LIST.search(text)
    return frozenset(map(int, re.findall(r"\d+", found[0]))) if found else None


def _names(text: str) -> frozenset[str]:
    """The names of the first line that has any, separated by commas."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    names = {_plain(re.sub(r"^\s*and\s+", "", name)) for name in line.split(",")}
    return frozenset(names - _NOTHING)


def _name(text: str) -> str:
    """What is quoted or set bold first, else the first line."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    found = _QUOTED.search(line)
    return _plain(next(filter(None, found.groups())) if found else line)


def _plain(name: str) -> str:
    """A name without what surrounds it: quotation marks, a list's mark, a full stop, case."""
    return " ".join(name.strip().strip("`'\"*“”[]").rstrip(".").strip("`'\"*“”").split()).casefold()
