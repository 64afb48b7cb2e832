"""The archive: the verbatim, append-only copy of the stream beside every memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from attrs import field, mutable
from msgspec import MsgspecError, Struct
from msgspec.json import Decoder

from memkit.converter import make_converter
from memkit.errors import DataError, NotFound, UserError
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

    Known of a unit is where its line begins, never its text: an archive costs a reader no more memory than its
    locators, and any place in it one line to read. The caller holds the memory's lock while appending.
    """

    path: Path
    torn: bool = field(default=False, init=False)
    """Whether the last reading met a half-written record at the end of the file."""
    _lines: dict[str, int] = field(factory=dict, init=False, repr=False)
    """Where the line of each unit begins, by the unit's name and in order."""
    _places: dict[Locator, int] = field(factory=dict, init=False, repr=False)
    """Where the line begins that holds a turn or step."""
    _size: int = field(default=-1, init=False, repr=False)
    _latest: tuple[int, Unit] | None = field(default=None, init=False, repr=False)
    """The unit read last and where its line begins: the turns of one session are often asked for together."""

    def units(self) -> Iterator[Unit]:
        """Every unit in the order it was appended. Raises DataError naming a damaged line."""
        for number, _, line in self._whole_lines():
            yield _parse(line, f"{self.path.name}:{number}")

    def append(self, unit: Unit) -> None:
        """Add a unit at the end, synced to disk before returning; a torn tail is cut off first."""
        self.extend((unit,))

    def extend(self, units: Sequence[Unit]) -> None:
        """Add units at the end with one sync for all: a crash leaves the first of them, each whole, or all."""
        if not units:
            return
        lines = [(_line(unit) + "\n").encode() for unit in units]
        with faults(ARCHIVE):
            end = append_durably(self.path, b"".join(lines))
        self._latest = None
        if self._size != end:
            self._size = -1
            return
        for unit, line in zip(units, lines, strict=True):  # what is known stays known: n appends read nothing again
            self._remember(unit_name(unit), _locators(unit), self._size)
            self._size += len(line)

    def digest_of(self, unit: Unit) -> str | None:
        """The digest under which a unit of this name is held; None when it is not."""
        start = self._known().get(unit_name(unit))
        return None if start is None else unit_digest(self._unit_at(start))

    def names(self, start: int = 0) -> Sequence[str]:
        """What the units are called, in order, from the one at `start`, counted from 0."""
        return tuple(islice(self._known(), start, None))

    @property
    def last(self) -> str:
        """The name of the unit appended last; empty when there is none."""
        return next(reversed(self._known()), "")

    def __len__(self) -> int:
        return len(self._known())

    def __contains__(self, name: object) -> bool:
        return name in self._known()

    def resolve(self, locator: Locator) -> Turn | Step:
        """The turn or step at a locator; NotFound when the archive has none there."""
        self._known()
        if (start := self._places.get(locator)) is None:
            raise NotFound(f"{locator} is not in the archive")
        unit = self._unit_at(start)
        return unit if isinstance(unit, Step) else next(turn for turn in unit.turns if turn.locator == locator)

    def text(self, span: Span) -> str:
        """The exact characters of a span; NotFound when locator, field or range do not exist."""
        place = self.resolve(span.locator)
        if span.field not in FIELDS[type(place)]:
            raise NotFound(f"{span.locator} has no field {span.field!r}; it has {', '.join(FIELDS[type(place)])}")
        value: str = getattr(place, span.field)
        if not 0 <= span.start <= span.end <= len(value):
            raise NotFound(f"{span} is outside the {len(value)} characters of that field")
        return value[span.start : span.end]

    def _known(self) -> dict[str, int]:
        size = self.path.stat().st_size if self.path.exists() else 0
        if size != self._size:
            self._lines, self._places, self._latest, self._size = {}, {}, None, size
            for number, start, line in self._whole_lines():
                self._remember(*_glance(line, f"{self.path.name}:{number}"), start)
        return self._lines

    def _whole_lines(self) -> Iterator[tuple[int, int, bytes]]:
        """The number of each line from 1, where it begins, and the line."""
        self.torn = False
        if not self.path.exists():
            return
        start = 0
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    self.torn = True
                    return
                yield number, start, line
                start += len(line)

    def _remember(self, name: str, places: Iterable[Locator], start: int) -> None:
        self._lines[name] = start
        self._places.update(dict.fromkeys(places, start))

    def _unit_at(self, start: int) -> Unit:
        latest = self._latest
        if latest is not None and latest[0] == start:
            return latest[1]
        with self.path.open("rb") as lines:
            lines.seek(start)
            unit = _parse(lines.readline(), f"{self.path.name}: byte {start}")
        self._latest = start, unit
        return unit


_converter = make_converter()


class _Place(Struct):
    locator: str


class _Glance(Struct):
    """A record without its texts, which are looked over and not kept."""

    kind: Literal["session", "step"]
    number: int = 0
    index: int = 0
    locator: str = ""
    turns: list[_Place] = []


_glancing = Decoder(_Glance)


def _glance(line: bytes, where: str) -> tuple[str, Sequence[Locator]]:
    """The name of the unit on a line, and the locators in it. Raises DataError."""
    try:
        seen = _glancing.decode(line)
        if seen.kind == "step":
            return f"step {seen.index}", (Locator.parse(seen.locator),)
        return f"session {seen.number}", tuple(Locator.parse(turn.locator) for turn in seen.turns)
    except (MsgspecError, UserError):  # damaged, or half a surrogate pair, which that decoder does not read
        unit = _parse(line, where)
        return unit_name(unit), _locators(unit)


def _locators(unit: Unit) -> tuple[Locator, ...]:
    return tuple(turn.locator for turn in unit.turns) if isinstance(unit, Session) else (unit.locator,)


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
