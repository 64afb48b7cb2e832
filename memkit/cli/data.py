"""`memkit data`: the datasets there are, and whether a data file is right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from memkit.cli.console import count, say, say_json, say_table
from memkit.cli.exits import DONE, PROBLEMS
from memkit.compare.spec import Data
from memkit.plugins import build_registry
from memkit.registry import Registry


@click.group()
def command() -> None:
    """List datasets, and check a data file."""


@command.command("ls")
@click.argument("data", required=False, metavar="[NAME[:PATH]]")
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def list_data(data: str | None, json_: bool) -> int:
    """List the datasets, or the streams of one."""
    registry = build_registry()
    rows = _streams(registry, Data.from_text(data)) if data else _datasets(registry)
    if json_:
        say_json({"schema": 1, "rows": rows})
    elif rows:
        say_table("Streams" if data else "Datasets", list(rows[0]), [[str(v) for v in row.values()] for row in rows])
    return 0


def _datasets(registry: Registry) -> list[dict[str, Any]]:
    parts = (registry.part("dataset", name) for name in registry.names("dataset"))
    return [{"name": part.name, "from": part.source.distribution, "about": part.note} for part in parts]


def _streams(registry: Registry, data: Data) -> list[dict[str, Any]]:
    dataset = registry.make("dataset", data.use, data.options)
    cases = dataset.load(Path(data.path) if data.path else None)
    return [
        {
            "stream": case.stream.id,
            "kind": type(case.stream).__name__.lower(),
            "units": len(case.stream.units),
            "questions": len(case.questions),
            "notes": len(case.notes),
        }
        for case in cases
    ]


@command.command("check")
@click.argument("data", metavar="FILE | NAME:PATH")
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def check_data(data: str, json_: bool) -> int:
    """Check a FILE in memkit's own format, or the data of another dataset; says every problem it finds."""
    registry = build_registry()
    name, colon, _ = data.partition(":")
    wanted = Data.from_text(data) if colon and name in registry.names("dataset") else Data("jsonl", data)
    problems = list(_problems(registry, wanted))
    if json_:
        say_json({"schema": 1, "problems": problems})
    else:
        for problem in problems:
            say(problem)
        say(f"{count(len(problems), 'problem')}" if problems else "no problems")
    return PROBLEMS if problems else DONE


def _problems(registry: Registry, data: Data) -> Iterator[str]:
    dataset = registry.make("dataset", data.use, data.options)
    path = Path(data.path) if data.path else None
    if check := getattr(dataset, "check", None):
        yield from check(path)
    else:
        for case in dataset.load(path):
            yield from case.notes
