"""The memory tool's six commands and grep: the tools of a manager.

What they say is what the documentation of the `memory_20250818` tool says, so that a model trained on that tool
reads what it expects. Where no text is documented, the store's own sentence is passed on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memkit.contracts import Tool
from memkit.errors import AlreadyExists, BadLine, ManyMatches, NoMatch, NotFound, ToolError
from memkit.store.edits import MATCHES_LISTED
from memkit.store.files import ROOT, Edit, Store
from memkit.store.lines import split_lines
from memkit.tools.define import define_tool
from memkit.tools.output import OUTPUT_CAP, show_lines
from memkit.tools.read import grep_tool, view_tool

SNIPPET_LINES = 2
"""Lines shown before and after an edit."""


def write_tools(store: Store, *, descriptions: bool = True) -> tuple[Tool, ...]:
    """view, create, str_replace, insert, delete, rename and grep over `store`.

    `descriptions` adds those of the files to folder views; without, views are as the memory tool documents them.
    """
    return (
        view_tool(store, descriptions=descriptions),
        define_tool("create", _create(store), writes=True),
        define_tool("str_replace", _str_replace(store), writes=True),
        define_tool("insert", _insert(store), writes=True),
        define_tool("delete", _delete(store), writes=True),
        define_tool("rename", _rename(store), writes=True),
        grep_tool(store),
    )


def _create(store: Store) -> Callable[[str, str], str]:
    def create(path: str, file_text: str) -> str:
        try:
            store.create(path, file_text)
        except AlreadyExists:
            if store.exists(path):
                raise ToolError(f"Error: File {path} already exists") from None
            raise  # It is another spelling of the name that exists, which the store's sentence tells.
        return f"File created successfully at: {path}"

    return create


def _str_replace(store: Store) -> Callable[..., str]:
    def str_replace(path: str, old_str: str, new_str: str = "") -> str:
        missing = f"Error: The path {path} does not exist. Please provide a valid path."
        with _file_needed(store, path, missing):
            try:
                edit = store.str_replace(path, old_str, new_str)
            except NoMatch:
                raise ToolError(
                    f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}."
                ) from None
            except ManyMatches as error:
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines:"
                    f" {_listed(error.lines)}. Please ensure it is unique"
                ) from None
        return f"The memory file has been edited.\n{_snippet(edit)}"

    return str_replace


def _insert(store: Store) -> Callable[[str, int, str], str]:
    def insert(path: str, insert_line: int, insert_text: str) -> str:
        with _file_needed(store, path, f"Error: The path {path} does not exist"):
            try:
                store.insert(path, insert_line, insert_text)
            except BadLine as error:
                raise ToolError(
                    f"Error: Invalid `insert_line` parameter: {insert_line}. It should be within the range of lines"
                    f" of the file: [{error.low}, {error.high}]"
                ) from None
        return f"The file {path} has been edited."

    return insert


def _delete(store: Store) -> Callable[[str], str]:
    def delete(path: str) -> str:
        _refuse_root(path, "delete")
        try:
            store.delete(path)
        except NotFound:
            raise ToolError(f"Error: The path {path} does not exist") from None
        return f"Successfully deleted {path}"

    return delete


def _rename(store: Store) -> Callable[[str, str], str]:
    def rename(old_path: str, new_path: str) -> str:
        _refuse_root(old_path, "rename")
        try:
            store.rename(old_path, new_path)
        except NotFound:
            if store.exists(old_path):
                raise  # It is the way to the new name that is missing, which the store's sentence tells.
            raise ToolError(f"Error: The path {old_path} does not exist") from None
        except AlreadyExists:
            if store.exists(new_path):
                raise ToolError(f"Error: The destination {new_path} already exists") from None
            raise
        return f"Successfully renamed {old_path} to {new_path}"

    return rename


@contextmanager
def _file_needed(store: Store, path: str, missing: str) -> Iterator[None]:
    """Give `missing` to the model when `path` is no file; the memory tool says the same of a folder."""
    if store.is_dir(path):
        raise ToolError(missing)
    try:
        yield
    except NotFound:
        raise ToolError(missing) from None


def _refuse_root(path: str, what: str) -> None:
    if path.removesuffix("/") == ROOT:
        raise ToolError(f"Cannot {what} the {ROOT} directory itself")


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, dict.fromkeys(numbers))) + (" and more" if len(numbers) >= MATCHES_LISTED else "")


def _snippet(edit: Edit) -> str:
    """The lines an edit covers with those around them, numbered; nothing for a file that is now empty."""
    lines = split_lines(edit.text)
    first = max(edit.first_line - SNIPPET_LINES, 1)
    last = min(edit.last_line + SNIPPET_LINES, len(lines))
    return show_lines(lines, first, last, room=OUTPUT_CAP - 100)
