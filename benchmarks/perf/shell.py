"""A command of the harness `shell`, beside bare bash, over a store of 600 KB in 140 files.

Run `python benchmarks/perf/shell.py`, as root and as another user. Each number is in milliseconds: the median and the
95th percentile of the runs. Goal: a command costs under 150 ms, whatever its role.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from memkit import Memory, Tool
from memkit_plugins.shell import shell

FILES = 140
LINES = 60
WORDS_A_LINE = 12
RUNS = 40
COMMANDS = {"nothing": "true", "grep": "grep -rniE 'w123x|w456x' /memories | head -n 20"}
CHANGES = {
    "one file": "date +%N > /memories/f00/new.md",
    "sed -i, 20 files": "sed -i s/w12/w12$RANDOM/ /memories/f0[0-3]/*.md",
}


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        memory = Memory.create(Path(folder) / "memory", builder="none", plugin="none 0", layout="tree")
        root = memory.path / "memories"
        _fill(root)
        harness = shell()
        (search,), (manage,) = harness.tools("search", memory), harness.tools("manage", memory)
        print(f"{'':34}{'median':>8}{'95 %':>8}")
        for name, command in COMMANDS.items():
            bare = command.replace("/memories", str(root))
            print(
                _row(
                    f"bash alone, {name}",
                    lambda bare=bare: subprocess.run(["bash", "-c", bare], capture_output=True, check=True),
                )
            )
            print(_row(f"search, {name}", _call(search, command)))
            print(_row(f"manage, {name}", _call(manage, command)))
        for name, command in CHANGES.items():
            print(_row(f"manage and store, {name}", _call(manage, command)))


def _call(tool: Tool, command: str) -> Callable[[], object]:
    return lambda: asyncio.run(_awaited(tool, command))


async def _awaited(tool: Tool, command: str) -> str:
    text = await tool({"command": command})
    assert text.startswith("[exit code 0"), text
    return text


def _row(name: str, run: Callable[[], object]) -> str:
    times = []
    for _ in range(RUNS):
        started = perf_counter()
        run()
        times.append((perf_counter() - started) * 1000)
    return f"{name:34}{median(times):8.1f}{quantiles(times, n=20)[-1]:8.1f}"


def _fill(root: Path) -> None:
    chance = random.Random(7)
    words = [f"w{number}x" for number in range(3_000)]
    for number in range(FILES):
        path = root / f"f{number % 20:02}" / f"{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join(" ".join(chance.choices(words, k=WORDS_A_LINE)) for _ in range(LINES))
        path.write_text(f"# {number}\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
