"""The archive: the verbatim, append-only copy of the stream beside every memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import field, mutable

from memkit.converter import make_converter
from memkit.errors import DataError, NotFound
from memkit.locators import Locator, Span
from memkit.records import Session, Step, Turn, Unit
from memkit.store.atomic import sync_directory
from memkit.store.faults import faults

FIELDS: dict[type, tuple[str, ...]] = {Turn: ("speaker", "text", "caption"), Step: ("action", "observation")}
"""The fields a span may point into."""
ARCHIVE = "the archive"
"""What messages call the file, whose path on disk no model may see."""


def unit_name(unit: Unit) -> str:
    """What a unit is called within its stream: `session 5` or `step 14`."""
    return f"session {unit.number}" if isinstance(unit, Session) else f"step {unit.index}"


def unit_digest(unit: Unit) -> str:
    """SHA-256 of the unit's canonical JSON, in hex: equal for equal units only."""
    return sha256(_line(unit).encode()).hexdigest()


@mutable
class Archive:
    """`stream.jsonl`, one unit a line. Appends are durable; a torn last line is dropped on reading.

    The caller holds the memory's lock while appending.
    """

    path: Path
    torn: bool = field(default=False, init=False)
    """Whether the last reading met a half-written record at the end of the file."""
    _names: dict[str, str] = field(factory=dict, init=False, repr=False)
    _places: dict[Locator, Turn | Step] = field(factory=dict, init=False, repr=False)
    _size: int = field(default=-1, init=False, repr=False)

    def units(self) -> Iterator[Unit]:
        """Every unit in the order it was appended. Raises DataError naming a damaged line."""
        self.torn = False
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    self.torn = True
                    return
                yield _parse(line, f"{self.path.name}:{number}")

    def append(self, unit: Unit) -> None:
        """Add a unit at the end, synced to disk before returning; a torn tail is cut off first."""
        data = (_line(unit) + "\n").encode()
        with faults(ARCHIVE):
            end = append_durably(self.path, data)
        if self._size == end:  # what is known stays known: n appends read nothing again
            self._remember(unit)
            self._size = end + len(data)
        else:
            self._size = -1

    def digest_of(self, unit: Unit) -> str | None:
        """The digest under which a unit of this name is held; None when it is not."""
        return self._known().get(unit_name(unit))

    @property
    def last(self) -> str:
        """The name of the unit appended last; empty when there is none."""
        return next(reversed(self._known()), "")

    def __len__(self) -> int:
        return len(self._known())

    def resolve(self, locator: Locator) -> Turn | Step:
        """The turn or step at a locator; NotFound when the archive has none there."""
        self._known()
        try:
            return self._places[locator]
        except KeyError:
            raise NotFound(f"{locator} is not in the archive") from None

    def text(self, span: Span) -> str:
        """The exact characters of a span; NotFound when locator, field or range do not exist."""
        place = self.resolve(span.locator)
        if span.field not in FIELDS[type(place)]:
            raise NotFound(f"{span.locator} has no field {span.field!r}; it has {', '.join(FIELDS[type(place)])}")
        value: str = getattr(place, span.field)
        if not 0 <= span.start <= span.end <= len(value):
            raise NotFound(f"{span} is outside the {len(value)} characters of that field")
        return value[span.start : span.end]

    def _known(self) -> dict[str, str]:
        size = self.path.stat().st_size if self.path.exists() else 0
        if size != self._size:
            self._names, self._places, self._size = {}, {}, size
            for unit in self.units():
                self._remember(unit)
        return self._names

    def _remember(self, unit: Unit) -> None:
        self._names[unit_name(unit)] = unit_digest(unit)
        places = unit.turns if isinstance(unit, Session) else (unit,)
        self._places.update((place.locator, place) for place in places)


_converter = make_converter()


def _line(unit: Unit) -> str:
    kind = "session" if isinstance(unit, Session) else "step"
    data = {"kind": kind, **_converter.unstructure(unit)}
    # Escaped ASCII: a lone surrogate in a source survives, and U+2028 breaks no line reader.
    return json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def _parse(line: bytes, where: str) -> Unit:
    try:
        data: dict[str, Any] = json.loads(line)
        cls = {"session": Session, "step": Step}[data.pop("kind")]
        return _converter.structure(data, cls)
    except Exception as error:
        fault = f"this record is damaged ({type(error).__name__}); restore the archive from a copy"
        raise DataError(fault, where=where) from error


def append_durably(path: Path, data: bytes) -> int:
    """Write `data`, whole lines, after the last whole line of `path` and sync; where it begins. Raises OSError."""
    path.parent.mkdir(0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        end = _whole_size(descriptor)
        os.ftruncate(descriptor, end)
        os.lseek(descriptor, end, os.SEEK_SET)
        _write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if end == 0:  # the file may be new, and its name must last too
        directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            sync_directory(directory)
        finally:
            os.close(directory)
    return end


def _whole_size(descriptor: int) -> int:
    """Bytes up to and with the last line break."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    while end > 0:
        start = max(0, end - 65536)
        block = os.pread(descriptor, end - start, start)
        if (cut := block.rfind(b"\n")) >= 0:
            return start + cut + 1
        end = start
    return 0


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
