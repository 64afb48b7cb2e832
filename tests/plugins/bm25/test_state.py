from __future__ import annotations

from pathlib import Path

import pytest

from memkit_plugins.bm25.state import STATE_NAME, IndexedFile, State, read_state, state_stamp, write_state

STATE = State(
    7,
    {
        "/memories/é.md": IndexedFile((1, 2, 3), 4, 2, (6, 8, 8)),
        "/memories/b.md": IndexedFile((5, 6, 7), 5, 0, (0, 0, 0)),
    },
    6,
)


def test_a_state_reads_back(tmp_path: Path) -> None:
    """What was written is what is read, with what follows from it."""
    write_state(tmp_path, STATE)
    read = read_state(tmp_path)

    assert read == STATE
    assert read.averages == (3.0, 4.0, 4.0)
    assert read.paths == {4: "/memories/é.md", 5: "/memories/b.md"}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "[" * 100_000, '{"schema": 2}', '{"schema": 1, "commit": 1, "files": {"/a": [1]}}']
)
def test_a_bad_state_is_none(tmp_path: Path, text: str) -> None:
    """A torn, foreign or later state reads as no state."""
    (tmp_path / STATE_NAME).write_text(text)

    assert read_state(tmp_path) is None


def test_the_stamp_tells_states_apart(tmp_path: Path) -> None:
    """There is no stamp before the first state, and another one after each."""
    stamps = [state_stamp(tmp_path)]
    for _ in range(2):
        write_state(tmp_path, STATE)
        stamps.append(state_stamp(tmp_path))

    assert stamps[0] == ()
    assert len(set(stamps)) == 3
