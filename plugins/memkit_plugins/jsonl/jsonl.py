"""Dataset `jsonl`: streams and questions in one file, a JSON object a line (docs/reference/data-format.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memkit import Case, DataError
from memkit_plugins.jsonl.lines import Record, check_record, nearest, parse_line
from memkit_plugins.jsonl.stream import OpenStream

_BOM = b"\xef\xbb\xbf"


class Jsonl:
    """Your own conversations or trajectories with questions, one JSON object a line; the lines of a stream together.

    Read line by line: one stream is in memory at a time.
    """

    def load(self, path: Path | None) -> Iterator[Case]:
        """Each stream with its questions, in the order of the file. Raises DataError naming file and line."""
        for found in _read(path):
            if isinstance(found, DataError):
                raise found
            yield found

    def check(self, path: Path | None) -> Iterator[str]:
        """Every fault of the file, a sentence each with its line; nothing for a file that loads."""
        for found in _read(path):
            if isinstance(found, DataError):
                yield str(found)


def _read(path: Path | None) -> Iterator[Case | DataError]:
    """Cases and faults as they come; reading goes on after a fault."""
    if path is None or not path.is_file():
        yield _no_file(path)
        return
    reader = _Reader(path)
    empty = True
    try:
        lines = path.open("rb")
    except OSError as error:
        yield DataError(f"the file cannot be read ({error.strerror}); check who may read it", where=str(path))
        return
    with lines:
        for number, raw in enumerate(lines, 1):
            line = raw.removeprefix(_BOM) if number == 1 else raw
            if not line.strip():
                continue
            empty = False
            where = f"{path}:{number}"
            try:
                yield from reader.take(parse_line(line, where), where)
            except DataError as error:
                reader.damaged()
                yield error
    yield from reader.close()
    if empty:
        yield DataError('there is no record; begin with {"type": "turn", "speaker": ..., "text": ...}', where=str(path))


def _no_file(path: Path | None) -> DataError:
    if path is None:
        return DataError("the dataset 'jsonl' needs a path: a .jsonl file")
    fault = "is a folder; name one .jsonl file in it" if path.is_dir() else "there is no such file; check the path"
    return DataError(fault, where=str(path))


class _Reader:
    """Assigns records to streams. A stream's lines stand together, so that it is whole when the next begins."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ids: dict[str, str] = {}
        """Every stream so far, and where it begins."""
        self.questions: dict[str, str] = {}
        """Every question id so far, and where it stands."""
        self.open: OpenStream | None = None

    def take(self, record: Record, where: str) -> Iterator[Case | DataError]:
        """Add a record; yields what became of the stream that it ends. Raises DataError."""
        if record.get("type") == "stream":
            yield from self.close()
            # Begun even if refused: the lines below are not the stream's above.
            self.open = OpenStream({"id": str(record.get("id"))}, where)
            self.open = self._begin(check_record(record, where), where)
            return
        record = check_record(record, where)
        if self.open is None:
            self.open = self._begin({"id": record.get("stream", self.path.stem)}, where)
        named = record.get("stream", self.open.id)
        if named != self.open.id:
            raise self._misplaced(named, where)
        self.open.add(record, where, self.questions)

    def close(self) -> Iterator[Case | DataError]:
        """The case of the open stream, or its faults."""
        if self.open is not None:
            yield from self.open.finish()
            self.open = None

    def damaged(self) -> None:
        """Note that a line of the open stream was lost: what refers to it is no fault of its own."""
        if self.open is not None:
            self.open.damaged = True

    def _begin(self, record: Record, where: str) -> OpenStream:
        earlier = self.ids.setdefault(record["id"], where)
        if earlier != where:
            fault = f"stream {record['id']!r} begins at {earlier} already; give each stream an id of its own"
            raise DataError(fault, where=where)
        return OpenStream(record, where)

    def _misplaced(self, named: str, where: str) -> DataError:
        if named in self.ids:
            return DataError(f"stream {named!r} ended above; keep the lines of a stream together", where=where)
        hint = f"begin it with a line of type 'stream', or {nearest(named, list(self.ids))}"
        return DataError(f"stream {named!r} has not begun; {hint}", where=where)
