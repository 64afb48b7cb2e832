"""Keeping what a tool returns within bounds, and saying what was left out."""

from __future__ import annotations

from collections.abc import Sequence

OUTPUT_CAP = 16_000
"""Characters of one tool result: what the description of the memory tool promises its models."""

LINE_CAP = 2_000
"""Characters shown of one line of a file."""

CLIPPED = "[clipped: "
"""Begins the marker that stands for the left-out part of a line; a line with it is shown in part only."""

NOTICE_ROOM = 300
"""Characters kept free for a notice about what was left out."""


def clip(text: str, width: int = LINE_CAP, *, around: int = 0) -> str:
    """`text`, or `width` characters of it about position `around` with a marker at each end where some are left out."""
    if len(text) <= width:
        return text
    start = min(max(around - width // 2, 0), len(text) - width)
    end = start + width
    before = f"{CLIPPED}{start:,} characters] " if start else ""
    after = f" {CLIPPED}{len(text) - end:,} characters]" if end < len(text) else ""
    return f"{before}{text[start:end]}{after}"


def cut(text: str, cap: int = OUTPUT_CAP) -> str:
    """`text` in about `cap` characters: cut at a line end where there is one, with a notice of what was left out."""
    if len(text) <= cap:
        return text
    room = max(cap - NOTICE_ROOM, 0)
    end = text.rfind("\n", 0, room + 1)
    kept, rest = (text[:end], text[end + 1 :]) if end > 0 else (text[:room], text[room:])
    if end <= 0:
        kept += f" {CLIPPED}the rest of the line]"
    left = f"{len(rest):,} more characters in {rest.rstrip().count(chr(10)) + 1:,} lines"
    return f"{kept}\n[output cut: {left}; ask for less, such as a range of lines, one folder or a narrower pattern]"


def fit_rows(rows: Sequence[str], room: int) -> int:
    """How many of `rows`, from the first on, take at most `room` characters with their line ends."""
    for count, row in enumerate(rows):
        room -= len(row) + 1
        if room < 0:
            return count
    return len(rows)


def show_lines(lines: Sequence[str], first: int, last: int, *, room: int = OUTPUT_CAP) -> str:
    """Lines `first` to `last` (1-based, inclusive) of a file's `lines`: number to width 6, tab, text.

    Long lines are clipped. When they take more than `room` characters, as many as fit come, and a notice that names
    the range left.
    """
    rows: list[str] = []
    size = 0
    for number in range(first, last + 1):
        rows.append(f"{number:>6}\t{clip(lines[number - 1])}")
        size += len(rows[-1]) + 1
        if size > room:
            break
    else:
        return "\n".join(rows)
    rows = rows[: max(fit_rows(rows, room - NOTICE_ROOM), 1)]
    following = first + len(rows)
    left = sum(len(line) + 1 for line in lines[following - 1 : last])
    notice = (
        f"[output cut: {left:,} more characters in {last - following + 1:,} lines;"
        f" go on with view and view_range [{following}, {last}]]"
    )
    return "\n".join([*rows, notice])
