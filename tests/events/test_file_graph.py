"""The file-event graph links steps to files by exact path and receipt."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from memkit.events.files import FileGraph, file_event
from memkit.locators import Locator
from memkit.records import Session, Step

A = "/w/a.py"
CREATED = "File created successfully at: {}"
EDITED = "The file {} has been edited. Here's a snippet"
UNDONE = "Last edit to {} undone successfully."


def _step(index: int, command: str, observation: str, path: str = A, tool: str = "str_replace_editor") -> Step:
    action = f"{tool}: {json.dumps({'command': command, 'path': path}, ensure_ascii=False)}"
    return Step(Locator("step", 0, index), index, action, observation.format(path))


def test_kinds_and_status() -> None:
    """Views read, writes write, undo undoes, each with what its receipt says."""
    graph = FileGraph.of(
        [
            _step(3, "create", CREATED),
            _step(4, "view", "<NOTE>too large</NOTE>"),
            _step(5, "str_replace", "No replacement was performed."),
            _step(6, "undo_edit", "No edit history found for {}."),
        ]
    )
    expected = [(3, "write", "confirmed"), (4, "read", "attempt"), (5, "write", "failed"), (6, "undo", "failed")]
    assert expected == [(event.step, event.kind, event.status) for event in graph.files[A]]
    assert (3, 4, 5, 6) == graph.linked(A)


def test_undo_takes_back_the_last_confirmed_edit() -> None:
    """Each confirmed undo reverses the last confirmed edit of its path that still stands."""
    graph = FileGraph.of(
        [
            _step(0, "create", CREATED),
            _step(1, "str_replace", EDITED),
            _step(2, "insert", EDITED),
            _step(3, "str_replace", "No replacement was performed."),
            _step(4, "str_replace", EDITED, "/w/b.py"),
            _step(5, "undo_edit", UNDONE),
            _step(6, "undo_edit", UNDONE),
            _step(7, "undo_edit", UNDONE),
        ]
    )
    assert [(5, 2), (6, 1), (7, None)] == [(e.step, e.reverses) for e in graph.files[A] if e.kind == "undo"]
    assert [(0, None), (1, 6), (2, 5), (3, None)] == [
        (e.step, e.reversed_at) for e in graph.files[A] if e.kind == "write"
    ]
    assert [None] == [event.reversed_at for event in graph.files["/w/b.py"]]


def test_nothing_is_merged_or_inferred() -> None:
    """Paths stay apart as written; shell commands, relative paths and conversations make no node."""
    shell = Step(Locator("step", 0, 9), 9, "bash: cat /w/a.py", "File created successfully at: /w/a.py")
    steps = [_step(0, "view", "", "/w/a.py"), _step(1, "view", "", "/w//a.py"), _step(2, "view", "", "/x/a.py")]
    units = [*steps, _step(3, "view", "", "a.py"), _step(4, "destroy", ""), shell, Session(1, ())]
    assert ["/w/a.py", "/w//a.py", "/x/a.py"] == list(FileGraph.of(units).files)
    assert () == FileGraph.of(units).linked("a.py")


@given(
    st.text(),
    st.sampled_from(["view", "create", "insert", "undo_edit"]),
    st.sampled_from([CREATED, EDITED, "ERROR:\nno", "é"]),
)
def test_spans_are_exact(name: str, command: str, observation: str) -> None:
    """Every span cuts path, command and receipt out of the step they point at."""
    step = _step(1, command, observation, f"/{name}")
    event = file_event(step)
    assert event is not None
    cut = {key: getattr(step, span.field)[span.start : span.end] for key, span in event.spans.items()}
    assert (f"/{name}", command) == (json.loads(f'"{cut["path"]}"'), cut["command"])
    assert {"action", "observation"} == {span.field for span in event.spans.values()}
    assert step.observation.startswith(cut["observation"])


def test_spans_of_a_command_line() -> None:
    """The spans of a call in shell quoting leave the quotes out."""
    step = Step(Locator("step", 0, 1), 1, "str_replace_editor view '/w/a b.py' --view_range 1 2", "")
    event = file_event(step)
    assert event is not None
    assert ["/w/a b.py", "view"] == [
        step.action[event.spans[n].start : event.spans[n].end] for n in ("path", "command")
    ]
