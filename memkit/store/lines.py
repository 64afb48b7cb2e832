r"""Lines of a text, as every part of memkit counts them.

Only "\n" separates lines, and "\r\n" is one break; a lone "\r", U+2028 and U+0085 are characters like any
other. A final break does not start another line; the empty text has no lines. A byte order mark at the start
belongs to the file, not to line 1.
"""

from __future__ import annotations

BOM = "\ufeff"


def split_lines(text: str) -> list[str]:
    """The lines without their breaks and without a byte order mark."""
    pieces = split_bom(text)[1].split("\n")
    last = pieces.pop()
    lines = [piece.removesuffix("\r") for piece in pieces]
    if last:
        lines.append(last)
    return lines


def count_lines(text: str) -> int:
    """len(split_lines(text)), without making the list."""
    body = split_bom(text)[1]
    return body.count("\n") + (body != "" and not body.endswith("\n"))


def split_bom(text: str) -> tuple[str, str]:
    """The byte order mark, when there is one, and the rest."""
    return (BOM, text[1:]) if text.startswith(BOM) else ("", text)


def line_break(text: str) -> str | None:
    """The break that most lines of `text` end in, the first one where both are as many; None without any."""
    windows = text.count("\r\n")
    unix = text.count("\n") - windows
    if windows == unix == 0:
        return None
    if windows == unix:
        first = text.index("\n")
        return "\r\n" if text[first - 1 : first] == "\r" else "\n"
    return "\r\n" if windows > unix else "\n"


def with_breaks(text: str, ending: str | None) -> str:
    """`text` with every line break written as `ending`, or as it is when that is None."""
    return text if ending is None else text.replace("\r\n", "\n").replace("\n", ending)
