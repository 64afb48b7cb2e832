"""Frontmatter: on the first line, once, with the file's name and a description on one line.

What is no valid frontmatter is told and never rewritten: a guess could lose a field.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal

from memkit.errors import BadFrontmatter
from memkit.lint.finding import RULES, Finding
from memkit.lint.summary import summarize
from memkit.store.frontmatter import FENCE, Frontmatter, end_line, parse, render
from memkit.store.lines import line_break, split_bom, split_lines, with_breaks

_KEY = re.compile(r"(?:name|description)[ \t]*:")
_LOOKED = 20
"""Lines within which a block that is out of place would close."""


def check_frontmatter(files: Mapping[str, str]) -> Iterator[Finding]:
    """The findings about each file."""
    for path, text in files.items():
        try:
            front = parse(text)
        except BadFrontmatter as error:
            mend = "write `name:` and `description:` lines between the --- lines by hand"
            yield Finding(path, 1, "frontmatter-unreadable", str(error).rstrip("."), mend)
            continue
        yield from _absent(path, text) if front is None else _present(path, text, front)


def fix_frontmatter(path: str, text: str, rules: Collection[str] = tuple(RULES)) -> str:
    """`text` with what `rules` find missing or wrong put right, every other byte as it was.

    Unchanged where that cannot be done for sure: the result is read again and must say just what is wanted.
    """
    try:
        front = parse(text)
    except BadFrontmatter:
        return text
    stem, about = _stem(path), summarize(path, text)
    if front is None:
        wanted = "frontmatter-missing" in rules and about and not _late(split_lines(text))
        return _with_block(text, stem, about) if wanted else text
    if "frontmatter-name" in rules and front.name != stem:
        text = _with_value(text, "name", stem, front)
        front = parse(text) or front
    if "frontmatter-description" in rules and not front.description and about:
        text = _with_value(text, "description", about, front)
    return text


def _absent(path: str, text: str) -> Iterator[Finding]:
    if line := _late(split_lines(text)):
        message = f"the frontmatter begins on line {line}, so nothing reads it as frontmatter"
        yield Finding(path, line, "frontmatter-late", message, "move it up to the first line")
        return
    mend = "put `name` and a one-line `description` between --- lines at the top"
    fixable = fix_frontmatter(path, text) != text
    yield Finding(path, 1, "frontmatter-missing", "there is no frontmatter", mend, fixable)


def _present(path: str, text: str, front: Frontmatter) -> Iterator[Finding]:
    lines, stem = split_lines(text), _stem(path)
    if front.name != stem:
        what = f"the name is {front.name!r}, not {stem!r} as the file" if front.name else "there is no name"
        fixable = _with_value(text, "name", stem, front) != text
        yield Finding(path, _line_of(lines, "name"), "frontmatter-name", what, f"write `name: {stem}`", fixable)
    if not front.description:
        about = summarize(path, text)
        fixable = bool(about) and _with_value(text, "description", about, front) != text
        mend = f"write `description: {about}`" if about else "say in one line what the file holds"
        line = _line_of(lines, "description")
        yield Finding(path, line, "frontmatter-description", "there is no description", mend, fixable)
    elif _continued(lines[: front.end_line]):
        line = _line_of(lines, "description")
        yield Finding(
            path, line, "frontmatter-lines", "the description takes more than one line", "write it on one line"
        )
    if second := _second(lines[front.end_line :]):
        line = front.end_line + second
        mend = "move its fields into the first block, or take its --- lines away"
        yield Finding(path, line, "frontmatter-second", "a second block of frontmatter hides its fields", mend)


def _stem(path: str) -> str:
    """The name that a file's frontmatter gives; it is read with runs of blanks as one."""
    return " ".join(PurePosixPath(path).stem.split())


def _late(lines: list[str]) -> int:
    """The line of the opening fence of a block that begins below blank lines only; 0 without one."""
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return first + 1 if first and _is_block(lines[first:]) else 0


def _second(below: list[str]) -> int:
    """The line, counted from 1 below the first block, where a second one begins; 0 without one."""
    first = next((number for number, line in enumerate(below) if line.strip()), len(below))
    return first + 1 if _is_block(below[first:]) else 0


def _is_block(lines: list[str]) -> bool:
    """Whether lines begin with a fence, a name or description, and a closing fence. A rule alone is none."""
    if not lines or lines[0].rstrip() != FENCE:
        return False
    inner: list[str] = []
    for line in lines[1:_LOOKED]:
        if line.rstrip() == FENCE:
            return any(_KEY.match(each) for each in inner)
        inner.append(line)
    return False


def _line_of(lines: list[str], key: str) -> int:
    """The line of the frontmatter that gives a key; 1 when none does."""
    return next((n for n, line in enumerate(lines, 1) if n > 1 and re.match(rf"{key}[ \t]*:", line)), 1)


def _continued(head: list[str]) -> bool:
    """Whether the description of a block goes on below its line."""
    at = _line_of(head, "description")
    return at > 1 and head[at][:1] in (" ", "\t")


def _with_block(text: str, name: str, about: str) -> str:
    """`text` below new frontmatter."""
    bom, body = split_bom(text)
    try:
        block = render(name, about) + "\n"
    except BadFrontmatter:
        return text
    return bom + with_breaks(block, line_break(body)) + body


def _with_value(text: str, key: Literal["name", "description"], value: str, front: Frontmatter) -> str:
    """`text` with one value of its frontmatter put in place of a line, or in a new one; else unchanged."""
    lines, stop = text.split("\n"), end_line(text) - 1
    given = [number for number in range(1, stop) if re.match(rf"{key}[ \t]*:", lines[number])]
    try:
        block = render(value, "") if key == "name" else render("", value)
    except BadFrontmatter:
        return text
    written = block.split("\n")[1]
    ending = "\r" if lines[0].endswith("\r") else ""
    if not given:
        at = 2 if key == "description" and lines[1].startswith("name") else 1
        lines.insert(at, written + ending)
    elif len(given) == 1 and "#" not in lines[given[0]]:
        lines[given[0]] = written + ending
    else:
        return text
    new = "\n".join(lines)
    return new if _says(new, key, value, front) else text


def _says(text: str, key: str, value: str, front: Frontmatter) -> bool:
    """Whether the frontmatter of `text` differs from `front` in this value only."""
    try:
        now = parse(text)
    except BadFrontmatter:
        return False
    before = {"name": front.name, "description": front.description}
    wanted = {**before, key: " ".join(value.split())}
    return (
        now is not None
        and wanted == {"name": now.name, "description": now.description}
        and (now.metadata == front.metadata)
    )
