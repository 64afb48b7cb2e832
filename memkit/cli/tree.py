"""`memkit tree`: what a memory holds."""

from __future__ import annotations

from pathlib import Path

import click

from memkit.cli.console import say, say_json
from memkit.errors import StoreError
from memkit.memory import Memory
from memkit.store.files import ROOT
from memkit.store.frontmatter import describe


@click.command()
@click.argument("memory", type=click.Path(path_type=Path))
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def command(memory: Path, json_: bool) -> int:
    """Show the files of the memory in directory MEMORY, with size and description."""
    opened = Memory.open(memory)
    rows = [(entry, "" if entry.is_dir else _description(opened, entry.path)) for entry in opened.store.entries()]
    manifest = opened.manifest
    if json_:
        files = [{"path": e.path, "folder": e.is_dir, "bytes": e.size, "description": text} for e, text in rows]
        about = {
            "builder": manifest.builder,
            "layout": manifest.layout,
            "stream": manifest.stream,
            "units": manifest.units,
        }
        say_json({"schema": 1, **about, "generation": opened.store.generation, "files": files})
        return 0
    say(f"{ROOT}  ({manifest.stream}, built by {manifest.builder}, {manifest.units} units)")
    for entry, text in rows:
        depth = entry.path.count("/") - 1
        name = entry.path.rpartition("/")[2] + ("/" if entry.is_dir else "")
        say(f"{'  ' * depth}{name}  {entry.size:,} B" + (f"  {text}" if text else ""))
    return 0


def _description(memory: Memory, path: str) -> str:
    try:
        return describe(memory.store.read(path))
    except StoreError as error:
        return f"({error})"
