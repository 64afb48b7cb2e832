"""The log of finished units: append-only segments, one writer each, read back as key -> record.

A unit that is in the log is never done again. A segment whose writer was killed may end in half a
record, which is left out on reading; that unit is then simply not done yet. Records survive the
death of the process; after a power cut the last ones may be missing, never wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias, get_args
from uuid import uuid4

import orjson
from attrs import field, frozen

from memkit.errors import UserError

SCHEMA = 1
"""Of a record; records of another schema are not read, so their units are done again."""
Stage: TypeAlias = Literal["build", "answer", "judge", "failure"]
"""What a segment is of. A failure has the key of the unit that failed, and counts until that is on record."""
Record: TypeAlias = dict[str, Any]


@frozen
class Records:
    """Every whole record of each stage by its key."""

    build: dict[str, Record]
    answer: dict[str, Record]
    judge: dict[str, Record]
    failure: dict[str, Record] = field(factory=dict)


@frozen
class UnitLog:
    """The `units/` folder of a run directory."""

    root: Path

    def load(self) -> Records:
        """What is finished."""
        return Records(*(self.read(stage) for stage in get_args(Stage)))

    def read(self, stage: Stage) -> dict[str, Record]:
        """The records of one stage."""
        folder = self.root / stage
        segments = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
        return {record["key"]: record for segment in segments for record in read_segment(segment)}

    @contextmanager
    def writer(self, stage: Stage) -> Iterator[UnitWriter]:
        """A new segment for this writer alone; nothing is left behind when nothing is written."""
        folder = self.root / stage
        path = folder / f"{uuid4().hex}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = path.open("xb", buffering=0)
        except OSError as error:
            raise UserError(f"{path} cannot be made: {error.strerror}; mend that and run again") from None
        try:
            with file:
                yield UnitWriter(file)
        finally:
            if path.stat().st_size == 0:
                path.unlink()


@frozen
class UnitWriter:
    """Appends records to one segment."""

    file: BinaryIO

    def write(self, key: str, **record: Any) -> Record:
        """Record a finished unit in one write: a reader sees it whole or not at all. UserError when it fails."""
        record = {"key": key, "schema": SCHEMA, **record}
        data = encode(record)
        try:
            if self.file.write(data) == len(data):
                return record
            reason = "No space left on device"  # a write that is cut short says no more
        except OSError as error:
            reason = error.strerror or str(error)
        raise UserError(f"{self.file.name} cannot be written: {reason}; mend that and run again")


def encode(record: Any) -> bytes:
    """`record` as a line of JSON. A lone surrogate, which no UTF-8 file can hold, becomes a question mark."""
    try:
        return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:
        return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def memory_dir(run_dir: Path, build_key: str) -> Path:
    """Where a run keeps the memory of a build key."""
    return run_dir / "memories" / build_key[:32]


def read_segment(segment: Path) -> Iterator[Record]:
    """The whole records of a segment, in the order they were written."""
    for line in segment.read_bytes().split(b"\n")[:-1]:
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue  # torn by a full disk or a power cut: not done
        if isinstance(record, dict) and record.get("schema") == SCHEMA:
            yield record
