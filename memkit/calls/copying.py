"""Taking recorded calls over from another store, for work that is taken over with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from memkit.calls.database import faults, open_database

TOGETHER = 500
"""Keys in one query; SQLite takes up to 32,766."""


def copy_calls(source: Path, target: Path, keys: Iterable[str]) -> int:
    """Copy the calls of those keys, with the parts they share, from one file to another; how many there were.

    UserError for whatever is wrong with either file.
    """
    copied = 0
    with closing(open_database(source)) as old, closing(open_database(target)) as new, faults(target):
        new.execute("BEGIN IMMEDIATE")
        for some in _groups(dict.fromkeys(keys)):
            calls = old.execute(f"SELECT * FROM calls WHERE key IN ({_marks(some)})", some).fetchall()  # noqa: S608
            heads = [json.loads(call[1]) for call in calls]
            digests = {digest for head in heads for digest in (*head["messages"], head["tools"])}
            for few in _groups(digests):
                parts = old.execute(f"SELECT * FROM parts WHERE digest IN ({_marks(few)})", few).fetchall()  # noqa: S608
                new.executemany("INSERT OR IGNORE INTO parts VALUES (?, ?)", parts)
            new.executemany("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?)", calls)
            copied += len(calls)
        new.execute("COMMIT")
    return copied


def _groups(values: Iterable[str]) -> Iterator[tuple[str, ...]]:
    rest = iter(values)
    while group := tuple(islice(rest, TOGETHER)):
        yield group


def _marks(values: tuple[str, ...]) -> str:
    return ", ".join("?" * len(values))
