"""`memkit show`: the figures, the answers or the flips of a run."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import click
from attrs import asdict

from memkit.cli.console import say, say_json, say_table
from memkit.cli.figures import number, title_of
from memkit.cli.gate import say_verdicts
from memkit.cli.standing import say_analysis
from memkit.errors import UserError
from memkit.runs.analysis import analyse
from memkit.runs.answers import BRIEF, check_arms, choose_items
from memkit.runs.columns import SCORE
from memkit.runs.contrasts import flips
from memkit.runs.open import Run, open_run
from memkit.runs.sheet import read_sheet

ROWS_SHOWN = 50
ANSWER_CHARACTERS = 80


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--items", is_flag=True, help="Show the answers instead of the figures.")
@click.option("--failed", is_flag=True, help="Show what is missing or did not end in order; wrong answers did.")
@click.option("--flips", "flips_", is_flag=True, help="Show the questions that one arm has right and the other wrong.")
@click.option("--arm", "arms", multiple=True, help="Show this arm only; may be given more than once.")
@click.option(
    "--limit", default=ROWS_SHOWN, show_default=True, type=click.IntRange(min=0), help="Rows to show; 0: every one."
)
@click.option("--json", "json_", is_flag=True, help="Print as JSON; every row, whatever the limit.")
def command(run: Path, items: bool, failed: bool, flips_: bool, arms: tuple[str, ...], limit: int, json_: bool) -> int:
    """Show the results in the run directory RUN, or in one of the folders below its results/."""
    if items + failed + flips_ > 1:
        raise UserError("--items, --failed and --flips exclude each other; give one of them")
    opened = open_run(run)
    check_arms(opened, arms)
    if items or failed:
        _show_items(opened, arms, limit, failed=failed, json_=json_)
    elif flips_:
        _show_flips(opened, arms, limit, json_=json_)
    else:
        found = analyse(opened)
        if json_:
            say_json({"schema": 1, "run": str(run), **asdict(found)})
        else:
            say_analysis(found, arms)
            say_verdicts(found)
    return 0


def _show_items(run: Run, arms: Collection[str], limit: int, *, failed: bool, json_: bool) -> None:
    frame = choose_items(run, arms, failed=failed)
    if json_:
        _say_rows(run, "items", frame.iter_rows(named=True))
        return
    score = SCORE + run.summary["primary"]
    names = [*BRIEF[:-1], *([score] if score in frame.columns else []), BRIEF[-1]]
    if frame.is_empty():
        say("every answer ended in order" if failed else "there are no answers")
        return
    shown = frame.select(names).head(limit or len(frame))
    what = "answers that did not end in order" if failed else "answers"
    cells = [[_cell(value) for value in row] for row in shown.iter_rows()]
    say_table(f"{run.name}: {what}", list(map(title_of, names)), cells, left=4)
    _say_rest(len(frame) - len(shown))


def _show_flips(run: Run, arms: Collection[str], limit: int, *, json_: bool) -> None:
    sheet = read_sheet(run)
    baseline = sheet.design.baseline
    pairs = [(arm, against) for arm, against in sheet.design.pairs if not arms or arm in arms]
    pairs += [(arm, baseline) for arm in arms if arm != baseline and arm not in dict(pairs)]
    rows = [
        {"arm": arm, "against": against, **asdict(flip)}
        for arm, against in pairs
        for flip in flips(sheet.arms[arm], sheet.arms[against], sheet.design.primary)
    ]
    if json_:
        _say_rows(run, "flips", iter(rows))
        return
    if not rows:
        say(f"no flips on {title_of(sheet.design.primary)}")
        return
    shown = rows[: limit or len(rows)]
    cells = [[_cell(value) for value in row.values()] for row in shown]
    columns = ["arm", "against", "stream", "question", "category", "score", "other score"]
    say_table(f"{run.name}: flips on {title_of(sheet.design.primary)}", columns, cells, left=5)
    _say_rest(len(rows) - len(shown))


def _say_rows(run: Run, name: str, rows: Iterator[dict[str, Any]]) -> None:
    """Print JSON a row a line, as it comes: all rows at once would fill the memory."""
    head = json.dumps({"schema": 1, "run": str(run.directory), name: []}).removesuffix("]}")
    click.echo(head, nl=False)
    for place, row in enumerate(rows):
        click.echo(("," if place else "") + "\n" + json.dumps(row), nl=False)
    click.echo("\n]}")


def _say_rest(rest: int) -> None:
    if rest:
        say(f"{rest:,} more; --limit 0 shows every one, --json prints them all")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return number(value, 3)
    text = "-" if value is None else str(value)
    return text if len(text) <= ANSWER_CHARACTERS else text[: ANSWER_CHARACTERS - 1] + "…"
