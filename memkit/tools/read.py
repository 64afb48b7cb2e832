"""The tools that read a store: view, grep, toc and section_read."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from memkit.contracts import Tool
from memkit.errors import NotFound, ToolError
from memkit.store.files import ROOT, Store
from memkit.store.lines import split_lines
from memkit.store.outline import Heading, headings, section
from memkit.tools.define import define_tool
from memkit.tools.grep import MAX_RESULTS, grep_store
from memkit.tools.listing import list_folder
from memkit.tools.output import NOTICE_ROOM, OUTPUT_CAP, clip, fit_rows, show_lines

VIEW_LINES = 999_999
"""Lines of the longest file that view opens; the number is the memory tool's."""

TITLE_CAP = 200
"""Characters shown of a heading in an outline."""

_MARKS = re.compile(r"#{1,6}\s+")


def read_tools(store: Store, *, descriptions: bool = True) -> tuple[Tool, ...]:
    """view, grep, toc and section_read over `store`. `descriptions` adds those of the files to folder views."""
    return (
        view_tool(store, descriptions=descriptions),
        grep_tool(store),
        define_tool("toc", _toc(store)),
        define_tool("section_read", _section_read(store)),
    )


def view_tool(store: Store, *, descriptions: bool) -> Tool:
    """view: the numbered lines of a file, or the listing of a folder."""

    def view(path: str, view_range: list[int] | None = None) -> str:
        if store.is_dir(folder := path.removesuffix("/")):
            return list_folder(store, folder, descriptions=descriptions)
        lines = read_lines(store, path)
        if len(lines) > VIEW_LINES:
            raise ToolError(f"File {path} exceeds maximum line limit of 999,999 lines.")
        first, last = (1, len(lines)) if view_range is None else _checked_range(view_range, len(lines))
        header = f"Here's the content of {path} with line numbers:\n"
        return header + show_lines(lines, first, last, room=OUTPUT_CAP - len(header))

    return define_tool("view", view)


def grep_tool(store: Store) -> Tool:
    """grep: the lines that match a pattern."""

    def grep(pattern: str, path: str = ROOT, max_results: int = 50, ignore_case: bool = False) -> str:  # noqa: FBT001, FBT002
        if not 1 <= max_results <= MAX_RESULTS:
            raise ToolError(f"max_results must be from 1 to {MAX_RESULTS}, not {max_results}.")
        return grep_store(store, pattern, path.removesuffix("/"), max_results=max_results, ignore_case=ignore_case)

    return define_tool("grep", grep)


def read_lines(store: Store, path: str) -> list[str]:
    """The lines of the file `path`; ToolError in the memory tool's words when there is none."""
    return split_lines(_read(store, path))


def _read(store: Store, path: str) -> str:
    try:
        return store.read(path)
    except NotFound:
        if store.is_dir(path):
            raise ToolError(f"The path {path} is a folder; view it to see the files in it.") from None
        raise ToolError(f"The path {path} does not exist. Please provide a valid path.") from None


def _checked_range(view_range: list[int], count: int) -> tuple[int, int]:
    """First and last line of a `[start, end]`; an end of -1, or past the last line, is the last line."""
    match view_range:
        case [first, last] if 1 <= first <= count and (last == -1 or last >= first):
            return first, count if last == -1 else min(last, count)
    valid = f"the range of lines of the file: [1, {count}]" if count else "the file, which is empty; leave it out"
    raise ToolError(
        f"Error: Invalid `view_range` parameter: {view_range}. It should be two line numbers, the first not after the"
        f" second (or -1 for the end), within {valid}"
    )


def _toc(store: Store) -> Callable[[str], str]:
    def toc(path: str) -> str:
        text = _read(store, path)
        outline = headings(text)
        count = len(split_lines(text))
        if not outline:
            return f"{path} has no headings; it has {count:,} lines. Use view to read it."
        rows = [_outline_row(heading) for heading in outline]
        header = f"Here's the outline of {path}, {count:,} lines:"
        room = OUTPUT_CAP - len(header) - 1
        shown = len(rows) if fit_rows(rows, room) == len(rows) else fit_rows(rows, room - NOTICE_ROOM)
        if shown < len(rows):
            left = f"{len(rows) - shown:,} more headings from line {outline[shown].line:,} on"
            rows[shown:] = [f"[outline cut: {left}; grep the file for ^# to see them]"]
        return "\n".join([header, *rows])

    return toc


def _outline_row(heading: Heading) -> str:
    indent = "  " * (heading.level - 1)
    title = clip(heading.title, TITLE_CAP)
    return f"{indent}{'#' * heading.level} {title}  (L{heading.line}-{heading.end_line})"


def _section_read(store: Store) -> Callable[[str, str], str]:
    # The parameters are named as in citations: a file and a path of headings in it.
    def section_read(path: str, section: str) -> str:
        text = _read(store, path)
        found = find_section(text, section)
        header = f"Here's the section {clip(' > '.join(found.path), TITLE_CAP)} of {path} with line numbers:\n"
        return header + show_lines(split_lines(text), found.line, found.end_line, room=OUTPUT_CAP - len(header))

    return section_read


def find_section(text: str, written: str) -> Heading:
    """The heading a model means by `# Music > ## Jazz`, by `Music > Jazz` or by a bare title. Raises StoreError.

    A title that holds " > " itself is found when it is written alone.
    """
    with suppress(NotFound):
        return section(text, (_MARKS.sub("", written.strip(), count=1),))
    titles = [_MARKS.sub("", part.strip(), count=1) for part in written.split(" > ")]
    return section(text, tuple(titles))
