"""Data files are found, opened and read into typed records, and what is wrong with one is a sentence."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from memkit import DataError, decode_json, find_data_files, open_data, read_json, read_stream


class Line(Struct):
    """A record that wants one field of many."""

    text: str
    number: int = 0


class Log(Struct):
    """Records in a list."""

    lines: list[Line]


def fault(path: Path, kind: type = Log) -> str:
    """What reading a file says."""
    with pytest.raises(DataError) as caught:
        read_json(path, kind)
    return str(caught.value)


BOM = b"\xef\xbb\xbf"


@given(
    st.lists(st.tuples(st.text(), st.integers(0, 9))),
    st.sampled_from(["log.json", "log.json.gz"]),
    st.sampled_from([b"", BOM]),
)
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, int]], name: str, bom: bytes
) -> None:
    """Wanted fields come out as they are, gzipped or not, with a byte-order mark or without; others are passed over."""
    lines = [{"text": text, "number": number, "prompt": [text] * 3} for text, number in drawn]
    data = bom + json.dumps({"lines": lines, "more": {}}, ensure_ascii=False).encode()
    path = tmp_path_factory.mktemp("data") / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)

    assert [Line(*one) for one in drawn] == read_json(path, Log).lines


def test_what_is_not_wanted_costs_nothing(tmp_path: Path) -> None:
    """A file of 4 MB whose records are small is read in a fraction of its size."""
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"lines": [{"text": "x", "prompt": "y" * 40_000} for _ in range(100)]}))
    read_json(path, Log)

    tracemalloc.start()
    read_json(path, Log)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < path.stat().st_size / 10


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ": this is not JSON (Input data was truncated); repair the file, or get it anew"),
        (b"{,", ": this is not JSON (JSON is malformed: "),
        (b'{"lines": [{"text": "\xff"}]}', ": this is not JSON (Invalid UTF-8 encoded string); repair"),
        (b'{"lines": [{"text": 3}]}', ": lines[0].text: expected `str`, got `int`; repair the file, or get it anew"),
        (b"{}", ": object missing required field `lines`; repair the file, or get it anew"),
        (b"[]", ": expected `object`, got `array`; repair the file, or get it anew"),
        (b"[" * 100_000, ": "),
    ],
)
def test_faults(tmp_path: Path, data: bytes, expected: str) -> None:
    """The sentence names the file and, where there is one, the key."""
    path = tmp_path / "log.json"
    path.write_bytes(data)

    assert fault(path).startswith(f"{path}{expected}")
    with pytest.raises(DataError):
        decode_json(data, Log, where="here")


def test_faults_of_the_file(tmp_path: Path) -> None:
    """What cannot be opened or unpacked is named, too."""
    torn = tmp_path / "torn.json.gz"
    torn.write_bytes(gzip.compress(b'{"lines": []}' * 100)[:-12])
    wrong = tmp_path / "wrong.json.gz"
    wrong.write_bytes(b"not gzip at all")

    assert fault(torn).startswith(f"{torn}: the file cannot be unpacked (Compressed file ended")
    assert fault(wrong).startswith(f"{wrong}: the file cannot be unpacked (Not a gzipped file")
    assert f"{tmp_path}/gone.json: the file cannot be read (No such file or directory); check who may read it" == fault(
        tmp_path / "gone.json"
    )
    with pytest.raises(DataError, match="cannot be read"), open_data(tmp_path / "gone"):
        pass


def test_find(tmp_path: Path) -> None:
    """A file is itself, a folder its files by name, without hidden ones, and with `deep` those of its folders."""
    for name in ("b.log", "a.log.gz", ".hidden.log", "c.txt", "deep/a.log"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")

    endings = (".log", ".log.gz")
    shallow = [tmp_path / "a.log.gz", tmp_path / "b.log"]
    assert shallow == find_data_files(tmp_path, endings, "logs")
    assert [*shallow, tmp_path / "deep/a.log"] == find_data_files(tmp_path, endings, "logs", deep=True)
    assert [tmp_path / "c.txt"] == find_data_files(tmp_path / "c.txt", endings, "logs")


def test_find_nothing(tmp_path: Path) -> None:
    """No path, no such path and an empty folder are told apart."""
    messages = []
    for path in (None, tmp_path / "gone", tmp_path):
        with pytest.raises(DataError) as caught:
            find_data_files(path, (".log", ".log.gz"), "the logs")
        messages.append(str(caught.value))
    assert [
        "these data need a path: give the path to the logs",
        f"{tmp_path}/gone: there is no such file or folder; give the path to the logs",
        f"{tmp_path}: this folder holds no .log or .log.gz file; give the path to the logs",
    ] == messages


@given(st.binary(max_size=200_000))
def test_read_stream(data: bytes) -> None:
    """A stream is read to its end."""
    assert data == read_stream(io.BytesIO(data))
