"""Snapshots restore what was there, to the byte, and take what changed."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import DataError, NotFound
from memkit.history import LOG_NAME, History
from memkit.store.atomic import write_file

PATHS = ("memory.toml", "memories/a.md", "memories/b/c.md", "archive/stream.jsonl")
BYTES = st.binary(max_size=40)
EDITS = st.tuples(st.sampled_from(("write", "append", "delete")), st.sampled_from(PATHS), BYTES)


def edit(directory: Path, kind: str, path: str, data: bytes) -> None:
    """Change one file."""
    file = directory / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if kind == "delete":
        file.unlink(missing_ok=True)
    elif kind == "append":
        with file.open("ab") as opened:
            opened.write(data)
    else:
        write_file(file, data)  # as the store does: a new file, whose inode may be one that another had before


def state(directory: Path) -> dict[str, bytes]:
    """Every file and every empty folder but those of the history."""
    found = [one for one in directory.rglob("*") if "history" not in one.parts]
    files = {one.relative_to(directory).as_posix(): one.read_bytes() for one in found if one.is_file()}
    empty = [one for one in found if one.is_dir() and not any(one.iterdir())]
    return {**files, **{f"{one.relative_to(directory).as_posix()}/": b"" for one in empty}}


def size(history: History) -> int:
    """Bytes of the contents kept."""
    return sum(file.stat().st_size for file in (history.root / "objects").rglob("*") if file.is_file())


@given(rounds=st.lists(st.lists(EDITS, max_size=4), min_size=1, max_size=6), reopened=st.booleans())
def test_restores(rounds: list[list[tuple[str, str, bytes]]], *, reopened: bool) -> None:
    """Whatever is written, appended and deleted, in one process or several, every snapshot comes back as it was."""
    with tempfile.TemporaryDirectory() as made:
        memory = Path(made) / "memory"
        memory.mkdir()
        history, states = History(memory / "history"), []
        for number, edits in enumerate(rounds):
            for one in edits:
                edit(memory, *one)
            if reopened:
                history = History(memory / "history")
            history.take(memory, f"unit {number}", {"n": number})
            states.append(state(memory))
        assert list(range(len(rounds))) == [one.facts["n"] for one in history.snapshots()]
        for number, expected in enumerate(states, 1):
            copy = Path(made) / f"copy-{number}"
            copy.mkdir()
            history.restore(number, copy)
            assert expected == state(copy)


@given(st.lists(st.lists(EDITS, max_size=4), min_size=1, max_size=6))
def test_cost(rounds: list[list[tuple[str, str, bytes]]]) -> None:
    """A snapshot keeps at most the files that changed, of one that was appended to the new part, and nothing twice."""
    with tempfile.TemporaryDirectory() as made:
        memory = Path(made)
        history = History(memory / "history")
        for number, edits in enumerate(rounds):
            before, kept = state(memory), size(history)
            for one in edits:
                edit(memory, *one)
            history.take(memory, f"unit {number}", {})
            changed = {path: data for path, data in state(memory).items() if before.get(path) != data}
            most = sum(
                len(data) - len(before[path]) if path in before and data.startswith(before[path]) else len(data)
                for path, data in changed.items()
            )
            assert size(history) - kept <= most


def test_what_is_left_out(tmp_path: Path) -> None:
    """The index, the lock, the generation, temporary files, links and the history itself are in no snapshot."""
    for path in ("index/x", ".lock", "generation", "memories/.tmp-1", "memories/a.md", "memories/index"):
        edit(tmp_path, "write", path, b"x")
    (tmp_path / "memories" / "link.md").symlink_to("a.md")
    taken = History(tmp_path / "history").take(tmp_path, "unit 1", {})

    assert {"memories/a.md", "memories/index"} == taken.put.keys()


def test_a_line_cut_short_is_no_snapshot(tmp_path: Path) -> None:
    """After a crash within a snapshot the one before is the last, and the next takes its place."""
    history = History(tmp_path / "history")
    edit(tmp_path, "write", "memories/a.md", b"one")
    history.take(tmp_path, "unit 1", {})
    with (history.root / LOG_NAME).open("ab") as log:
        log.write(b'{"name": "unit 2", "pu')
    edit(tmp_path, "append", "memories/a.md", b" two")
    again = History(tmp_path / "history")
    assert ["unit 1"] == [one.name for one in again.snapshots()]

    again.take(tmp_path, "unit 2", {})
    assert ["unit 1", "unit 2"] == [one.name for one in again.snapshots()]
    assert {"memories/a.md"} == again.snapshots()[1].appended.keys()


def test_faults(tmp_path: Path) -> None:
    """A snapshot that is not there, a damaged line, and a damaged or missing content are said as such."""
    history = History(tmp_path / "history")
    edit(tmp_path, "write", "a.md", b"one")
    (content,) = history.take(tmp_path, "unit 1", {}).put.values()
    copy = tmp_path.with_name("copy")
    with pytest.raises(NotFound, match="there are 1 snapshots, and no snapshot 2"):
        history.restore(2, copy)

    file = history.root / "objects" / content[:2] / content[2:]
    file.write_bytes(b"two")
    with pytest.raises(DataError, match="a content is damaged"):
        history.restore(1, copy)
    file.unlink()
    shutil.rmtree(copy)
    with pytest.raises(DataError, match="a content is missing"):
        history.restore(1, copy)

    (history.root / LOG_NAME).write_bytes(b"{}\n")
    with pytest.raises(DataError, match=r"snapshots\.jsonl:1: this snapshot is damaged"):
        history.snapshots()
