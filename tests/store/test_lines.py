"""The one rule for lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.store.lines import BOM, count_lines, line_break, split_lines, with_breaks

texts = st.text(st.sampled_from("ab\r\n\u2028\u0085\v\f" + BOM))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb", ["a", "b"]),
        ("a\rb\r", ["a\rb\r"]),
        ("a\r\r\nb", ["a\r", "b"]),
        ("a\u2028b\u0085c\vd\n", ["a\u2028b\u0085c\vd"]),
        (BOM + "a\n" + BOM, ["a", BOM]),
        (BOM, []),
    ],
)
def test_split_lines(text: str, lines: list[str]) -> None:
    """Only LF and CRLF end lines, a final one starts no other, and the byte order mark is in none."""
    assert lines == split_lines(text)


@given(texts)
def test_count_is_the_length(text: str) -> None:
    """Counting agrees with splitting."""
    assert len(split_lines(text)) == count_lines(text)


@given(st.lists(st.text(st.sampled_from("ab\u2028 "))), st.sampled_from(["\n", "\r\n"]))
def test_round_trip(lines: list[str], ending: str) -> None:
    """Lines joined by any break split into themselves."""
    assert lines == split_lines("".join(line + ending for line in lines))


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("", None),
        ("a\rb", None),
        ("a\n", "\n"),
        ("a\r\n", "\r\n"),
        ("a\nb\r\nc\r\n", "\r\n"),
        ("\nb\r\n", "\n"),
        ("\r\n\n", "\r\n"),
    ],
)
def test_line_break(text: str, ending: str | None) -> None:
    """The commoner break wins, and the first one where both are as common."""
    assert ending == line_break(text)


@given(texts, st.sampled_from(["\n", "\r\n"]))
def test_with_breaks_keeps_the_lines(text: str, ending: str) -> None:
    """Writing the breaks another way changes no line."""
    assert split_lines(text) == split_lines(with_breaks(text, ending)) or "\r\r\n" in text
