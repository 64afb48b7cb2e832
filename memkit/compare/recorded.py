"""The answers that a run has on record, with the memories they came from: read without its data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from memkit.compare.units import Record, UnitLog, memory_dir
from memkit.converter import make_converter
from memkit.errors import UserError
from memkit.memory import MANIFEST_NAME, Memory
from memkit.records import Answer

UNITS = "units"
_converter = make_converter()


def answer_of(record: Record) -> Answer:
    """The answer of a unit, without its messages."""
    return _converter.structure(record["answer"], Answer)


def recorded_answers(run: Path) -> Iterator[tuple[Memory, list[tuple[str, Answer]]]]:
    """Each memory of a run with the answers from it, as (question id, answer); those of null rows have none.

    Raises UserError when the directory is no run.
    """
    if not (run / UNITS).is_dir():
        raise UserError(f"{run} is no run: it has no {UNITS} folder; give a directory that memkit compare made")
    found: dict[str, list[tuple[str, Answer]]] = defaultdict(list)
    for record in UnitLog(run / UNITS).load().answer.values():
        if record["memory"]:
            found[record["memory"]].append((record["question"], answer_of(record)))
    for key, answers in found.items():
        directory = memory_dir(run, key)
        if (directory / MANIFEST_NAME).exists():
            yield Memory.open(directory), answers
