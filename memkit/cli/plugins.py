"""`memkit plugins`: what is installed."""

from __future__ import annotations

import click

from memkit.cli.console import say_json, say_table
from memkit.plugins import build_registry


@click.command()
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def command(json_: bool) -> int:
    """List every part that plugins have registered, with the distribution it comes from."""
    parts = list(build_registry())
    if json_:
        rows = [
            {
                "kind": part.kind,
                "name": part.name,
                "distribution": part.source.distribution,
                "version": part.source.version,
                "about": part.note,
            }
            for part in parts
        ]
        say_json({"schema": 1, "parts": rows})
    else:
        columns = ("kind", "name", "from", "about")
        rows_ = [[p.kind, p.name, f"{p.source.distribution} {p.source.version}", p.note] for p in parts]
        say_table("Installed parts", columns, rows_, left=4)
    return 0
