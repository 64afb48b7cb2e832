"""Bounds of what a tool returns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memkit.tools.output import CLIPPED, LINE_CAP, OUTPUT_CAP, clip, cut, fit_rows, show_lines


def test_clip_in_the_middle() -> None:
    """The part about the wanted place is shown, and each marker counts what is left out there."""
    text = "a" * 1_000 + "here" + "b" * 2_000
    shown = clip(text, 100, around=1_000)

    assert f"{CLIPPED}950 characters] {'a' * 50}here{'b' * 46} {CLIPPED}1,954 characters]" == shown


@given(st.text(min_size=1), st.integers(1, 20), st.data())
def test_clip_shows_the_place(text: str, width: int, data: st.DataObject) -> None:
    """The character asked for is always in what is shown, and no more than the width is."""
    at = data.draw(st.integers(0, len(text) - 1))
    marked = "-" * at + "#" + "-" * (len(text) - at - 1)
    shown = clip(marked, width, around=at)

    assert 1 == shown.count("#")
    assert min(width, len(text)) == shown.count("#") + shown.count("-")


@given(st.lists(st.text("ab", max_size=9)), st.integers(0, 60))
def test_fit_rows(rows: list[str], room: int) -> None:
    """As many rows fit as their characters and line ends allow."""
    count = fit_rows(rows, room)
    sizes = [len(row) + 1 for row in rows]

    assert sum(sizes[:count]) <= room
    assert count == len(rows) or sum(sizes[: count + 1]) > room


@given(st.text("a\n", max_size=2_000), st.integers(350, 900))
def test_cut(text: str, cap: int) -> None:
    """A text within the cap is as it was; any other is a whole beginning of it, within the cap with its notice."""
    shown = cut(text, cap)
    if len(text) <= cap:
        assert text == shown
    else:
        kept, _, notice = shown.rpartition("\n")
        assert text.startswith(kept.split(f" {CLIPPED}")[0])
        assert notice.startswith("[output cut: ")
        assert len(shown) <= cap


def test_show_lines_goes_on() -> None:
    """A notice names the range to go on with, and going on with it shows every line once."""
    lines = [f"{number} " + "x" * (number % 300) for number in range(1, 1_001)]
    seen: list[str] = []
    following = 1
    while following <= len(lines):
        *rows, last = show_lines(lines, following, len(lines)).split("\n")
        if last.startswith("[output cut: "):
            assert f"view_range [{following + len(rows)}, 1000]]" in last
        else:
            rows.append(last)
        seen += [row.partition("\t")[2] for row in rows]
        following += len(rows)

    assert lines == seen


def test_show_lines_within_the_cap() -> None:
    """Lines of any length keep the cap, each cut at its own."""
    lines = ["x" * 5_000] * 20
    shown = show_lines(lines, 1, 20)

    assert OUTPUT_CAP >= len(shown)
    assert f"     1\t{'x' * LINE_CAP} {CLIPPED}3,000 characters]" == shown.split("\n")[0]


def test_show_one_line_in_no_room() -> None:
    """At least one line is shown, so that going on comes to an end."""
    assert (
        "     1\tab\n[output cut: 3 more characters in 1 lines; go on with view and view_range [2, 2]]"
        == show_lines(["ab", "cd"], 1, 2, room=5)
    )
