"""`memkit doctor` through the console script."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Memkit = Callable[..., Any]


def test_what_is_missing(memkit: Memkit, tmp_path: Path) -> None:
    """Without bubblewrap the exit code is 1, and how to get it is said."""
    done = memkit("doctor", env={"PATH": str(tmp_path)})

    assert 1 == done.returncode
    assert "missing: sandbox of the harness `shell`: no sandbox: the program bwrap is missing" in done.stdout
    assert "apt-get install bubblewrap" in done.stdout


def test_json(memkit: Memkit, tmp_path: Path) -> None:
    """The same as data."""
    data = json.loads(memkit("doctor", "--json", env={"PATH": str(tmp_path)}).stdout)

    assert [("sandbox of the harness `shell`", False)] == [(check["name"], check["ok"]) for check in data["checks"]]
