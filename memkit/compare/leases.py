"""Leases: a unit is done by one process at a time, and by another when that one is killed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from memkit.compare.control import Control


@frozen
class Leases:
    """Those that one process takes, out of the `control` of its run."""

    control: Control

    @contextmanager
    def hold(self, keys: Sequence[str]) -> Iterator[Collection[str]]:
        """Of `keys`, those that no other living process holds: theirs is the block's to do."""
        mine = self._take(keys)
        try:
            yield mine
        finally:
            self._give_back(mine)

    def _take(self, keys: Sequence[str]) -> frozenset[str]:
        with self.control.changing() as connection:
            self.control.sweep(connection)
            rows = [(key, self.control.name) for key in keys]
            connection.executemany("INSERT OR IGNORE INTO leases VALUES (?, ?)", rows)
            held = connection.execute("SELECT key FROM leases WHERE owner = ?", (self.control.name,)).fetchall()
        return frozenset(keys) & {key for (key,) in held}

    def _give_back(self, keys: Collection[str]) -> None:
        with self.control.changing() as connection:
            rows = [(key, self.control.name) for key in keys]
            connection.executemany("DELETE FROM leases WHERE key = ? AND owner = ?", rows)
