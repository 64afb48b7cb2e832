"""`memkit verify`: whether a memory, or the answers of a run, still rest on what they say they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from memkit.cli.console import count, say, say_json
from memkit.cli.exits import DONE, PROBLEMS
from memkit.compare.recorded import UNITS, recorded_answers
from memkit.errors import UserError
from memkit.memory import MANIFEST_NAME, Memory
from memkit.verify import Verification


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--all", "all_", is_flag=True, help="List every fault; else the first ends it.")
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def command(directory: Path, all_: bool, json_: bool) -> int:
    """Open again what the memory or run in DIRECTORY rests on.

    Of a memory: each locator and citation in its files, and each row of its event ledger. Of a run: what each answer
    was served and cites, and what was computed for it, which is computed again.
    """
    checked: Counter[str] = Counter()
    faults: list[str] = []
    for fault in _faults(directory, checked):
        faults.append(fault)
        if not all_:
            break
    if json_:
        say_json({"schema": 1, "checked": dict(checked), "faults": faults})
    else:
        for fault in faults:
            say(fault)
        opened = ", ".join(count(number, kind) for kind, number in sorted(checked.items())) or "nothing to open"
        say(f"{directory}: {opened}; {count(len(faults), 'fault')}{'' if all_ or not faults else ' (the first)'}")
    return PROBLEMS if faults else DONE


def _faults(directory: Path, checked: Counter[str]) -> Iterator[str]:
    if (directory / MANIFEST_NAME).exists():
        verification = Verification(Memory.open(directory))
        verification.checked = checked
        yield from verification.faults()
        return
    if not (directory / UNITS).is_dir():
        raise UserError(f"{directory} is neither a memory nor a run; give the directory of one")
    for memory, answers in recorded_answers(directory):
        verification = Verification(memory)
        verification.checked = checked
        for question, answer in answers:
            yield from (f"answer to {question}: {fault}" for fault in verification.answer_faults(answer))
