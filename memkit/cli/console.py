"""What the commands print: text that cannot drive a terminal, JSON, tables, and progress."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udfff]")
"""Control characters but tab and line feed, bidirectional controls, lone surrogates."""

UNLIMITED = 1000
"""Columns of a table where there is no terminal."""


def clean(text: str) -> str:
    """`text` with every character that could drive the terminal replaced by U+FFFD."""
    return UNSAFE.sub("\ufffd", text)


def say(text: str) -> None:
    """Print untrusted text."""
    click.echo(clean(text))


def say_json(data: Any) -> None:
    """Print JSON in ASCII, exact and safe on any terminal."""
    click.echo(json.dumps(data, indent=2))


def count(number: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def say_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> None:
    """Print a table of untrusted text; the first `left` columns are text, the others numbers, which are never cut."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(_one_line(title)), title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        text = number < left
        # A number's header stands on as many lines as it has words, which keeps the column narrow.
        header = Text(_one_line(column) if text else _one_line(column).replace(" ", "\n"))
        table.add_column(header, justify="left" if text else "right", overflow="fold", no_wrap=not text, vertical="top")
    for row in rows:
        table.add_row(*(Text(_one_line(value)) for value in row))
    console = Console()
    if console.is_terminal:
        console.print(table)
        return
    # Without a terminal there is no width to fit: let a row be as long as it is.
    wide = Console(width=None if "COLUMNS" in os.environ else UNLIMITED, color_system=None)
    with wide.capture() as captured:
        wide.print(table)
    for line in captured.get().splitlines():
        click.echo(line.rstrip())


def _one_line(text: str) -> str:
    return clean(text).replace("\n", " ")


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """A function of (stage, done, total) that draws bars on standard error; silent where that is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None  # noqa: ARG005 - nothing is drawn
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text, count = TextColumn("{task.description}"), MofNCompleteColumn()
    columns = (text, BarColumn(), count, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done)

        yield show
