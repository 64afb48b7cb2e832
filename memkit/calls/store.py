"""The calls store: every successful model call of a run, by its key, in one SQLite file."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from attrs import frozen

from memkit.calls.database import damaged, faults, open_database
from memkit.calls.flights import Flights
from memkit.calls.keys import Address, canonical, completion_data, completion_from, request_from
from memkit.calls.owners import Owner, started
from memkit.errors import ConfigError, UserError
from memkit.records import Completion, Request
from memkit.redaction import redact


@frozen
class Recorded:
    """A reply on record, and how long the model took for it."""

    completion: Completion
    seconds: float


@frozen
class Holder:
    """Another opening of the store that is making the call now, in process `pid`, for so many seconds."""

    pid: int
    seconds: float


class CallStore:
    """A file of recorded calls, made when there is none. Any number of threads and processes may use it.

    A killed process loses the call it was in, nothing else. Requests and replies are kept without
    secrets (`memkit.redaction`). Processes that share a store must see one another's pids; an open
    store does not survive a fork. Raises UserError for whatever is wrong with the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.flights: Flights[tuple[Recorded, bool]] = Flights()
        """The calls that this opening is making."""
        self._owner = Owner(uuid4().hex, os.getpid(), started(os.getpid()) or "")
        self._lock = threading.Lock()
        self._connection = open_database(path)

    def close(self) -> None:
        """Close the file; the store is of no use afterwards."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """How many calls are on record."""
        with self._using() as connection:
            return int(connection.execute("SELECT count(*) FROM calls").fetchone()[0])

    def find(self, key: str) -> Recorded | None:
        """The reply on record."""
        with self._using() as connection:
            return self._find(connection, key)

    def request(self, key: str) -> Request | None:
        """What was asked, as it was recorded: without secrets, and without the role."""
        with self._using() as connection:
            row = connection.execute("SELECT request FROM calls WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            with self._reading():
                head = json.loads(row[0])
                parts = {digest: self._part(connection, digest) for digest in (*head["messages"], head["tools"])}
                return request_from(head, parts)

    def claim(self, key: str) -> Recorded | Holder | None:
        """The reply on record, or who is making the call; None when it is the caller's to make.

        Who gets None must `record` or `release` the key. The claim of a dead process is taken over.
        """
        with self._changing() as connection:
            if found := self._find(connection, key):
                return found
            row = connection.execute("SELECT owner, pid, start, since FROM claims WHERE key = ?", (key,)).fetchone()
            if row is not None:
                holder = Owner(*row[:3])
                if holder.name != self._owner.name and holder.alive:
                    return Holder(holder.pid, time.time() - row[3])
            mine = (key, self._owner.name, self._owner.pid, self._owner.start, time.time())
            connection.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?)", mine)
            return None

    def record(self, address: Address, completion: Completion, seconds: float) -> Recorded:
        """Put a reply on record, ending the claim; returns it as later callers get it, without secrets."""
        head, data, parts = redact([address.head, completion_data(completion), [*address.parts.items()]])
        made = datetime.now(UTC).isoformat(timespec="milliseconds")
        row = (address.key, canonical(head), canonical(data), seconds, made)
        bodies = [(digest, canonical(part)) for digest, part in parts]
        with self._changing() as connection:
            connection.executemany("INSERT OR IGNORE INTO parts VALUES (?, ?)", bodies)
            connection.execute("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?)", row)
            connection.execute("DELETE FROM claims WHERE key = ?", (address.key,))
        return Recorded(completion_from(data), seconds)

    def release(self, key: str) -> None:
        """Give up a claim: the call failed, and the next who asks makes it."""
        with self._changing() as connection:
            connection.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, self._owner.name))

    def _find(self, connection: sqlite3.Connection, key: str) -> Recorded | None:
        row = connection.execute("SELECT completion, seconds FROM calls WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        with self._reading():
            return Recorded(completion_from(json.loads(row[0])), float(row[1]))

    def _part(self, connection: sqlite3.Connection, digest: str) -> Any:
        row = connection.execute("SELECT body FROM parts WHERE digest = ?", (digest,)).fetchone()
        if row is None:
            raise ValueError("a part of a request is gone")
        return json.loads(row[0])

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._lock, faults(self.path):
            yield self._connection

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing."""
        with self._using() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A row that does not read back was not written by this code."""
        try:
            yield
        except (ValueError, KeyError, TypeError, ConfigError) as error:
            raise UserError(damaged(self.path, f"a record does not read back: {error}")) from None
        except Exception as error:  # noqa: BLE001 - whatever a hook of the converter raises
            raise UserError(damaged(self.path, f"a record does not read back: {type(error).__name__}")) from None
