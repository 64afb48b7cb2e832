"""The event ledger: build rows from a trajectory, load rows from disk, beside bare decoders of the same bytes.

    python benchmarks/perf/ledger.py              15,000 steps, 10,000 and 1,000,000 rows
    python benchmarks/perf/ledger.py --rows 10000

Prints seconds of processor time and the peak of memory, each in a process of its own; medians of three runs.
`benchmarks/perf/ledger_query.py` measures queries.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from memkit.ledger.extract import extract_rows
from memkit.ledger.log import LEDGER, load_rows, write_rows
from memkit.ledger.row import Row
from memkit.locators import Locator
from memkit.records import Step

RUNS = 3
STEPS = 15_000
SPAWN = multiprocessing.get_context("spawn")


def main() -> None:
    """Measure building and loading, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, action="append", help="rows to load; may be repeated")
    sizes = parser.parse_args().rows or [10_000, 1_000_000]
    table = Table("what", "size", "seconds", "peak MB")
    for steps in (STEPS, 2 * STEPS):
        table.add_row("build rows", f"{steps:,} steps", *measure(build_rows, steps))
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder)
        for size in sizes:
            _apart(store_rows, (memory, size))
            for what in (load_rows, bare_msgspec, bare_orjson):
                table.add_row(what.__name__.replace("_", " "), f"{size:,} rows", *measure(what, memory))
    Console(width=100).print(table)


def made_up(count: int) -> list[Step]:
    """Steps of an editor, a shell and a text world in turn."""
    return [Step(Locator("step", 0, index), index, *_text(index)) for index in range(count)]


def _text(index: int) -> tuple[str, str]:
    path = f"/work/pkg/module_{index % 97}.py"
    match index % 4:
        case 0:
            action = (
                f'str_replace_editor: {{"command": "view", "path": "{path}", "view_range": [{index}, {index + 40}]}}'
            )
            body = "\n".join(f"{line:6}\tvalue = {line}" for line in range(40))
            return action, f"Here's the result of running `cat -n` on {path}:\n{body}\n"
        case 1:
            output = "tests/test_module.py ....\n" * 20
            code = 1 if index % 3 else 0
            trailer = f"[The command completed with exit code {code}.]\n[Command finished with exit code {code}]"
            return f'execute_bash: {{"command": "cd /work && python -m pytest {path}"}}', f"{output}{trailer}"
        case 2:
            return (
                f"go to drawer {index % 13}",
                f"You arrive at drawer {index % 13}. The drawer {index % 13} is closed.",
            )
        case _:
            return f"take mug {index % 7} from drawer 3", f"You pick up the mug {index % 7} from the drawer 3."


def build_rows(steps: int) -> int:
    """Rows of so many made-up steps."""
    return sum(1 for _ in extract_rows(made_up(steps)))


def store_rows(where: tuple[Path, int]) -> None:
    """Write so many made-up rows into a memory directory."""
    memory, size = where
    write_rows(memory, extract_rows(made_up(size)))


def bare_msgspec(memory: Path) -> int:
    """The same bytes decoded into the same structs with nothing else."""
    import gc

    import msgspec

    gc.disable()
    data = (memory / LEDGER).read_bytes()
    return len(msgspec.json.Decoder(Row).decode_lines(data[data.index(b"\n") + 1 :]))


def bare_orjson(memory: Path) -> int:
    """The same bytes decoded into dictionaries and from there into slotted objects."""
    import gc

    import orjson

    class Slotted:
        __slots__ = Row.__struct_fields__

        def __init__(self, values: dict[str, object]) -> None:
            for name, value in values.items():
                setattr(self, name, value)

    gc.disable()
    with (memory / LEDGER).open("rb") as lines:
        next(lines)
        return len([Slotted(orjson.loads(line)) for line in lines])


def measure(work: Callable[..., object], argument: object) -> tuple[str, str]:
    """Median processor seconds, and the peak of resident memory in megabytes, of runs in fresh processes."""
    runs = [_apart(work, argument) for _ in range(RUNS)]
    return f"{statistics.median(run[0] for run in runs):.3f}", f"{max(run[1] for run in runs):,.0f}"


def _apart(work: Callable[..., object], argument: object) -> tuple[float, float]:
    queue: Any = SPAWN.Queue()
    process = SPAWN.Process(target=_run, args=(queue, work, argument))
    process.start()
    measured: tuple[float, float] = queue.get()
    process.join()
    return measured


def _run(queue: Any, work: Callable[..., object], argument: object) -> None:
    start = time.process_time()
    result = work(argument)
    seconds = time.process_time() - start
    # Not getrusage: its peak is inherited from the process that started this one.
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    queue.put((seconds, int(peak.split()[1]) / 1024))
    del result


if __name__ == "__main__":
    main()
