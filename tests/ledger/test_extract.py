"""One row for each step and turn, streaming, linear, whatever the log holds."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.ledger.extract import extract_rows
from memkit.ledger.row import OUTCOMES, Change, Row
from memkit.locators import Locator
from memkit.records import Session, Step, Turn


def _step(index: int, action: str, observation: str = "") -> Step:
    return Step(Locator("step", 0, index), index, action, observation)


def test_rows_of_steps() -> None:
    """A row has the call, what the log states of it, and what differs from the last of its kind."""
    path = "/w/a.py"
    edit = {"command": "str_replace", "path": path, "old_str": "a", "new_str": "b"}
    action = f"str_replace_editor: {json.dumps(edit)}"
    receipt = f"The file {path} has been edited."
    steps = [
        _step(7, action, f"{receipt} Here's a snippet"),
        _step(8, action.replace('"b"', '"c"'), "ERROR:\nNo replacement was performed."),
    ]
    expected = [
        Row(
            7,
            "[step 7]",
            "str_replace_editor",
            "str_replace",
            action,
            (path,),
            "success",
            receipt,
            "program",
            (Change(f"{path}.content", "edited"),),
        ),
        Row(
            8,
            "[step 8]",
            "str_replace_editor",
            "str_replace",
            steps[1].action,
            (path,),
            "failure",
            "No replacement was performed.",
            delta=("new_str: b -> c",),
        ),
    ]
    assert expected == list(extract_rows(steps))


def test_output_that_holds_a_receipt() -> None:
    """A `cat` of a log that holds receipts and markers confirms nothing but the command itself."""
    log = "File created successfully at: /w/a.py\n[Command finished with exit code 1]\n"
    row = next(extract_rows([_step(1, "execute_bash: cat log.txt", f"{log}[Command finished with exit code 0]")]))
    assert ("success", "[Command finished with exit code 0]", (), {"exit_code": 0.0}) == (
        row.outcome,
        row.quote,
        row.changes,
        row.numbers,
    )


def test_failed_create_leaves_the_state() -> None:
    """A create that was refused changes nothing."""
    action = 'str_replace_editor: {"command": "create", "path": "/a", "file_text": ""}'
    row = next(
        extract_rows([_step(1, action, "File already exists at: /a. Cannot overwrite files using command `create`.")])
    )
    assert ("failure", ()) == (row.outcome, row.changes)


def test_rows_of_turns() -> None:
    """Turns are counted through sessions; the speaker is the tool, a picture is shared, times fall back."""
    sessions = [
        Session(1, (Turn(Locator("S", 1, 1), "Ann", "I met Bob!"),), "2024-05-01"),
        Session(
            2,
            (
                Turn(Locator("S", 2, 1), "Bob", "Look", "a dog in Lima", "2024-06-02T10:00"),
                Turn(Locator("S", 2, 2), "Cid", "ann was here"),
            ),
        ),
    ]
    expected = [
        Row(1, "[S1T1]", "Ann", "say", "I met Bob!", ("Bob",), time="2024-05-01"),
        Row(2, "[S2T1]", "Bob", "share", "Look", (), quote="a dog in Lima", time="2024-06-02T10:00"),
        Row(3, "[S2T2]", "Cid", "say", "ann was here", ("Ann",)),
    ]
    found = list(extract_rows(sessions))
    assert expected == found


def test_rows_of_commits() -> None:
    """A commit's targets are its paths, its time the author's."""
    patch = "diff --git a/a.py b/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x = 1\n"
    row = next(extract_rows([_step(4, "commit 0123456789\nDate: 2024-01-02T03:04:05+00:00\n\n    Add", patch)]))
    changes = (Change("a.py.status", "added"), Change("a.py:x.value", "1"))
    assert ("commit", "commit", ("a.py",), "success", changes) == (
        row.tool,
        row.act,
        row.targets,
        row.outcome,
        row.changes,
    )
    assert ({"additions": 1.0, "deletions": 0.0, "files": 1.0}, "2024-01-02T03:04:05+00:00") == (row.numbers, row.time)


def test_a_row_is_ready_with_its_unit() -> None:
    """The second unit is not read before the first row is given."""

    def units() -> Iterator[Step]:
        yield _step(1, "look", "You are facing the desk 1.")
        raise AssertionError("read too far")

    assert 1 == next(extract_rows(units())).step


HOSTILE = st.text() | st.sampled_from(
    [
        "\0",
        "\x1b[2J",
        "\ud800",
        "{" * 2000,
        '{"a":' * 2000,
        "٣",
        "[" * 3000,
        "a" * 5000,
        "```bash\n",
        "\r\n\r",
        "commit 0123456789",
    ]
)
PREFIXES = [
    "",
    "str_replace_editor: ",
    "execute_bash: {",
    "click [",
    "go to ",
    "take ",
    "f({",
    "<function=x>",
    "commit 0123abc\n",
    "message:",
    "Board:\n0|",
]


@given(st.lists(st.tuples(st.sampled_from(PREFIXES), HOSTILE, st.sampled_from(PREFIXES), HOSTILE), max_size=4))
def test_whatever_the_log_holds(parts: list[tuple[str, str, str, str]]) -> None:
    """Rows equal steps, quotes are verbatim, numbers are finite; nothing raises."""
    steps = [_step(i, a + b, c + d) for i, (a, b, c, d) in enumerate(parts)]
    rows = list(extract_rows(steps))
    assert [(step.index, str(step.locator), step.action) for step in steps] == [
        (r.step, r.locator, r.action) for r in rows
    ]
    for row, step in zip(rows, steps, strict=True):
        assert row.outcome in OUTCOMES
        assert row.quote in step.observation or row.quote in step.action
        assert all(abs(number) < 1e12 for number in row.numbers.values())


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        '"',
        "'",
        "\\",
        "{",
        "[1] where ",
        "cat <<A\n",
        "go to ",
        "from x ",
        "x as (",
        "\n",
        "a=",
        "<parameter=a>",
        "é ",
    ],
)
def test_a_megabyte_of_anything(piece: str) -> None:
    """A megabyte in action and observation is read like any other; what is not linear would not end."""
    text = (piece * 1_000_000)[:1_000_000]
    starts = [
        "",
        "str_replace_editor ",
        'execute_bash: {"command": "',
        "run_sql: select ",
        "click [",
        "commit 0123456789\n",
    ]
    rows = list(extract_rows(_step(i, start + text, text) for i, start in enumerate(starts)))
    assert len(starts) == len(rows)


def test_work_is_linear_in_steps() -> None:
    """Twice the steps take twice the function calls."""
    assert 2 * _calls(200) - _calls(0) == pytest.approx(_calls(400), rel=0.01)


def _calls(count: int) -> int:
    steps = []
    for index in range(count):
        path = f"/w/{index % 20}.py"
        steps += [
            _step(index, f'str_replace_editor: {{"command": "view", "path": "{path}"}}', "ERROR:\nno"),
            _step(index, f"take mug {index} from desk 1", f"You pick up the mug {index % 20} from the desk 1."),
            _step(index, f"bash: ls {path}", "x\n[Command finished with exit code 0]"),
        ]
    calls = 0

    def count_call(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count_call)
    try:
        list(extract_rows(steps))
    finally:
        sys.setprofile(None)
    return calls
