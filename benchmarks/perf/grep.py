"""grep against a ripgrep process, where `rg` is on PATH, and against Python's `re` over whole files.

Run `python benchmarks/perf/grep.py`. Each number is the median of many runs over one store that is warm (its
files were read before) in milliseconds, memkit with its walk over the directories and (frozen) without; a ratio below 1
says that memkit took less time. Goal: at most 1.2 of ripgrep, and under 3 ms at 140 files for patterns that are
rare, which is what searches for distinctive words are.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from memkit.store.files import ROOT, Store
from memkit.tools.grep import grep_store

PATTERNS = {
    "a rare word": "w123x",
    "alternatives": "w123x|w456x|w789x",
    "a word, any case": "(?i)W123X",
    "anchored": r"^w12\dx",
    "letters of any script": r"\bé\w+",
    "nested repeats": "(a+)+$",
    "a common word": "w1",
    "a common expression": r"w1\d",
    "every line": "",
}
BACKTRACKING = {"nested repeats"}
"""Python's `re` would not come to an end on these."""

SIZES = {"140 files, 0.6 MB": (140, 60), "2,000 files, 20 MB": (2_000, 130)}
WORDS_A_LINE = 12
SECONDS = 1.0


def main() -> None:
    """Print one table a size."""
    ripgrep = shutil.which("rg")
    print(_version(ripgrep) if ripgrep else "rg is not on PATH: no ratio to it")
    for title, (files, lines) in SIZES.items():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "memories"
            _fill(root, files, lines)
            print(f"\n{title}\n{'pattern':24}{'memkit':>9}{'frozen':>9}{'re':>9}{'rg':>9}{'to re':>9}{'to rg':>9}")
            for name, pattern in PATTERNS.items():
                print(_row(name, pattern, root, ripgrep))


def _row(name: str, pattern: str, root: Path, ripgrep: str | None) -> str:
    store = Store(root)
    frozen = store.frozen()
    ours = _time(lambda: grep_store(store, pattern, ROOT, max_results=50))
    unwalked = _time(lambda: grep_store(frozen, pattern, ROOT, max_results=50))
    python = _time(lambda: _search_by_re(pattern, root)) if name not in BACKTRACKING else float("nan")
    command = [ripgrep or "", "--no-config", "--sort=path", "--line-number", "-e", pattern, str(root)]
    theirs = _time(lambda: subprocess.run(command, check=False, capture_output=True)) if ripgrep else None
    cells = f"{name:24}{ours:9.2f}{unwalked:9.2f}{python:9.2f}"
    return cells + (
        f"{theirs:9.2f}{ours / python:9.2f}{ours / theirs:9.2f}" if theirs else f"{'':9}{ours / python:9.2f}"
    )


def _search_by_re(pattern: str, root: Path) -> int:
    regexp = re.compile(pattern, re.MULTILINE)
    return sum(len(regexp.findall(path.read_text(encoding="utf-8"))) for path in sorted(root.rglob("*.md")))


def _time(run: Callable[[], object]) -> float:
    """The median of the runs that fit into SECONDS, at least three, in milliseconds."""
    run()
    times: list[float] = []
    while sum(times) < SECONDS or len(times) < 3:
        started = perf_counter()
        run()
        times.append(perf_counter() - started)
    return median(times) * 1000


def _fill(root: Path, files: int, lines: int) -> None:
    chance = random.Random(7)
    words = [f"w{number}x" for number in range(3_000)] + ["éa", "ünd", "aaaaaaaaaaaaaaaaaaaaaaaa!"]
    for number in range(files):
        path = root / f"f{number % 20:02}" / f"{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join(" ".join(chance.choices(words, k=WORDS_A_LINE)) for _ in range(lines))
        path.write_text(f"# {number}\n{text}\n", encoding="utf-8")


def _version(ripgrep: str) -> str:
    done = subprocess.run([ripgrep, "--version"], check=True, capture_output=True, text=True)
    return done.stdout.partition("\n")[0]


if __name__ == "__main__":
    main()
