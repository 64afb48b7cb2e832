"""Every documented text of the memory tool `memory_20250818`, letter for letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memkit.records import Message
from memkit.store.files import Store

FILE = "/memories/notes/a.md"
TEXT = "one\ntwo\nthree\nfour\nfive\nsix\nsame\nsame\n"

SUCCESSES: list[tuple[str, dict[str, Any], str]] = [
    ("create", {"path": "/memories/b.md", "file_text": "x"}, "File created successfully at: /memories/b.md"),
    (
        "str_replace",
        {"path": FILE, "old_str": "four", "new_str": "4"},
        "The memory file has been edited.\n     2\ttwo\n     3\tthree\n     4\t4\n     5\tfive\n     6\tsix",
    ),
    (
        "str_replace",
        {"path": FILE, "old_str": "one\n"},
        "The memory file has been edited.\n     1\ttwo\n     2\tthree\n     3\tfour",
    ),
    ("insert", {"path": FILE, "insert_line": 0, "insert_text": "zero"}, f"The file {FILE} has been edited."),
    ("insert", {"path": FILE, "insert_line": 8, "insert_text": "last"}, f"The file {FILE} has been edited."),
    ("delete", {"path": FILE}, f"Successfully deleted {FILE}"),
    ("delete", {"path": "/memories/notes"}, "Successfully deleted /memories/notes"),
    (
        "rename",
        {"old_path": FILE, "new_path": "/memories/new/b.md"},
        f"Successfully renamed {FILE} to /memories/new/b.md",
    ),
    (
        "view",
        {"path": FILE, "view_range": [7, 8]},
        f"Here's the content of {FILE} with line numbers:\n     7\tsame\n     8\tsame",
    ),
    (
        "view",
        {"path": "/memories"},
        (
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and"
            " node_modules:\n38B\t/memories\n38B\t/memories/notes\n38B\t/memories/notes/a.md"
        ),
    ),
]

ERRORS: list[tuple[str, dict[str, Any], str]] = [
    (
        "view",
        {"path": "/memories/no.md"},
        "The path /memories/no.md does not exist. Please provide a valid path.",
    ),
    ("create", {"path": FILE, "file_text": "x"}, f"Error: File {FILE} already exists"),
    ("create", {"path": "/memories/notes", "file_text": "x"}, "Error: File /memories/notes already exists"),
    (
        "str_replace",
        {"path": "/memories/no.md", "old_str": "a", "new_str": "b"},
        "Error: The path /memories/no.md does not exist. Please provide a valid path.",
    ),
    (
        "str_replace",
        {"path": "/memories/notes", "old_str": "a", "new_str": "b"},
        "Error: The path /memories/notes does not exist. Please provide a valid path.",
    ),
    (
        "str_replace",
        {"path": "/memories", "old_str": "a", "new_str": "b"},
        "Error: The path /memories does not exist. Please provide a valid path.",
    ),
    (
        "str_replace",
        {"path": FILE, "old_str": "seven", "new_str": "b"},
        f"No replacement was performed, old_str `seven` did not appear verbatim in {FILE}.",
    ),
    (
        "str_replace",
        {"path": FILE, "old_str": "same", "new_str": "b"},
        (
            "No replacement was performed. Multiple occurrences of old_str `same` in lines: 7, 8."
            " Please ensure it is unique"
        ),
    ),
    (
        "insert",
        {"path": "/memories/no.md", "insert_line": 0, "insert_text": "x"},
        "Error: The path /memories/no.md does not exist",
    ),
    (
        "insert",
        {"path": "/memories/notes", "insert_line": 0, "insert_text": "x"},
        "Error: The path /memories/notes does not exist",
    ),
    (
        "insert",
        {"path": FILE, "insert_line": 9, "insert_text": "x"},
        "Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 8]",
    ),
    (
        "insert",
        {"path": FILE, "insert_line": -1, "insert_text": "x"},
        "Error: Invalid `insert_line` parameter: -1. It should be within the range of lines of the file: [0, 8]",
    ),
    ("delete", {"path": "/memories/no.md"}, "Error: The path /memories/no.md does not exist"),
    (
        "rename",
        {"old_path": "/memories/no.md", "new_path": "/memories/b.md"},
        "Error: The path /memories/no.md does not exist",
    ),
    (
        "rename",
        {"old_path": FILE, "new_path": "/memories/other.md"},
        "Error: The destination /memories/other.md already exists",
    ),
    ("delete", {"path": "/memories"}, "Cannot delete the /memories directory itself"),
    (
        "rename",
        {"old_path": "/memories", "new_path": "/memories/b"},
        "Cannot rename the /memories directory itself",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), SUCCESSES)
def test_success(
    store: Store, call: Callable[..., Message], name: str, arguments: dict[str, Any], expected: str
) -> None:
    """A command that succeeds says what the memory tool's documentation says."""
    store.create(FILE, TEXT)

    assert Message("tool", expected, tool_call_id="c1") == call(name, **arguments)


@pytest.mark.parametrize(("name", "arguments", "expected"), ERRORS)
def test_error(store: Store, call: Callable[..., Message], name: str, arguments: dict[str, Any], expected: str) -> None:
    """A command that fails says what the documentation says, as an error, and changes nothing."""
    store.create(FILE, TEXT)
    store.create("/memories/other.md", "other")

    result = call(name, **arguments)

    assert Message("tool", expected, tool_call_id="c1", is_error=True) == result
    assert {FILE: TEXT, "/memories/other.md": "other"} == {path: store.read(path) for path in store.paths()}


def test_too_many_lines(store: Store, call: Callable[..., Message]) -> None:
    """A file of more than 999,999 lines is refused with the documented text; one of just as many is shown."""
    store.create("/memories/long.md", "\n" * 1_000_000)
    store.create("/memories/less.md", "\n" * 999_999)

    assert (
        "File /memories/long.md exceeds maximum line limit of 999,999 lines."
        == call("view", path="/memories/long.md").content
    )
    assert (
        "Here's the content of /memories/less.md with line numbers:\n999999\t"
        == call("view", path="/memories/less.md", view_range=[999_999, -1]).content
    )
