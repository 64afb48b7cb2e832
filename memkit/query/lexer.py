"""The tokens of the text form, and the numbers among them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from memkit.query.text import clip, quote

_TOKEN = re.compile(
    r"""(?P<space>[^\S\n]+)
    | (?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    | (?P<end>[;\n])
    | (?P<mark>!=|<=|>=|[=<>:|~,\[\]])
    | (?P<word>[^\s"|;:,\[\]~=<>!]+)
    | (?P<fault>.)""",
    re.VERBOSE,
)
_NUMBER = re.compile(
    r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?inf|nan|[+-]?0x[0-9a-f]+", re.ASCII | re.IGNORECASE
)
_WHOLE = re.compile(r"[+-]?(?:\d+|0x[0-9a-f]+)", re.ASCII | re.IGNORECASE)
_SHOWN = 40
"""Characters of a token in a message."""


@frozen
class Token:
    """A token: its kind (`string`, `word`, `mark`, `end` of a sub-query, `fault`, `eof`), its text, its offset."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text` without spaces, and one of the kind `eof`."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "space":
            yield Token(kind, match.group(), match.start())
    yield Token("eof", "", len(text))


def whole(text: str) -> int | None:
    """The whole number that `text` is, if it is one."""
    if _WHOLE.fullmatch(text) is None:
        return None
    try:
        return int(text, 16 if "x" in text.lower() else 10)
    except ValueError:  # more digits than Python reads
        return None


def number(text: str) -> float | None:
    """The number that `text` is, if it is one."""
    if _NUMBER.fullmatch(text) is None:
        return None
    if "x" not in text.lower():
        return float(text)
    try:
        return float(int(text, 16))
    except OverflowError:
        return float("-inf" if text.startswith("-") else "inf")


def show(token: Token) -> str:
    """The token, for a message."""
    if token.kind == "eof":
        return "the end"
    if token.text == "\n":
        return "the end of the line"
    if token.text == '"':
        return "a quotation mark that begins no JSON string"
    return quote(clip(token.text, _SHOWN))
