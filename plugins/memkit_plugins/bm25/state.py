"""What a search index says of itself: which files it holds, as they were, and which commit that is.

Kept as `state.json` inside the index's own directory and written last, so an update that was cut short is known
by a state that names another commit.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple, TypeAlias

from attrs import field, frozen

from memkit_plugins.bm25.windows import WINDOWS, Averages

SCHEMA = 1
"""Of the index and its state; one of another number is built anew."""
STATE_NAME = "state.json"

FileSignature: TypeAlias = tuple[int, ...]
"""(inode, size, mtime_ns), equal to the `Signature` of the store."""


class IndexedFile(NamedTuple):
    """A file as it was indexed. `totals` are `window_totals`; `ordinal` marks its documents and is never used again."""

    signature: FileSignature
    ordinal: int
    units: int
    totals: tuple[int, ...]


@frozen
class State:
    """The files of one commit. `removed` says that documents were deleted since the index was built."""

    commit: int
    files: dict[str, IndexedFile]
    next_ordinal: int
    removed: bool = False
    signatures: dict[str, FileSignature] = field(init=False, repr=False, eq=False)
    paths: dict[int, str] = field(init=False, repr=False, eq=False)
    """The path of each ordinal."""
    units: int = field(init=False, eq=False)
    averages: Averages = field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        held = self.files.values()
        units = sum(file.units for file in held)
        totals = [sum(file.totals[scale] for file in held) for scale in range(len(WINDOWS))]
        # The attrs way to fill a derived field of a frozen class.
        object.__setattr__(self, "signatures", {path: file.signature for path, file in self.files.items()})
        object.__setattr__(self, "paths", {file.ordinal: path for path, file in self.files.items()})
        object.__setattr__(self, "units", units)
        object.__setattr__(self, "averages", tuple(total / max(units, 1) for total in totals))


def write_state(directory: Path, state: State) -> None:
    """Put the state in place, whole. Raises OSError."""
    rows = {path: [file.signature, file.ordinal, file.units, file.totals] for path, file in state.files.items()}
    data = {
        "schema": SCHEMA,
        "commit": state.commit,
        "next": state.next_ordinal,
        "removed": state.removed,
        "files": rows,
    }
    temporary = directory / f"{STATE_NAME}.{os.getpid()}"
    temporary.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
    temporary.replace(directory / STATE_NAME)


def read_state(directory: Path) -> State | None:
    """The state, or None when there is none that this version can read."""
    try:
        data = json.loads((directory / STATE_NAME).read_bytes())
        if data["schema"] != SCHEMA:
            return None
        files = {
            path: IndexedFile(tuple(signature), int(ordinal), int(units), tuple(totals))
            for path, (signature, ordinal, units, totals) in data["files"].items()
        }
        if any(len(file.totals) != len(WINDOWS) for file in files.values()):
            return None
        return State(int(data["commit"]), files, int(data["next"]), bool(data["removed"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def state_stamp(directory: Path) -> FileSignature:
    """Changes whenever another state is put in place; empty when there is none."""
    try:
        status = (directory / STATE_NAME).stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
