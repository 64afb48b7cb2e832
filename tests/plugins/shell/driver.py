"""Runs commands through the harness `shell` for the tests, as who started it or as the user whose number is given.

Each line of standard input is a job in JSON: `files` of the store by path, `role`, `command`, and `caps` that differ
from the default. Each line of output is its result: `text`, `error`, the `files` after it, and `host`, the text of a
file outside the store whose path stands for `{host}` in the command.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from memkit import Memory, StoreError, ToolError
from memkit_plugins.shell.caps import Caps
from memkit_plugins.shell.harness import Shell
from memkit_plugins.shell.sandbox import choose_box, probe

PR_SET_DUMPABLE = 4


def work(job: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Do one job in a memory of its own."""
    memory = Memory.create(folder / "memory", builder="none", plugin="none 0", layout="tree")
    for path, text in job["files"].items():
        memory.store.write(path, text)
    host = folder / "host.txt"
    host.write_text("of the host")
    host.chmod(0o644)
    command = job["command"].replace("{host}", str(host)).replace("{pid}", str(os.getpid()))
    harness = Shell(choose_box(), Caps(**job.get("caps", {})))
    (tool,) = harness.tools(job["role"], memory)
    try:
        text, error = asyncio.run(tool({"command": command})), False  # type: ignore[arg-type]
    except (ToolError, StoreError) as refusal:
        text, error = str(refusal), True
    files = {path: memory.store.read(path) for path in memory.store.paths()}
    return {"text": text, "error": error, "files": files, "host": host.read_text()}


def answer(line: str) -> str:
    """Do the job of a line and give the line of its result."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        return json.dumps(work(json.loads(line), Path(folder))) + "\n"


def become(user: int) -> None:
    """Be another user for good, with all imported that is needed: that user may not be able to read this Python."""
    answer(json.dumps({"files": {"/memories/a.md": ""}, "role": "manage", "command": "echo > b.md"}))
    probe.cache_clear()
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    # As if that user had started it: else its own /proc is not its own.
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def main() -> None:
    """Answer until there is nothing more to do."""
    for user in sys.argv[1:]:
        become(int(user))
    for line in sys.stdin:
        sys.stdout.write(answer(line))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
