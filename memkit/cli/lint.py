"""`memkit lint`: what is wrong with a store, and the safe mends."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import asdict

from memkit.cli.console import count, say, say_json
from memkit.cli.exits import DONE, PROBLEMS
from memkit.cli.folders import Folder, open_folder
from memkit.errors import UserError
from memkit.lint.check import lint
from memkit.lint.finding import Finding, choose_rules
from memkit.lint.fix import fix
from memkit.store.texts import MARKDOWN, read_texts


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--select", multiple=True, metavar="RULE", help="Only this rule or family; may be given again.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Not this rule or family; may be given again.")
@click.option("--fix", "fix_", is_flag=True, help="Mend what can be mended without losing anything.")
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def command(directory: Path, select: tuple[str, ...], ignore: tuple[str, ...], fix_: bool, json_: bool) -> int:
    """Say what is wrong with the markdown files of the memory, or of the bare folder, DIR.

    Exit code 1 when something is found, and after --fix when something is left.
    """
    rules = choose_rules(_split(select), _split(ignore))
    folder = open_folder(directory)
    if fix_ and folder.bare:
        raise UserError(f"{directory} is no memory, so it has no lock to hold while files change; leave --fix out")
    fixed = fix(folder.store, rules=rules) if fix_ else []
    files, unreadable = read_texts(folder.store, MARKDOWN)
    found = lint(files, unreadable, rules=rules)
    if json_:
        shown = {"fixed": fixed, "findings": found}
        rows = {key: [{**asdict(one), "file": folder.file(one.path)} for one in each] for key, each in shown.items()}
        say_json({"schema": 1, "files": len(files), **rows})
    else:
        _print(folder, fixed, found)
    return PROBLEMS if found else DONE


def _split(names: tuple[str, ...]) -> list[str]:
    """The names of options that take several, separated by commas."""
    return [name.strip() for value in names for name in value.split(",") if name.strip()]


def _print(folder: Folder, fixed: list[Finding], found: list[Finding]) -> None:
    for one in fixed:
        say(f"{folder.file(one.path)}:{one.line}: {one.rule}: fixed: {one.message}")
    for one in found:
        say(f"{folder.file(one.path)}:{one.line}: {one.rule}: {one.message}; {one.mend}")
    mendable = sum(one.fixable for one in found)
    hint = f", {mendable} that --fix mends" if mendable and not folder.bare else ""
    done = f"{len(fixed)} fixed, " if fixed else ""
    say(done + (count(len(found), "finding") + hint if found else "no findings"))
