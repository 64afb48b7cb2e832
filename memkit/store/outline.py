"""The outline of a markdown file: its headings and the lines of their sections."""

from __future__ import annotations

import difflib
from itertools import pairwise

from attrs import frozen
from markdown_it import MarkdownIt

from memkit.errors import ManyMatches, NotFound
from memkit.store.frontmatter import end_line
from memkit.store.lines import split_lines

NEAR_HEADINGS = 5
"""How many headings an error about a missing section lists."""


@frozen
class Heading:
    """A heading and its section: lines `line` to `end_line`, 1-based, both included, subsections included.

    `title` is as written, markup kept, runs of white space made one space. `path` is the titles from the
    outermost heading down to this one.
    """

    level: int
    title: str
    line: int
    end_line: int
    path: tuple[str, ...]


def headings(text: str) -> list[Heading]:
    """The ATX and setext headings in order. Those inside code, HTML, quotes, lists or frontmatter do not count."""
    lines = split_lines(text)
    skipped = end_line(text)
    # The parser takes a lone "\r" for a line break, which would shift the numbers.
    body = [""] * skipped + [line.replace("\r", " ") for line in lines[skipped:]]
    found = _parse("\n".join(body))
    ends = _ends([level for level, _, _ in found], [line for _, _, line in found], len(lines))
    outline: list[Heading] = []
    above: list[tuple[int, str]] = []
    for (level, title, line), end in zip(found, ends, strict=True):
        above = [heading for heading in above if heading[0] < level] + [(level, title)]
        outline.append(Heading(level, title, line, end, tuple(title for _, title in above)))
    return outline


def section(text: str, path: tuple[str, ...]) -> Heading:
    """The heading whose path is `path`, or else the only one whose path ends in it.

    Raises NotFound with the nearest headings, or ManyMatches with the lines.
    """
    wanted = tuple(_collapse(title) for title in path)
    outline = headings(text)
    shown = " > ".join(wanted)
    ends = [heading for heading in outline if wanted and heading.path[-len(wanted) :] == wanted]
    matches = [heading for heading in ends if heading.path == wanted] or ends
    if not matches:
        raise NotFound(f'There is no section "{shown}"{_near(wanted, outline)}.')
    if len(matches) > 1:
        lines = tuple(heading.line for heading in matches)
        listed = ", ".join(map(str, lines))
        raise ManyMatches(
            f'Several sections are called "{shown}", in lines {listed}; give the headings above it too.',
            path="",
            lines=lines,
        )
    return matches[0]


def _ends(levels: list[int], starts: list[int], last: int) -> list[int]:
    """The last line of each section: the one before the next heading that is not below it."""
    ends = [last] * len(levels)
    following = [last + 1] * 7  # By level: where the next heading of that level or a higher one starts.
    for number in range(len(levels) - 1, -1, -1):
        level = levels[number]
        ends[number] = following[level] - 1
        following[level:] = [starts[number]] * (7 - level)
    return ends


def _parse(body: str) -> list[tuple[int, str, int]]:
    """(level, title, line) of each heading at the top level of the document."""
    # Inline markup is not needed, and is what costs most.
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    tokens = parser.parse(body)
    return [
        (int(token.tag[1:]), _collapse(inline.content), token.map[0] + 1)
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map is not None
    ]


def _collapse(title: str) -> str:
    return " ".join(title.split())


def _near(wanted: tuple[str, ...], outline: list[Heading]) -> str:
    titles = list(dict.fromkeys(heading.title for heading in outline))
    if not titles:
        return ": the file has no headings"
    near = difflib.get_close_matches(wanted[-1] if wanted else "", titles, NEAR_HEADINGS) or titles[:NEAR_HEADINGS]
    return "; there is " + ", ".join(f'"{title}"' for title in near)
