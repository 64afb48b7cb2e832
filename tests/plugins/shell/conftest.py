"""The sandbox as root and as another user: each has a process that runs commands through the harness."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from memkit import Memory
from memkit_plugins.shell.sandbox import probe

OTHER = 31_337
"""A user of no account and no privilege."""
DRIVER = Path(__file__).with_name("driver.py")


@frozen
class Result:
    """What a command gave: `status` is the line of ours, `output` what the command wrote."""

    text: str
    error: bool
    files: dict[str, str]
    host: str

    @property
    def status(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0]

    @property
    def output(self) -> str:
        """All after the first line."""
        return self.text.partition("\n")[2]


Run = Callable[..., Result]


@pytest.fixture(scope="session")
def sandboxed() -> None:
    """Skips a test where there is no sandbox."""
    level = probe()
    if not level.available:
        pytest.skip(f"no sandbox: {level.why}; {level.mend}")


@pytest.fixture(scope="session", params=["root", "user"])
def driver(request: pytest.FixtureRequest, sandboxed: None) -> Iterator[subprocess.Popen[str]]:
    """A process that runs commands, as root and as a user without privileges."""
    command = [sys.executable, str(DRIVER)]
    if request.param == "root" and os.geteuid() != 0:
        pytest.skip("the tests do not run as root")
    if request.param == "user" and os.geteuid() == 0:
        command.append(str(OTHER))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/") as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def run(driver: subprocess.Popen[str]) -> Run:
    """A function that runs a command over a store of `files`."""

    def run(command: str, files: dict[str, str] | None = None, role: str = "manage", **caps: Any) -> Result:
        assert driver.stdin is not None
        assert driver.stdout is not None
        job = {"files": files or {}, "role": role, "command": command, "caps": caps}
        driver.stdin.write(json.dumps(job) + "\n")
        driver.stdin.flush()
        return Result(**json.loads(driver.stdout.readline()))

    return run


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory with folders."""
    return Memory.create(tmp_path / "memory", builder="none", plugin="none 0", layout="tree")
