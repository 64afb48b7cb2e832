"""Deltas: what differs from the last action of the same tool and path."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memkit.events.actions import read_call
from memkit.events.call import Call
from memkit.ledger.delta import VALUE_CHARACTERS, Deltas


def _deltas(*actions: str) -> list[tuple[str, ...]]:
    deltas = Deltas()
    return [deltas.of(read_call(action)) for action in actions]


def test_same_tool_and_path() -> None:
    """Only parameters that differ are told, against the last action on that very path."""
    found = _deltas(
        'file_editor: {"command": "view", "path": "/a", "view_range": [1, 5]}',
        'file_editor: {"command": "view", "path": "/b"}',
        'file_editor: {"command": "view", "path": "/a", "view_range": [6, 9]}',
        'file_editor: {"command": "create", "path": "/a", "file_text": "x"}',
    )
    expected = [(), (), ("view_range: [1, 5] -> [6, 9]",)]
    last = ("command: view -> create", "view_range: [6, 9] -> (absent)", "file_text: (absent) -> x")
    assert [*expected, last] == found


def test_worlds_and_shells() -> None:
    """Objects of a text world and commands of a shell are parameters too."""
    found = _deltas("go to desk 1", "go to desk 1", "go to desk 2", "ls a.py", "ls b.py")
    assert [(), (), ("target: desk 1 -> desk 2",), (), ("command: ls a.py -> ls b.py",)] == found


def test_long_values_are_shown_where_they_differ() -> None:
    """Of long values the part from shortly before the first difference is shown."""
    same = "x" * 1000
    found = _deltas(f"bash: echo {same}one", f"bash: echo {same}two")
    assert [(), (f"command: …{'x' * 10}one -> …{'x' * 10}two",)] == [_named(delta) for delta in found]


def _named(delta: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text.replace("text:", "command:") for text in delta)


@given(st.text(max_size=600), st.text(max_size=600))
def test_deltas_are_short_and_true(before: str, after: str) -> None:
    """Equal values give no delta, others one that shows two different things and stays short."""
    deltas = Deltas()
    deltas.of(Call("t", "t", {"a": before}))
    found = deltas.of(Call("t", "t", {"a": after}))
    assert (before != after) == bool(found)
    for text in found:
        old, _, new = text.removeprefix("a: ").partition(" -> ")
        assert len(text) <= 2 * (VALUE_CHARACTERS + 2) + len("a:  -> ")
        assert old != new or " -> " in before + after
