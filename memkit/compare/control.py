"""What the processes of a run tell one another: who does what, what is spent, and that all should stop.

One SQLite file in the run directory. A process that is killed leaves its rows behind; they count for nothing once it
is known to be dead, or has not been heard of for `LEASE_SECONDS`.
"""

from __future__ import annotations

import atexit
import os
import platform
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from memkit.calls.owners import started
from memkit.errors import UserError

CONTROL_FILE = "control.db"
LEASE_SECONDS = 60.0
"""How long a process is believed to live after its last sign of life."""
BEAT_SECONDS = 10.0
BUSY_SECONDS = 60.0
_TABLES = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS owners (
    name TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, start TEXT NOT NULL, until REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS leases (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS reservations (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, nano INTEGER NOT NULL, tokens INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS spent (
    one INTEGER PRIMARY KEY CHECK (one = 1), nano INTEGER NOT NULL, tokens INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS stop (one INTEGER PRIMARY KEY CHECK (one = 1), reason TEXT NOT NULL);
INSERT OR IGNORE INTO spent VALUES (1, 0, 0);
"""


class Control:
    """One opening of the file, for any number of threads. Raises UserError for whatever is wrong with the file.

    While it is open a thread gives signs of life, so that nothing it holds is taken over however long a call lasts.
    """

    def __init__(self, run_dir: Path) -> None:
        self.path = run_dir / CONTROL_FILE
        self.name = uuid4().hex
        self._lock = threading.Lock()
        self._closed = threading.Event()
        with _faults(self.path):
            run_dir.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection.executescript(_TABLES)
            # Nothing here outlives a power cut: the work itself is in the log of units.
            self._connection.execute("PRAGMA synchronous = OFF")
        with self.changing() as connection:
            me = (self.name, platform.node(), os.getpid(), started(os.getpid()) or "", time.time() + LEASE_SECONDS)
            connection.execute("INSERT INTO owners VALUES (?, ?, ?, ?, ?)", me)
        self._heart = threading.Thread(target=self._beat, daemon=True)
        self._heart.start()

    def close(self) -> None:
        """Give up what is held, and close the file."""
        self._closed.set()
        self._heart.join()
        with suppress(UserError), self.changing() as connection:
            _forget(connection, self.name)
        self._connection.close()

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing."""
        with self._lock, _faults(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def sweep(self, connection: sqlite3.Connection) -> None:
        """Within a transaction: forget every owner that is dead, with what it held."""
        for name, host, pid, start, until in connection.execute("SELECT * FROM owners").fetchall():
            here = host == platform.node()
            if name != self.name and (until < time.time() or (here and started(pid) != start)):
                _forget(connection, name)

    def stop(self, reason: str) -> None:
        """Ask every process of the run to start nothing more; the first reason stands."""
        with self.changing() as connection:
            connection.execute("INSERT OR IGNORE INTO stop VALUES (1, ?)", (reason,))

    def go(self) -> None:
        """Take that back."""
        with self.changing() as connection:
            connection.execute("DELETE FROM stop")

    @property
    def stopped(self) -> str:
        """Why nothing more should be started; empty when all may go on."""
        with self._lock, _faults(self.path):
            row = self._connection.execute("SELECT reason FROM stop").fetchone()
        return str(row[0]) if row else ""

    def _beat(self) -> None:
        while not self._closed.wait(BEAT_SECONDS):
            with suppress(UserError), self.changing() as connection:
                connection.execute(
                    "UPDATE owners SET until = ? WHERE name = ?", (time.time() + LEASE_SECONDS, self.name)
                )


def _forget(connection: sqlite3.Connection, name: str) -> None:
    for table in ("leases", "reservations"):
        connection.execute(f"DELETE FROM {table} WHERE owner = ?", (name,))  # noqa: S608 - names of our own
    connection.execute("DELETE FROM owners WHERE name = ?", (name,))


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.OperationalError, sqlite3.DatabaseError, OSError) as error:
        raise UserError(f"{path} cannot be used: {error}; mend that, or move it away, and run again") from None


_OPEN: dict[Path, Control] = {}


def control_of(run_dir: Path) -> Control:
    """The opening of this process, kept until it ends or `close_control`."""
    if run_dir not in _OPEN:
        _OPEN[run_dir] = Control(run_dir)
    return _OPEN[run_dir]


def close_control(run_dir: Path) -> None:
    """Close the opening of this process, if there is one."""
    if control := _OPEN.pop(run_dir, None):
        control.close()


@atexit.register
def _close_all() -> None:
    for run_dir in list(_OPEN):
        close_control(run_dir)
