from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memkit.compare.units import SCHEMA, Records, UnitLog, encode, memory_dir, read_segment
from memkit.errors import UserError

FILL = """
import resource, signal, sys
from pathlib import Path
from memkit.compare.units import UnitLog
from memkit.errors import UserError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
with UnitLog(Path(sys.argv[1])).writer("answer") as log:
    log.write("a", text="x" * 20)
    try:
        log.write("b", text="y" * 200)
    except UserError as error:
        print(error)
"""


def test_records_come_back(tmp_path: Path) -> None:
    """What several writers recorded is read together, each stage apart."""
    log = UnitLog(tmp_path)
    assert Records({}, {}, {}) == log.load()
    with log.writer("answer") as one, log.writer("answer") as other, log.writer("judge") as judge:
        written = one.write("a", value=1), other.write("b", value=[2]), judge.write("a", value=None)

    assert Records({}, {"a": written[0], "b": written[1]}, {"a": written[2]}) == log.load()


@pytest.mark.parametrize("cut", [1, 10, 30])
def test_a_torn_tail_is_not_done(cut: int, tmp_path: Path) -> None:
    """A record cut short by a kill is left out, and the ones before it are kept."""
    log = UnitLog(tmp_path)
    with log.writer("answer") as writer:
        writer.write("a", value=1)
        writer.write("b", value=2)
    (segment,) = tmp_path.glob("answer/*.jsonl")
    with segment.open("rb+") as file:
        file.truncate(segment.stat().st_size - cut)

    assert ["a"] == list(log.load().answer)


def test_torn_in_the_middle(tmp_path: Path) -> None:
    """A line that is no record, or of another schema, hides no other."""
    segment = tmp_path / "x.jsonl"
    lines = [b'{"key":"a","sch', encode({"key": "b", "schema": SCHEMA + 1})[:-1], b"[]", b'{"key":"c","schema":1}', b""]
    segment.write_bytes(b"\n".join(lines))

    assert [{"key": "c", "schema": SCHEMA}] == list(read_segment(segment))


def test_an_unused_segment_is_removed(tmp_path: Path) -> None:
    """A writer that recorded nothing leaves nothing, also when it is interrupted; one that did keeps it."""
    log = UnitLog(tmp_path)

    def interrupted(*keys: str) -> None:
        with log.writer("answer") as writer:
            for key in keys:
                writer.write(key)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [] == list(tmp_path.glob("answer/*"))
    with pytest.raises(KeyboardInterrupt):
        interrupted("a")
    assert ["a"] == list(log.load().answer)


def test_a_full_disk(tmp_path: Path) -> None:
    """A write that does not fit is an error in words, and what was whole before it stays."""
    done = subprocess.run([sys.executable, "-c", FILL, tmp_path], capture_output=True, text=True, check=True)

    (segment,) = tmp_path.glob("answer/*.jsonl")
    assert f"{segment} cannot be written: No space left on device; mend that and run again\n" == done.stdout
    assert ["a"] == list(UnitLog(tmp_path).load().answer)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """A file in the way of the log is an error in words."""
    (tmp_path / "units").write_text("")
    writer = UnitLog(tmp_path / "units").writer("answer")
    with pytest.raises(UserError, match="cannot be made: Not a directory; mend that and run again"):
        writer.__enter__()


def test_lone_surrogates() -> None:
    """Text no UTF-8 file can hold is recorded with a question mark in its place."""
    assert b'{"text": "a?b"}\n' == encode({"text": "a\ud800b"})


def test_memory_dir(tmp_path: Path) -> None:
    """A memory has a folder of its own, named by its key."""
    assert tmp_path / "memories" / ("0" * 32) == memory_dir(tmp_path, "0" * 64)
