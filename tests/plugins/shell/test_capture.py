"""What is kept of a command's output."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit_plugins.shell.capture import HEAD_BYTES, TAIL_BYTES, Capture


def captured(pieces: Iterable[bytes]) -> tuple[str, int]:
    """The text of what came in pieces."""
    capture = Capture()
    for piece in pieces:
        capture.feed(piece)
    return capture.text()


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_short_output_is_whole(pieces: list[bytes]) -> None:
    """Output that fits is shown as it came, however it was cut into pieces."""
    assert captured([b"".join(pieces)]) == captured(pieces)
    assert 0 == captured(pieces)[1]


@given(st.lists(st.integers(1, 9_000), min_size=1, max_size=30))
def test_long_output_keeps_whole_lines(sizes: list[int]) -> None:
    """What is kept and what is counted as left out are the whole; lines are kept whole or not."""
    data = b"".join(b"%06d\n" % number for number in range(10_000))
    pieces, at = [], 0
    for size in sizes:
        pieces.append(data[at : at + size])
        at += size
    data = data[:at]
    text, left_out = captured(pieces)

    if len(data) <= HEAD_BYTES + TAIL_BYTES:
        assert (data.decode(), 0) == (text, left_out)
    else:
        head, _, tail = text.partition(f"\n[output truncated: {left_out} bytes]\n")
        assert len(data) == len(head) + left_out + len(tail)
        assert all(len(line) == 6 for line in head.split("\n"))
        assert data.decode().startswith(head)
        assert data.decode().endswith(tail)


def test_one_long_line_is_marked_as_clipped() -> None:
    """The parts of a line that is not shown whole say so."""
    text, left_out = captured([b"x" * 20_000])

    head, tail = "x" * HEAD_BYTES, "x" * TAIL_BYTES
    mark = f" [clipped: the rest of the line]\n[output truncated: {left_out} bytes]\n[clipped: the start of the line] "
    assert (head + mark + tail, 20_000 - HEAD_BYTES - TAIL_BYTES) == (text, left_out)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\xffb", "a\ufffdb"),
        (b"\x1b]0;title\x07a\x1b[2Jb\r\n", "]0;titlea[2Jb\n"),
        ("a\x85\x9bb\tc".encode(), "ab\tc"),
        ("é 小梅".encode(), "é 小梅"),
    ],
    ids=["not UTF-8", "escapes", "C1", "other scripts"],
)
def test_text_is_safe_to_show(data: bytes, text: str) -> None:
    """Control characters are left out but for tab and line feed; bytes that are no text are replaced."""
    assert (text, 0) == captured([data])
