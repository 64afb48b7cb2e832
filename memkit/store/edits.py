r"""Edits of a text: what changes and what must stay, byte for byte.

Models write "\n"; files may use "\r\n". In the text to find, both mean a line break; new text takes the break
of the place it goes to. Everything outside the edit stays as it is, breaks and byte order mark included.
"""

from __future__ import annotations

from attrs import frozen

from memkit.errors import BadLine, ManyMatches, NoMatch
from memkit.store.lines import count_lines, line_break, split_bom, with_breaks
from memkit.store.paths import shown

MATCHES_LISTED = 100
"""An error about several matches names this many at most: looking further could take very long."""


@frozen
class Edit:
    """A done edit: the whole new text, and the lines of it (1-based, both included) that the edit covers.

    Where the edit removed text, the lines are those around the place.
    """

    path: str
    text: str
    first_line: int
    last_line: int


def str_replace(path: str, text: str, old: str, new: str) -> Edit:
    """Replace the one place where `old` occurs. Raises NoMatch, or ManyMatches also when matches overlap."""
    if old == "":
        raise NoMatch(f"The text to replace in {shown(path)} is empty; give some of its text.", path=path)
    bom, body = split_bom(text)
    plain = body.replace("\r\n", "\n")
    wanted = old.replace("\r\n", "\n")
    lines = _match_lines(plain, wanted)
    if not lines:
        raise NoMatch(f"The text to replace does not occur in {shown(path)}; copy it exactly.", path=path)
    if len(lines) > 1:
        listed = ", ".join(map(str, lines)) + (" and more" if len(lines) == MATCHES_LISTED else "")
        raise ManyMatches(
            f"The text to replace occurs more than once in {shown(path)}, in lines {listed}; give more of it.",
            path=path,
            lines=lines,
        )
    at = plain.index(wanted)
    start, end = _offset(body, at), _offset(body, at + len(wanted))
    put = with_breaks(new, line_break(body[start:end]) or line_break(body))
    return _edit(path, bom + body[:start] + put + body[end:], lines[0], new)


def insert(path: str, text: str, line: int, new: str) -> Edit:
    """Put `new` as whole lines after line `line`, 0 being the top. Raises BadLine."""
    bom, body = split_bom(text)
    high = count_lines(body)
    if not 0 <= line <= high:
        raise BadLine(f"Line {line} is not in {shown(path)}: give 0 to {high}.", path=path, low=0, high=high)
    ending = line_break(body)
    put = with_breaks(new, ending)
    if not put.endswith("\n"):
        put += ending or line_break(put) or "\n"
    at = _line_start(body, line)
    before = body[:at]
    if before and not before.endswith("\n"):
        before += ending or line_break(put) or "\n"
    return _edit(path, bom + before + put + body[at:], line + 1, put)


def _match_lines(text: str, wanted: str) -> tuple[int, ...]:
    """The line each match begins in, overlapping matches included, up to MATCHES_LISTED."""
    lines: list[int] = []
    line, counted = 1, 0
    at = text.find(wanted)
    while at >= 0 and len(lines) < MATCHES_LISTED:
        line += text.count("\n", counted, at)
        counted = at
        lines.append(line)
        at = text.find(wanted, at + 1)
    return tuple(lines)


def _offset(text: str, plain: int) -> int:
    r"""Where offset `plain` of text.replace("\r\n", "\n") is in `text`; at a break, before it."""
    at = 0
    for piece in text.split("\r\n"):
        if plain <= len(piece):
            return at + plain
        at += len(piece) + 2
        plain -= len(piece) + 1
    raise AssertionError("an offset past the end")


def _line_start(text: str, line: int) -> int:
    """The offset right after line `line`."""
    at = 0
    for _ in range(line):
        at = text.find("\n", at) + 1
        if at == 0:
            return len(text)
    return at


def _edit(path: str, text: str, first: int, new: str) -> Edit:
    high = max(1, count_lines(text))
    first = min(first, high)
    return Edit(path, text, first, min(high, max(first, first + count_lines(new) - 1)))
