"""What the store's promises cost: a durable edit against the bare system calls, and a warm scan.

Run it on a disk, not on tmpfs, where fsync is free: `python benchmarks/perf/store.py --dir .`
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memkit.store.files import Store

PARAGRAPH = "The quick brown fox remembers where it left the keys. "


def main() -> None:
    """Print each figure as the median of the runs, with the lowest and highest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dir", type=Path, default=Path.cwd(), help="where to make the temporary store")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--edits", type=int, default=100, help="edits in a run")
    parser.add_argument("--files", type=int, default=140)
    parser.add_argument("--kib", type=int, default=4, help="size of a file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.dir) as directory:
        measure(Path(directory), options)


def measure(directory: Path, options: argparse.Namespace) -> None:
    """Time both on the same directory, in turns, so that the disk treats them alike."""
    store = Store.make(directory / "memories")
    text = "count: 0\n" + PARAGRAPH * (options.kib * 1024 // len(PARAGRAPH))
    for number in range(options.files):
        store.write(f"/memories/topic{number % 12}/file{number}.md", text)
    bare, edit, scan, load = [], [], [], []
    path = "/memories/topic0/file0.md"
    for _ in range(options.runs):
        bare.append(per_call(lambda n: write_bare(directory / "memories/topic1", text.encode(), n), options.edits))
        store.write(path, text)
        edit.append(per_call(lambda n: store.str_replace(path, f"count: {n}\n", f"count: {n + 1}\n"), options.edits))
        scan.append(per_call(lambda _: store.scan(), options.edits))
        load.append(per_call(lambda _: [store.load(*item) for item in store.scan().items()], options.edits))
    show("bare temp + fsync + rename + directory fsync", bare)
    show("acknowledged edit", edit)
    ratios = [e / b for e, b in zip(edit, bare, strict=True)]
    print(f"{'edit / bare':48} {statistics.median(ratios):8.2f}    ({min(ratios):.2f} to {max(ratios):.2f})")
    show(f"scan of {options.files} files", scan)
    show("scan and load of every file, warm", load)


def write_bare(directory: Path, data: bytes, number: int) -> None:
    """The least that a durable, atomic replacement takes."""
    temporary = directory / f".tmp-{number}"
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(fd, data)
    os.fsync(fd)
    os.close(fd)
    temporary.rename(directory / "bare.md")
    fd = os.open(directory, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def per_call(call: Callable[[int], object], times: int) -> float:
    """Milliseconds a call."""
    start = time.perf_counter()
    for number in range(times):
        call(number)
    return (time.perf_counter() - start) * 1000 / times


def show(name: str, runs: list[float]) -> None:
    """One line of the report."""
    print(f"{name:48} {statistics.median(runs):8.3f} ms ({min(runs):.3f} to {max(runs):.3f}, {len(runs)} runs)")


if __name__ == "__main__":
    main()
