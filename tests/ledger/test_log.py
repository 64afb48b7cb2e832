"""Rows on disk come back as they were, and damage is named."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import DataError
from memkit.ledger.log import LEDGER, SCHEMA, Header, append_rows, load_rows, read_header, write_rows
from memkit.ledger.row import Change, Row

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
ROWS = st.lists(
    st.builds(
        Row,
        step=st.integers(0, 10**9),
        locator=TEXT,
        tool=TEXT,
        action=TEXT,
        targets=st.lists(TEXT, max_size=3).map(tuple),
        outcome=st.sampled_from(["success", "unknown"]),
        quote=TEXT,
        changes=st.lists(st.builds(Change, TEXT, TEXT, st.booleans()), max_size=2).map(tuple),
        numbers=st.dictionaries(TEXT, st.floats(allow_nan=False, allow_infinity=False), max_size=2),
    ),
    max_size=5,
)
ROW = Row(1, "[step 1]", "go", "go to", "go to desk 1", ("desk 1",), "success", "You arrive")


@given(ROWS, ROWS)
def test_round_trip(first: list[Row], second: list[Row]) -> None:
    """What is written and appended is loaded, in order, whatever its text holds."""
    with TemporaryDirectory() as folder:
        memory = Path(folder)
        write_rows(memory, first, mode="annotated", annotator="some/model")
        append_rows(memory, second)
        assert first + second == load_rows(memory)
        assert Header(SCHEMA, "annotated", "some/model") == read_header(memory)


def test_absent_and_empty(tmp_path: Path) -> None:
    """A memory without a ledger has no rows, appending begins one, and a ledger may be empty."""
    assert [] == load_rows(tmp_path)
    append_rows(tmp_path, [])
    assert [] == load_rows(tmp_path)
    write_rows(tmp_path, [ROW])
    write_rows(tmp_path, [])
    assert [] == load_rows(tmp_path)


def test_half_a_surrogate_pair(tmp_path: Path) -> None:
    """What UTF-8 cannot hold is stored as U+FFFD, and the other rows as they are."""
    write_rows(tmp_path, [ROW, Row(2, "[step 2]", "t", action="a\ud800b", targets=("\udfff",))])
    assert [ROW, Row(2, "[step 2]", "t", action="a\ufffdb", targets=("\ufffd",))] == load_rows(tmp_path)


def test_torn_line(tmp_path: Path) -> None:
    """A half-written last line is not read, and is gone after the next append."""
    write_rows(tmp_path, [ROW])
    with (tmp_path / LEDGER).open("ab") as file:
        file.write(b'{"step":2,"loc')
    assert [ROW] == load_rows(tmp_path)
    append_rows(tmp_path, [ROW])
    assert [ROW, ROW] == load_rows(tmp_path)


@pytest.mark.parametrize("damage", [b"not json", b'{"step":"x","locator":"","tool":""}', b'{"step":1}', b"\xff"])
def test_damaged_row(tmp_path: Path, damage: bytes) -> None:
    """The error names file and line, says what to do, and collection is on again."""
    write_rows(tmp_path, [ROW, ROW, ROW])
    lines = (tmp_path / LEDGER).read_bytes().split(b"\n")
    (tmp_path / LEDGER).write_bytes(b"\n".join([*lines[:2], damage, *lines[3:]]))
    with pytest.raises(DataError, match=r"^ledger/rows\.jsonl:3: this row is damaged .*; build the ledger again$"):
        load_rows(tmp_path)
    assert gc.isenabled()


@pytest.mark.parametrize("header", ["", "[]", "{", '{"schema":"1"}'])
def test_damaged_header(tmp_path: Path, header: str) -> None:
    """A file that does not begin with a header is no ledger."""
    (tmp_path / "ledger").mkdir()
    (tmp_path / LEDGER).write_text(f"{header}\n")
    for read in (load_rows, read_header, lambda memory: append_rows(memory, [ROW])):
        with pytest.raises(
            DataError, match=r"^ledger/rows\.jsonl:1: this is no ledger header; build the ledger again$"
        ):
            read(tmp_path)


def test_later_schema(tmp_path: Path) -> None:
    """A ledger of a later memkit is refused in a sentence."""
    (tmp_path / "ledger").mkdir()
    (tmp_path / LEDGER).write_text(json.dumps({"schema": SCHEMA + 1}) + "\n")
    expected = f"{LEDGER}:1: the ledger has schema {SCHEMA + 1}, and this memkit reads up to {SCHEMA}; update memkit"
    with pytest.raises(DataError) as caught:
        load_rows(tmp_path)
    assert expected == str(caught.value)


def test_collection_stays_off(tmp_path: Path) -> None:
    """A caller who has paused collection finds it paused."""
    write_rows(tmp_path, [ROW])
    gc.disable()
    try:
        load_rows(tmp_path)
        assert not gc.isenabled()
    finally:
        gc.enable()
