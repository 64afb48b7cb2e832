"""`memkit ledger`: what a memory's event ledger holds, and plans over it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from memkit.cli.console import count, say, say_json, say_table
from memkit.cli.exits import DONE
from memkit.errors import UserError
from memkit.ledger.catalogue import Catalogue
from memkit.ledger.log import LEDGER, load_rows, read_header
from memkit.ledger.row import Row
from memkit.memory import Memory


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Show the event ledger of a memory, and query it."""


@command.command()
@click.argument("memory", type=click.Path(path_type=Path))
@click.option("--rows", "rows_", is_flag=True, help="Every row, and not what they have in common.")
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def show(memory: Path, rows_: bool, json_: bool) -> int:
    """Show what the ledger of the memory in directory MEMORY holds: tools, targets, outcomes, numbers."""
    import msgspec

    opened, rows = _open(memory)
    header, catalogue = read_header(opened.path), Catalogue.of(rows)
    if json_:
        about = {"schema": 1, "mode": header.mode, "annotator": header.annotator}
        listed = (
            {"rows": msgspec.to_builtins(rows)} if rows_ else {"catalogue": msgspec.json.decode(catalogue.to_json())}
        )
        say_json({**about, **listed})
    elif rows_:
        say_table(
            f"{opened.path}: {count(len(rows), 'row')}",
            ["place", "tool", "act", "outcome", "targets", "changes"],
            [_cells(row) for row in rows],
            left=6,
        )
    else:
        _say_catalogue(opened, header.mode, catalogue)
    return DONE


@command.command()
@click.argument("memory", type=click.Path(path_type=Path))
@click.argument("plan")
@click.option("--json", "json_", is_flag=True, help="Print the findings, with the place of each row, as JSON.")
def query(memory: Path, plan: str, json_: bool) -> int:
    """Compute PLAN over the ledger of the memory in directory MEMORY.

    PLAN is a text such as 'count where tool: "open" in [, 74]', several sub-queries on lines of their own or separated
    by semicolons; or its JSON form; or `-` to read it from standard input.
    """
    from memkit.converter import make_converter
    from memkit.query.engine import Engine
    from memkit.query.finding import finding
    from memkit.query.parse import parse_plan
    from memkit.query.reading import plan_from_json
    from memkit.query.render import render_results

    text = sys.stdin.read() if plan == "-" else plan
    parsed = plan_from_json(text) if text.lstrip().startswith("{") else parse_plan(text)
    _, rows = _open(memory)
    results = Engine(rows).run(parsed)
    if json_:
        findings = make_converter().unstructure(tuple(finding(result, rows) for result in results))
        say_json({"schema": 1, "applicable": parsed.applicable, "reason": parsed.reason, "findings": findings})
    else:
        say(render_results(results, rows) if parsed.applicable else f"not applicable: {parsed.reason}".rstrip(": "))
    return DONE


def _open(path: Path) -> tuple[Memory, list[Row]]:
    memory = Memory.open(path)
    if not (memory.path / LEDGER).exists():
        raise UserError(f"{path} has no event ledger; build it with `memkit build --builder ledger`")
    return memory, load_rows(memory.path)


def _cells(row: Row) -> list[str]:
    changes = "; ".join(f"{change.name} -> {change.value}" for change in row.changes)
    return [row.locator, row.tool, row.act, row.outcome, ", ".join(row.targets), changes]


def _say_catalogue(memory: Memory, mode: str, catalogue: Catalogue) -> None:
    steps = f", steps {catalogue.steps[0]} to {catalogue.steps[1]}" if catalogue.steps else ""
    say(f"{memory.path}: {count(catalogue.rows, 'row')}{steps}; {mode}")
    counted: list[tuple[str, Mapping[str, int]]] = [
        ("tool", catalogue.tools),
        ("target", catalogue.targets),
        ("changed property", catalogue.properties),
        ("outcome", {str(outcome): number for outcome, number in catalogue.outcomes.items()}),
    ]
    for what, numbers in counted:
        if numbers:
            rows = [[name, f"{number:,}"] for name, number in numbers.items()]
            say_table(f"By {what}", [what, "rows"], rows)
    if catalogue.numbers:
        ends = [[name, f"{low:g}", f"{high:g}"] for name, (low, high) in catalogue.numbers.items()]
        say_table("Numbers", ["number", "least", "greatest"], ends)
