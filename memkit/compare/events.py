"""The events of a run: what was started, leased, lost, tried again and stopped, a line each, only ever appended."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

from attrs import frozen

EVENTS_FILE = "events.jsonl"
Kind: TypeAlias = Literal["start", "reuse", "lease", "error", "lost", "retry", "budget", "end"]


@frozen
class EventLog:
    """`events.jsonl` of a run directory. Any number of processes may write."""

    run_dir: Path

    def write(self, kind: Kind, **data: Any) -> None:
        """Append an event in one write, so that lines of several processes never mix. OSError when it fails."""
        line = {"time": datetime.now(UTC).isoformat(), "event": kind, "pid": os.getpid(), **data}
        text = json.dumps(line) + "\n"
        file = os.open(self.run_dir / EVENTS_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            os.write(file, text.encode())
        finally:
            os.close(file)
