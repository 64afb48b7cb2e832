"""`memkit doctor`: what this machine lacks for the installed parts."""

from __future__ import annotations

import click

from memkit.cli.console import say, say_json
from memkit.cli.exits import DONE, PROBLEMS
from memkit.converter import make_converter
from memkit.plugins import check_machine


@click.command()
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def command(json_: bool) -> int:
    """Say what this machine gives to the installed parts, and how to get what is missing.

    Exit code 1 when something is missing.
    """
    checks = check_machine()
    if json_:
        say_json({"schema": 1, "checks": make_converter().unstructure(checks)})
    for check in () if json_ else checks:
        say(f"{'ok' if check.ok else 'missing'}: {check.name}: {check.found}")
        if check.mend:
            say(f"  {check.mend}")
    return DONE if all(check.ok for check in checks) else PROBLEMS
