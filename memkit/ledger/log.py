"""The ledger on disk: `ledger/rows.jsonl`, a header line and then one row a line.

Writing is durable. Reading decodes straight into rows, with garbage collection paused: a million rows hold no cycle
for it to find.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from memkit.archive import append_durably
from memkit.errors import DataError
from memkit.ledger.row import Row
from memkit.store.atomic import write_file
from memkit.store.faults import faults

LEDGER = "ledger/rows.jsonl"
"""Where the rows are, below the directory of a memory."""
SCHEMA = 1
Mode: TypeAlias = Literal["lite", "annotated"]
"""`lite` rows come from the program alone; `annotated` ones a model has added to."""


class Header(Struct, frozen=True, omit_defaults=True):
    """The first line: the schema version, the mode, and the model that annotated."""

    schema: int
    mode: Mode = "lite"
    annotator: str = ""


_SURROGATE = re.compile(r"[\ud800-\udfff]")
_encoder = msgspec.json.Encoder()
_row = msgspec.json.Decoder(Row)


def write_rows(memory: Path, rows: Iterable[Row], *, mode: Mode = "lite", annotator: str = "") -> None:
    """Make `rows` the whole ledger of the memory in the directory `memory`. Raises StoreError when the disk does."""
    path = memory / LEDGER
    data = _encoder.encode_lines([Header(SCHEMA, mode, annotator)]) + _encode(rows)
    with faults(LEDGER):
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        write_file(path, data)


def append_rows(memory: Path, rows: Iterable[Row], *, mode: Mode = "lite", annotator: str = "") -> None:
    """Add rows at the end of the ledger, which is begun when there is none; a torn last line is cut off first."""
    path = memory / LEDGER
    if not path.exists():
        write_rows(memory, rows, mode=mode, annotator=annotator)
        return
    read_header(memory)
    with faults(LEDGER):
        append_durably(path, _encode(rows))


def read_header(memory: Path) -> Header:
    """The header of a memory's ledger. Raises DataError for a damaged one and for that of a later memkit."""
    with faults(LEDGER), (memory / LEDGER).open("rb") as file:
        return _header(file.readline())


def load_rows(memory: Path) -> list[Row]:
    """The rows of a memory's ledger; none when it has no ledger. A torn last line is left out.

    Raises DataError naming a damaged line, and for a ledger of a later memkit.
    """
    path = memory / LEDGER
    if not path.exists():
        return []
    with faults(LEDGER):
        data = path.read_bytes()
    _header(data[: data.find(b"\n") + 1])
    first, last = data.find(b"\n") + 1, data.rfind(b"\n")
    if first > last:
        return []
    lines = memoryview(data)[first:last]
    with _no_collection():
        try:
            return _row.decode_lines(lines)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise _damage(bytes(lines)) from None


def _encode(rows: Iterable[Row]) -> bytes:
    # JSON text escapes a line break inside a string, so each row stays on its line.
    rows = list(rows)
    try:
        return _encoder.encode_lines(rows)
    except UnicodeEncodeError:  # half a surrogate pair, which a source may hold and UTF-8 cannot
        return b"".join(_encoder.encode(_writable(row)) + b"\n" for row in rows)


def _writable(row: Row) -> Any:
    """The row with U+FFFD for what UTF-8 cannot hold; the archive keeps the source as it was."""
    return json.loads(_SURROGATE.sub("\ufffd", json.dumps(msgspec.to_builtins(row), ensure_ascii=False)))


def _header(line: bytes) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise DataError("this is no ledger header; build the ledger again", where=f"{LEDGER}:1") from None
    if header.schema > SCHEMA:
        raise DataError(
            f"the ledger has schema {header.schema}, and this memkit reads up to {SCHEMA}; update memkit",
            where=f"{LEDGER}:1",
        )
    return header


def _damage(data: bytes) -> DataError:
    """The fault of the first line that is no row."""
    for number, line in enumerate(data.split(b"\n"), 2):
        try:
            _row.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            return DataError(f"this row is damaged ({error}); build the ledger again", where=f"{LEDGER}:{number}")
    return DataError("the rows are damaged; build the ledger again", where=LEDGER)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Garbage collection off, and as it was afterwards, whatever happens."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
