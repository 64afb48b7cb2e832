"""An editor call is confirmed by its own receipt for its own path, and by nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.events.actions import read_call
from memkit.events.receipts import read_receipt, read_result

PATH = "/w/a.py"
EDITED = f"The file {PATH} has been edited. Here's the result of running `cat -n` on a snippet of {PATH}:\n     1\tx"
VIEWED = f"Here's the result of running `cat -n` on {PATH}:\n     1\tx\n"

TABLE = [
    ("create", f"File created successfully at: {PATH}", "confirmed"),
    ("create", f"File created successfully at: {PATH}\r\n", "confirmed"),
    ("create", f"File created successfully at: {PATH}c", "attempt"),
    ("create", f"File already exists at: {PATH}. Cannot overwrite files using command `create`.", "failed"),
    ("create", "The parent directory /w does not exist. Please create it first.", "failed"),
    ("str_replace", EDITED, "confirmed"),
    ("str_replace", EDITED.replace("\n", "\r\n"), "confirmed"),
    ("str_replace", f"EXECUTION RESULT of [str_replace_editor]:\n{EDITED}", "confirmed"),
    ("str_replace", f"EXECUTION RESULT of [execute_bash]:\n{EDITED}", "attempt"),
    ("str_replace", f"OBSERVATION:\n{EDITED}", "confirmed"),
    ("str_replace", EDITED.replace("a.py", "b.py"), "attempt"),
    ("str_replace", f"Some text first. {EDITED}", "attempt"),
    ("str_replace", "No replacement was performed, old_str `x` did not appear verbatim in /w/a.py.", "failed"),
    (
        "str_replace",
        "ERROR:\nNo replacement was performed. Multiple occurrences of old_str `x` in lines [1, 5].",
        "failed",
    ),
    ("str_replace", "[An error occurred during execution.]\nNo replacement was performed.", "failed"),
    ("str_replace", "old_str `a\nb` is the same as new_str `a\nb`.", "failed"),
    ("insert", EDITED, "confirmed"),
    ("insert", "Invalid `insert_line` parameter: 9. It should be within the range: [0, 3]", "failed"),
    ("undo_edit", f"Last edit to {PATH} undone successfully. Here's the file:", "confirmed"),
    ("undo_edit", f"No edit history found for {PATH}.", "failed"),
    ("view", VIEWED, "confirmed"),
    ("view", VIEWED.replace("\n", "\r\n"), "confirmed"),
    (
        "view",
        f"Here's the files and directories up to 2 levels deep in {PATH}, excluding hidden items:\n/w",
        "confirmed",
    ),
    ("view", f"The path {PATH} does not exist. Please provide a valid path.", "failed"),
    ("view", "<NOTE>This file is too large to display entirely.</NOTE>\n     1 x", "attempt"),
    ("view", EDITED, "attempt"),
    ("create", VIEWED, "attempt"),
    ("create", "", "attempt"),
]


def _call(command: str, tool: str = "str_replace_editor", path: str = PATH) -> str:
    return f"{tool}: {json.dumps({'command': command, 'path': path})}"


@pytest.mark.parametrize(("command", "observation", "status"), TABLE, ids=[f"{row[0]} {row[1][:40]}" for row in TABLE])
def test_dialects(command: str, observation: str, status: str) -> None:
    """The three dialects' receipts and errors, with either line end, give their status and a quote of the log."""
    receipt = read_receipt(read_call(_call(command)), observation)
    assert status == receipt.status
    assert receipt.quote in observation


def test_changes() -> None:
    """Only a confirmed write changes the content."""
    undone = f"Last edit to {PATH} undone successfully."
    seen = [("create", f"File created successfully at: {PATH}"), ("str_replace", EDITED), ("insert", EDITED)]
    readings = [
        read_result(read_call(_call(command)), text)
        for command, text in [*seen, ("undo_edit", undone), ("view", VIEWED)]
    ]
    name = f"{PATH}.content"
    expected = [((name, value),) for value in ("created", "edited", "inserted", "reverted")] + [()]
    assert expected == [reading.changes for reading in readings]
    assert {"success"} == {reading.outcome for reading in readings}


def test_refusal_is_quoted() -> None:
    """The quote of a failure is the error itself, without the word before it."""
    reading = read_result(read_call(_call("view")), "ERROR:\r\nInvalid `view_range` parameter: [9, 1].\r\nmore")
    assert ("failure", "Invalid `view_range` parameter: [9, 1].", ()) == (
        reading.outcome,
        reading.quote,
        reading.changes,
    )


@given(st.text(), st.sampled_from(["view", "create", "str_replace", "insert", "undo_edit"]), st.text(min_size=1))
def test_text_before_a_receipt(before: str, command: str, path: str) -> None:
    """A receipt that does not lead confirms nothing."""
    call = read_call(_call(command, path=path))
    for receipt in (
        "File created successfully at: {}",
        "The file {} has been edited.",
        "Last edit to {} undone successfully.",
    ):
        observation = f"x{before}\n{receipt.format(path)}"
        assert read_receipt(call, observation).status != "confirmed"


@given(st.text(min_size=1), st.text(min_size=1))
def test_another_path(path: str, other: str) -> None:
    """A receipt for another path confirms nothing, also when one begins with the other."""
    call = read_call(_call("create", path=path))
    status = read_receipt(call, f"File created successfully at: {path}{other}").status
    assert ("confirmed" if other[0] in "\r\n" else "attempt") == status
