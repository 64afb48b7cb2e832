"""The SQLite file behind the calls store: making it, opening it, and its faults in words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from memkit.errors import UserError

APPLICATION = 0x6D656D6B
"""Marks the file as ours (SQLite's application_id): `memk`."""
SCHEMA = 1
"""Of the tables; a file of another schema is refused."""
BUSY_SECONDS = 60.0
"""How long a statement waits for another process's transaction, which takes milliseconds."""
_TABLES = f"""
PRAGMA journal_mode = WAL;
CREATE TABLE calls (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, completion TEXT NOT NULL, seconds REAL NOT NULL, made TEXT NOT NULL
);
CREATE TABLE parts (digest TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE claims (
    key TEXT PRIMARY KEY, owner TEXT NOT NULL, pid INTEGER NOT NULL, start TEXT NOT NULL, since REAL NOT NULL
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {SCHEMA};
"""


def open_database(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode, for use by one thread at a time; the file is made when there is none.

    Raises UserError when the file cannot be made, is no calls store, or one of another schema.
    """
    with faults(path):
        if not path.exists():
            _make(path)
        connection = _connect(path)
        try:
            _check(connection, path)
            # A call is safe from the death of the process; a power cut may take the last ones, never the file.
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turns errors of SQLite and the file system into UserError."""
    try:
        yield
    except sqlite3.ProgrammingError:  # used after close: a bug of the caller
        raise
    except sqlite3.Error as error:
        raise UserError(_in_words(error, path)) from None
    except OSError as error:
        raise UserError(f"{path} cannot be used: {error.strerror}; mend that and run again") from None


def damaged(path: Path, what: str) -> str:
    """The sentence for a file whose content is broken."""
    return (
        f"{path} is damaged ({what}); move it away, with the files {path.name}-wal and {path.name}-shm beside it,"
        " and run again: the calls recorded in it are then made, and paid for, anew"
    )


def _make(path: Path) -> None:
    """Make the file whole under another name and give it its own; no one sees it half made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    staging = path.with_name(f".{path.name}-{uuid4().hex}")
    os.close(os.open(staging, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))  # it will hold private conversations
    try:
        with closing(_connect(staging)) as connection:
            connection.executescript(_TABLES)
        with suppress(FileExistsError):  # another process was quicker
            os.link(staging, path)
    finally:
        staging.unlink()


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if _number(connection, "application_id") != APPLICATION:
        raise UserError(f"{path} is not a store of recorded calls; name another file")
    schema = _number(connection, "user_version")
    if schema != SCHEMA:
        raise UserError(
            f"{path} was written by another version of memkit (schema {schema}; this one knows {SCHEMA});"
            " use that version, or another file"
        )


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _in_words(error: sqlite3.Error, path: Path) -> str:
    kind = getattr(error, "sqlite_errorname", "").removeprefix("SQLITE_")
    if kind.startswith("BUSY"):
        return f"{path} is locked: another process has written to it for over {BUSY_SECONDS:g} s; end it and run again"
    if kind in ("FULL", "READONLY", "CANTOPEN", "PERM", "AUTH") or kind.startswith(("IOERR", "READONLY", "CANTOPEN")):
        return f"{path} cannot be used: {error}; mend that and run again"
    return damaged(path, str(error))
