"""Arguments of logged calls, each with the place of its characters in the action: JSON, tags and shell words.

Everything here is linear in the text and raises nothing: what does not parse gives None or what was read so far.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

Range = tuple[int, int]
"""Characters [u, v) of an action."""

_DECODER = json.JSONDecoder(strict=False)  # logs hold raw control characters inside strings
_SPACE = re.compile(r"[ \t\r\n]*")
_TAG = re.compile(r"<parameter=([\w.-]{1,64})>\r?\n?(.*?)\r?\n?</parameter>", re.DOTALL | re.ASCII)
_WORD = re.compile(r"""(?:[^\s"'\\]|\\.|'[^']*+'|"(?:[^"\\]|\\.)*+"|["'\\])++""", re.DOTALL)
_PIECE = re.compile(r"""'([^']*+)'|"((?:[^"\\]|\\.)*+)"|\\(.)|([^"'\\]++|.)""", re.DOTALL)
_ESCAPED = re.compile(r"\\([\\\"$`\n])")


@frozen
class Arguments:
    """Values by name and where each is written; the place of a quoted value is what stands between the quotes."""

    values: Mapping[str, Any]
    places: Mapping[str, Range]
    end: int


@frozen
class Word:
    """A word of a shell command: `text` without its quotes, `place` with them left out where they enclose it whole."""

    text: str
    place: Range
    quoted: bool


def read_object(text: str, start: int) -> Arguments | None:
    """The JSON object that begins at `start`, after blanks; None when there is none or it is broken."""
    values: dict[str, Any] = {}
    places: dict[str, Range] = {}
    at = _skip(text, start)
    if not text.startswith("{", at):
        return None
    at = _skip(text, at + 1)
    if text.startswith("}", at):
        return Arguments(values, places, at + 1)
    try:
        while True:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, at)
            if not isinstance(key, str) or not text.startswith(":", at):
                return None
            begin = _skip(text, at + 1)
            value, end = _DECODER.raw_decode(text, begin)
            values[key] = value
            places[key] = (begin + 1, end - 1) if isinstance(value, str) else (begin, end)
            at = _skip(text, end)
            if text.startswith("}", at):
                return Arguments(values, places, at + 1)
            if not text.startswith(",", at):
                return None
            at = _skip(text, at + 1)
    except (ValueError, RecursionError):
        return None


def read_tags(text: str, start: int) -> Arguments:
    """The `<parameter=NAME>value</parameter>` tags after `start`; a value loses one line break at either end."""
    values: dict[str, Any] = {}
    places: dict[str, Range] = {}
    end = start
    # Without a closing tag ahead the lazy pattern would scan to the end once for every opening one.
    last = text.rfind("</parameter>") + len("</parameter>")
    for match in _TAG.finditer(text, start, max(last, start)):
        values[match[1]] = match[2]
        places[match[1]] = match.span(2)
        end = match.end()
    return Arguments(values, places, end)


def shell_words(text: str, start: int = 0) -> Iterator[Word]:
    """The words of one simple shell command, quotes removed as a shell removes them."""
    for match in _WORD.finditer(text, start):
        raw = match[0]
        plain = unquote(raw)
        at, end = match.span()
        quoted = raw[0] in "'\""
        if quoted and len(plain) == len(raw) - 2:
            at, end = at + 1, end - 1
        yield Word(plain, (at, end), quoted)


def unquote(word: str) -> str:
    """`word` as the shell would pass it on; an unclosed quote stays."""
    if not any(sign in word for sign in "'\"\\"):
        return word
    return "".join(_unquoted(match) for match in _PIECE.finditer(word))


def _unquoted(match: re.Match[str]) -> str:
    single, double, escaped, plain = match.groups()
    if double is not None:
        return _ESCAPED.sub(lambda found: found[1] if found[1] != "\n" else "", double)
    return str(single if single is not None else escaped if escaped is not None else plain)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
