"""Data files on their way in: found, opened whether gzipped or not, and read straight into typed records.

A record type names the fields that are wanted; what else a file holds is looked over and never made, so a log
that repeats the whole prompt at each step costs what its steps cost. Types are msgspec's, and so are their errors, as
one sentence naming file and key.
"""

from __future__ import annotations

import gzip
import mmap
import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypeVar, cast

import msgspec

from memkit.errors import DataError

T = TypeVar("T")
Buffer: TypeAlias = bytes | bytearray | mmap.mmap

_BOM = b"\xef\xbb\xbf"
_CHUNK = 65_536
_WHERE = re.compile(r"(?P<what>.*) - at `\$\.?(?P<key>.*)`", re.DOTALL)


def find_data_files(path: Path | None, endings: Sequence[str], what: str, *, deep: bool = False) -> list[Path]:
    """The file that `path` is, or a folder's files with one of the endings, by name; with `deep`, its folders' too.

    Raises DataError that says what the data are: `what` completes "give the path to".
    """
    if path is None:
        raise DataError(f"these data need a path: give the path to {what}")
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise DataError(f"there is no such file or folder; give the path to {what}", where=str(path))
    found = [file for file in (path.rglob("*") if deep else path.glob("*")) if file.name.endswith(tuple(endings))]
    found = [file for file in found if file.is_file() and not file.name.startswith(".")]
    if not found:
        raise DataError(f"this folder holds no {' or '.join(endings)} file; give the path to {what}", where=str(path))
    return sorted(found, key=lambda file: file.relative_to(path).parts)


def read_json(path: Path, kind: type[T]) -> T:
    """The file, gzipped where its name ends in `.gz`, as a `kind`. Raises DataError."""
    if path.suffix == ".gz":
        with open_data(path) as stream:
            data: Buffer = read_stream(stream)
    else:
        data = _mapped(path)
    return decode_json(data, kind, where=str(path))


def decode_json(data: Buffer, kind: type[T], *, where: str) -> T:
    """JSON text as a `kind`, a type that msgspec can decode. Raises DataError below `where`."""
    view = memoryview(data)
    try:
        return _decoder(kind)(view[3:] if view[:3] == _BOM else view)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        match = _WHERE.fullmatch(text := str(error))
        place = f"{where}: {match['key']}" if match and match["key"] else where
        what = match["what"] if match else text
        kept = isinstance(error, msgspec.ValidationError)
        fault = f"{what[:1].lower()}{what[1:]}" if kept else f"this is not JSON ({what})"
        raise DataError(f"{fault}; repair the file, or get it anew", where=place) from None


@contextmanager
def open_data(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked where its name ends in `.gz`; faults met while reading them are DataErrors."""
    try:
        with cast(BinaryIO, gzip.open(path)) if path.suffix == ".gz" else path.open("rb") as stream:
            yield stream
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"the file cannot be unpacked ({error}); get it anew", where=str(path)) from None
    except OSError as error:
        raise _unreadable(path, error) from None


def read_stream(stream: BinaryIO) -> bytearray:
    """All that is left of a stream, in one buffer and never in two."""
    data = bytearray()
    while chunk := stream.read(_CHUNK):
        data += chunk
    return data


def _mapped(path: Path) -> Buffer:
    """The file in the page cache, which the machine may drop and read again: it is no memory of ours."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(f"the file cannot be read ({error.strerror or error}); check who may read it", where=str(path))


def _decoder(kind: type[T]) -> Callable[[memoryview], T]:
    return msgspec.json.Decoder(kind).decode
