"""Who is making a call, and whether they live."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import frozen

ENDED = frozenset("ZX")
"""States of a process that will do nothing more."""


@frozen
class Owner:
    """One opening of a store: `name` is unlike any other; the process is `pid`, started at `start`."""

    name: str
    pid: int
    start: str

    @property
    def alive(self) -> bool:
        """Whether the process lives. A later process with the same pid has another start."""
        return started(self.pid) == self.start


def started(pid: int) -> str | None:
    """When a process started, by the kernel's clock (empty where the system does not say); None when it has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:  # someone else's, so it lives
        pass
    try:
        # proc(5): the state follows the name, which may hold anything, in brackets; the start is field 22.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return None if fields[0] in ENDED else fields[19]
