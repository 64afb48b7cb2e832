"""Headings and their sections."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import ManyMatches, NotFound
from memkit.store.lines import BOM, count_lines
from memkit.store.outline import headings, section

TEXT = """---
name: x
description: y
---
# Top  *one*
text
## A
```
# code
```
> # quoted

- # listed

### Deep
Setext
two
---
end
# Last
"""

markdown = st.lists(
    st.sampled_from(
        ["# a", "## b", "### a", "text", "", "```", "===", "---", "> # q", "    # code", "<div>", "a\rb", "\u2028# x"]
    )
).map("\n".join)


def test_headings() -> None:
    """ATX and setext headings at the top level count, each section ending before the next of its level or above."""
    assert [(h.level, h.title, h.line, h.end_line) for h in headings(TEXT)] == [
        (1, "Top *one*", 5, 19),
        (2, "A", 7, 15),
        (3, "Deep", 15, 15),
        (2, "Setext two", 16, 19),
        (1, "Last", 20, 20),
    ]


def test_paths() -> None:
    """A heading's path is the titles above it and its own."""
    assert headings(TEXT)[2].path == ("Top *one*", "A", "Deep")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("#\n", [1]),
        ("a\rb\n# c", [2]),
        (BOM + "# a\r\n\r\n# b\r\n", [1, 3]),
        ("---\nbad: [\n---\n# a", [4]),
        ("---\n# not closed", [2]),
        ("a\u2028b\n# c", [2]),
    ],
)
def test_lines_follow_the_rule(text: str, lines: list[int]) -> None:
    """Line numbers are those of split_lines, whatever breaks and marks the file has."""
    assert lines == [heading.line for heading in headings(text)]


@given(markdown)
def test_sections_nest(text: str) -> None:
    """Sections lie in the file, and two of them are apart or one within the other, deeper one."""
    found = headings(text)
    for heading in found:
        assert 1 <= heading.line <= heading.end_line <= count_lines(text)
        assert heading.title == heading.path[-1]
        inner = [h for h in found if heading.line < h.line <= heading.end_line]
        assert all(h.level > heading.level and h.end_line <= heading.end_line for h in inner)
        assert all(h.path[: len(heading.path)] == heading.path for h in inner)
    assert [h.line for h in found] == sorted({h.line for h in found})
    if found:
        assert count_lines(text) == max(h.end_line for h in found)


@given(markdown)
def test_section_finds_each(text: str) -> None:
    """Every heading is found by its path, or the error lists all that share it."""
    found = headings(text)
    for heading in found:
        lines = tuple(h.line for h in found if h.path == heading.path)
        if len(lines) == 1:
            assert heading == section(text, heading.path)
        else:
            with pytest.raises(ManyMatches) as caught:
                section(text, heading.path)
            assert lines == caught.value.lines


def test_section_by_the_end_of_its_path() -> None:
    """A part of the path is enough where only one heading ends in it."""
    assert section(TEXT, ("Deep",)).line == 15
    assert section(TEXT, ("A", "  Deep ")).line == 15


def test_whole_path_wins() -> None:
    """A heading whose whole path is given is meant, though others end in it."""
    assert section("# A\n## B\n# B\n", ("B",)).line == 3


def test_missing_section_names_near_ones() -> None:
    """The error lists headings that are close."""
    with pytest.raises(NotFound) as caught:
        section(TEXT, ("Lost",))

    assert str(caught.value) == 'There is no section "Lost"; there is "Last".'


@pytest.mark.parametrize("path", [(), ("",), ("A", "Top *one*")])
def test_no_such_path(path: tuple[str, ...]) -> None:
    """An empty path and a path in the wrong order match nothing."""
    with pytest.raises(NotFound):
        section(TEXT, path)


def test_ambiguous_section() -> None:
    """Several matches are an error with their lines."""
    with pytest.raises(ManyMatches) as caught:
        section("# A\n## B\n# C\n## B\n", ("B",))

    assert caught.value.lines == (2, 4)


def test_many_headings() -> None:
    """A file of four thousand headings is outlined whole."""
    found = headings("# a\n## b\n" * 2_000)

    assert len(found) == 4_000
    assert (found[-2].line, found[-2].end_line) == (3_999, 4_000)
