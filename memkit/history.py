"""The history of a directory: snapshots by content, so that each takes the disk what changed since the one before.

```
history/  snapshots.jsonl   a line a snapshot: which files are new, which were appended to, which are gone
          objects/ab/cd…    what was put or appended, each content once, under its SHA-256
```
An empty folder is a path that ends in a slash and has the empty content.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import field, frozen, mutable

from memkit.archive import append_durably
from memkit.errors import DataError, NotFound
from memkit.store.atomic import TEMPORARY, write_file
from memkit.store.faults import faults
from memkit.store.scan import Signature

HISTORY = "history"
LEFT_OUT = frozenset({HISTORY, "index", "generation", ".lock"})
"""At the top of a memory: what can be made again, and what holds while a process lives."""
LOG_NAME = "snapshots.jsonl"
NOTHING = Signature(0, 0, 0)
"""Of an empty folder, which is all alike."""


@frozen
class Snapshot:
    """The state after `name`. `put` and `appended` map paths to contents, and `facts` are the caller's."""

    name: str
    put: Mapping[str, str]
    appended: Mapping[str, str]
    gone: tuple[str, ...]
    facts: Mapping[str, Any] = field(factory=dict)


@frozen
class _Known:
    """A file as the last snapshot has it. Its signature is not known when another process took that."""

    size: int
    digest: str
    signature: Signature | None = None


@mutable
class History:
    """The snapshots kept in a folder. One process at a time takes them; any number may restore."""

    root: Path
    _known: dict[str, _Known] | None = field(default=None, init=False, repr=False)

    def snapshots(self) -> tuple[Snapshot, ...]:
        """Every snapshot in order; a line that a crash cut short is none. Raises DataError naming a damaged one."""
        path = self.root / LOG_NAME
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else ()
        return tuple(_parse(line, f"{LOG_NAME}:{number}") for number, line in enumerate(lines, 1))

    def take(self, directory: Path, name: str, facts: Mapping[str, Any]) -> Snapshot:
        """Keep what the files of `directory` hold now. Raises StoreError when the disk refuses."""
        known = self._recall() if self._known is None else self._known
        self._known = None  # until all of it is on disk
        put: dict[str, str] = {}
        appended: dict[str, str] = {}
        with faults(f"the history of {directory.name}"):
            found = dict(_files(directory))
            for path, file in found.items():
                before, signature = known.get(path), _signature(path, file)
                if before is None or before.signature != signature:
                    data = b"" if path.endswith("/") else file.read_bytes()
                    known[path] = self._keep(path, data, signature, before, put, appended)
            gone = tuple(path for path in known if path not in found)
            for path in gone:
                del known[path]
            line = {"name": name, "put": put, "appended": appended, "gone": gone, "facts": dict(facts)}
            append_durably(self.root / LOG_NAME, json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._known = known
        return Snapshot(name, put, appended, gone, facts)

    def restore(self, number: int, directory: Path) -> None:
        """Make a new `directory` with the files as the snapshot `number`, from 1, has them.

        Raises NotFound when there is none, DataError when what it needs is damaged or missing.
        """
        for path, pieces in self._state(number).items():
            file = directory / path
            if path.endswith("/"):
                file.mkdir(parents=True, exist_ok=True)
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("xb") as written:
                for digest in pieces:
                    written.write(self._object(digest))

    def _state(self, number: int) -> dict[str, list[str]]:
        """The contents that each file consists of after a snapshot."""
        taken = self.snapshots()
        if not 0 <= number <= len(taken):
            raise NotFound(f"there are {len(taken)} snapshots, and no snapshot {number}")
        state: dict[str, list[str]] = {}
        for snapshot in taken[:number]:
            for path, digest in snapshot.put.items():
                state[path] = [digest]
            for path, digest in snapshot.appended.items():
                state[path].append(digest)
            for path in snapshot.gone:
                del state[path]
        return state

    def _recall(self) -> dict[str, _Known]:
        """What the last snapshot has of each file."""
        known = {}
        for path, pieces in self._state(len(self.snapshots())).items():
            whole = b"".join(map(self._object, pieces))
            known[path] = _Known(len(whole), sha256(whole).hexdigest())
        return known

    def _keep(
        self,
        path: str,
        data: bytes,
        signature: Signature,
        before: _Known | None,
        put: dict[str, str],
        appended: dict[str, str],
    ) -> _Known:
        """Keep a file that may have changed: what was appended, or all of it."""
        if before is None or sha256(data[: before.size]).hexdigest() != before.digest:
            put[path] = self._add(data)
        elif len(data) > before.size:
            appended[path] = self._add(data[before.size :])
        return _Known(len(data), sha256(data).hexdigest(), signature)

    def _add(self, data: bytes) -> str:
        digest = sha256(data).hexdigest()
        file = self._file(digest)
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            write_file(file, data)
        return digest

    def _object(self, digest: str) -> bytes:
        try:
            data = self._file(digest).read_bytes()
        except FileNotFoundError:
            raise DataError("a content is missing; restore the history from a copy", where=digest) from None
        if sha256(data).hexdigest() != digest:
            raise DataError("a content is damaged; restore the history from a copy", where=digest)
        return data

    def _file(self, digest: str) -> Path:
        return self.root / "objects" / digest[:2] / digest[2:]


def _files(directory: Path) -> Iterator[tuple[str, Path]]:
    """Every regular file, and every folder with nothing in it, with its path below the directory; links are neither."""
    for folder, names, files in os.walk(directory):
        at = Path(folder)
        top = at == directory
        names[:] = sorted(name for name in names if not (top and name in LEFT_OUT) and not name.startswith(TEMPORARY))
        if not (names or files or top):
            yield f"{at.relative_to(directory).as_posix()}/", at
        for name in sorted(files):
            file = at / name
            hidden = (top and name in LEFT_OUT) or name.startswith(TEMPORARY)
            if not hidden and file.is_file() and not file.is_symlink():
                yield file.relative_to(directory).as_posix(), file


def _signature(path: str, file: Path) -> Signature:
    return NOTHING if path.endswith("/") else Signature.of(file.stat())


def _parse(line: bytes, where: str) -> Snapshot:
    try:
        data = json.loads(line)
        return Snapshot(data["name"], data["put"], data["appended"], tuple(data["gone"]), data["facts"])
    except (ValueError, KeyError, TypeError):
        raise DataError("this snapshot is damaged; restore the history from a copy", where=where) from None
