"""What a command wrote: the head and the tail of it, as text that is safe to show."""

from __future__ import annotations

from attrs import field, mutable

HEAD_BYTES = 10_000
TAIL_BYTES = 4_000
"""Kept of a long output; together with the status below what a tool result may hold."""

# C0, DEL and C1 but for tab and line feed: no output moves a cursor, sets a title or rings a bell.
_CONTROLS = dict.fromkeys(code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n")


@mutable
class Capture:
    """Takes in bytes without end and holds at most `HEAD_BYTES + TAIL_BYTES` of them."""

    total: int = 0
    _head: bytearray = field(factory=bytearray, init=False)
    _tail: bytearray = field(factory=bytearray, init=False)

    def feed(self, data: bytes) -> None:
        """Take in what was read."""
        self.total += len(data)
        room = HEAD_BYTES - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        del self._tail[:-TAIL_BYTES]

    def text(self) -> tuple[str, int]:
        """The text, whole lines about a mark where something is left out, and how many bytes are."""
        head, tail = bytes(self._head), bytes(self._tail)
        if self.total <= HEAD_BYTES + TAIL_BYTES:
            return _shown(head + tail), 0
        head, clipped = _whole_lines(head)
        tail, cut = _whole_lines_from(tail)
        left = self.total - len(head) - len(tail)
        before = _shown(head) + (" [clipped: the rest of the line]" if clipped else "")
        after = ("[clipped: the start of the line] " if cut else "") + _shown(tail)
        return f"{before}\n[output truncated: {left} bytes]\n{after}", left


def _whole_lines(head: bytes) -> tuple[bytes, bool]:
    """The head up to its last line end, or all of it and True when it is one line."""
    end = head.rfind(b"\n")
    return (head, True) if end < 0 else (head[:end], False)


def _whole_lines_from(tail: bytes) -> tuple[bytes, bool]:
    start = tail.find(b"\n", 0, -1)
    return (tail, True) if start < 0 else (tail[start + 1 :], False)


def _shown(data: bytes) -> str:
    return data.decode(errors="replace").translate(_CONTROLS)
