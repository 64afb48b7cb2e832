"""Edits change what they name and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memkit.errors import BadLine, ManyMatches, NoMatch
from memkit.store import edits
from memkit.store.lines import BOM, count_lines, split_bom, split_lines

PATH = "/memories/a.md"
texts = st.builds(
    str.__add__,
    st.sampled_from(["", BOM]),
    st.lists(st.sampled_from(["a", "b", "é", "\n", "\r\n", "\r", "\u2028"])).map("".join),
)


@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        ("a\nb\n", "b", "c", "a\nc\n"),
        ("a\r\nb\r\nc", "a\nb", "x\ny", "x\r\ny\r\nc"),
        ("a\nb\nc\r\n", "a\nb", "x\ny", "x\ny\nc\r\n"),
        ("a\nb", "a\r\nb", "c", "c"),
        ("a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n"),
        ("a\rb\n", "\r", "-", "a-b\n"),
        (BOM + "a\n", "a", "b", BOM + "b\n"),
        ("a\nb\n", "a\nb\n", "", ""),
        ("one", "one", "x\r\ny", "x\r\ny"),
    ],
)
def test_str_replace(text: str, old: str, new: str, result: str) -> None:
    """A break in the old text matches either kind, and the new text takes the kind of its place."""
    assert result == edits.str_replace(PATH, text, old, new).text


@pytest.mark.parametrize(
    ("text", "old", "lines"),
    [("aaaa", "aaa", (1, 1)), ("x\ny\nx\n", "x", (1, 3)), ("\r\n\r\n", "\n", (1, 2)), ("a\n\n\nb", "\n\n", (1, 2))],
)
def test_many_matches(text: str, old: str, lines: tuple[int, ...]) -> None:
    """Matches that overlap count, each with the line it begins in."""
    with pytest.raises(ManyMatches) as caught:
        edits.str_replace(PATH, text, old, "")

    assert lines == caught.value.lines


def test_many_matches_are_counted_up_to_a_point() -> None:
    """A text that repeats without end is refused at once."""
    with pytest.raises(ManyMatches) as caught:
        edits.str_replace(PATH, "a" * 2_000_000, "a" * 1_000_000, "")

    assert len(caught.value.lines) == edits.MATCHES_LISTED
    assert "and more" in str(caught.value)


@pytest.mark.parametrize("old", ["z", "", "A", "a\rb"])
def test_no_match(old: str) -> None:
    """An old text that does not occur, or is empty, is refused."""
    with pytest.raises(NoMatch):
        edits.str_replace(PATH, "a\nb", old, "c")


@given(texts, st.data(), st.text(st.sampled_from("xyz\n")))
def test_str_replace_keeps_the_rest(text: str, data: st.DataObject, new: str) -> None:
    """Every character before and after the match stays as it was, whatever the breaks."""
    assume("\r\r\n" not in text)
    bom, body = split_bom(text)
    start = data.draw(st.integers(0, len(body)))
    end = data.draw(st.integers(start, len(body)))
    assume(body[max(0, start - 1) : start + 1] != "\r\n")
    assume(body[max(0, end - 1) : end + 1] != "\r\n")
    before, old, after = body[:start], body[start:end], body[end:]
    try:
        done = edits.str_replace(PATH, text, old.replace("\r\n", "\n"), new)
    except (NoMatch, ManyMatches):
        return
    put = done.text[len(bom + before) : len(done.text) - len(after)]
    assert bom + before + put + after == done.text
    assert new == put.replace("\r\n", "\n")
    assert 1 <= done.first_line <= done.last_line <= max(1, count_lines(done.text))


@pytest.mark.parametrize(
    ("text", "line", "new", "result", "lines"),
    [
        ("", 0, "a", "a\n", (1, 1)),
        ("a\nb\n", 1, "x", "a\nx\nb\n", (2, 2)),
        ("a\nb\n", 0, "x\ny\n", "x\ny\na\nb\n", (1, 2)),
        ("a", 1, "x", "a\nx\n", (2, 2)),
        ("a\r\nb", 2, "x\ny", "a\r\nb\r\nx\r\ny\r\n", (3, 4)),
        ("a\r\nb\r\n", 1, "x", "a\r\nx\r\nb\r\n", (2, 2)),
        (BOM + "a\n", 0, "x", BOM + "x\na\n", (1, 1)),
        ("a\n", 1, "", "a\n\n", (2, 2)),
        ("a\rb\n", 1, "x", "a\rb\nx\n", (2, 2)),
        ("a", 1, "x\r\ny", "a\r\nx\r\ny\r\n", (2, 3)),
    ],
)
def test_insert(text: str, line: int, new: str, result: str, lines: tuple[int, int]) -> None:
    """Whole lines go in with the file's break, after a byte order mark, and a last line that lacks a break gets one."""
    done = edits.insert(PATH, text, line, new)

    assert (result, lines) == (done.text, (done.first_line, done.last_line))


@given(texts, st.text(st.sampled_from("xyz\n")), st.data())
def test_insert_keeps_the_rest(text: str, new: str, data: st.DataObject) -> None:
    """The lines before and after stay in place, and the edit names just the new ones."""
    line = data.draw(st.integers(0, count_lines(text)))
    done = edits.insert(PATH, text, line, new)
    old, now, bom = split_lines(text), split_lines(done.text), split_bom(text)[0]
    put = split_lines(new) or [""]

    assert (old[:line] + put + old[line:]) == now or "\r" in old[-1]
    assert done.text.startswith(bom)
    assert (line + 1, line + len(put)) == (done.first_line, done.last_line)
    assert now[done.first_line - 1 : done.last_line] == put


@pytest.mark.parametrize("line", [-1, 3, 10**12])
def test_bad_line(line: int) -> None:
    """A line outside the file names the range that is allowed."""
    with pytest.raises(BadLine) as caught:
        edits.insert(PATH, "a\nb\n", line, "x")

    assert (caught.value.low, caught.value.high) == (0, 2)
    assert f'Line {line} is not in "/memories/a.md": give 0 to 2.' == str(caught.value)
