from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from memkit.compare.events import EVENTS_FILE, EventLog


def test_lines_of_many_writers_never_mix(tmp_path: Path) -> None:
    """Each event is a whole line of its own, with its time and process."""
    logs = [EventLog(tmp_path) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: logs[n % 8].write("error", unit="u" * n, error="\u2028\n\x1b"), range(400)))

    lines = (tmp_path / EVENTS_FILE).read_text(encoding="ascii").splitlines()
    events = [json.loads(line) for line in lines]
    assert list(range(400)) == sorted(len(event["unit"]) for event in events)
    assert {("time", "event", "pid", "unit", "error")} == {tuple(event) for event in events}
