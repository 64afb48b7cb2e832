"""`memkit diff`: what changed between two runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from attrs import asdict

from memkit.cli.console import count, say, say_json, say_table
from memkit.cli.figures import number, say_contrasts, title_of
from memkit.runs.difference import ArmFlips, RunDifference, compare_runs
from memkit.runs.open import open_run

FLIPS_SHOWN = 20


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option("--json", "json_", is_flag=True, help="Print as JSON; every flip.")
def command(before: Path, after: Path, json_: bool) -> int:
    """Compare the run in directory AFTER with the one in BEFORE, arm by arm of the same label.

    The runs may be of different commits, versions or specs: what they have in common is compared, and what
    changed is listed.
    """
    found = compare_runs(open_run(before), open_run(after))
    if json_:
        say_json({"schema": 1, **asdict(found)})
        return 0
    _say_changes(found)
    main = [one for one in found.contrasts if not one.exploratory]
    say_contrasts(f"{found.after} minus {found.before}: {title_of(found.primary)}", main)
    say_contrasts("Other metrics, exploratory", [one for one in found.contrasts if one.exploratory])
    _say_flips(found)
    for line in _remarks(found):
        say(line)
    return 0


def _say_changes(found: RunDifference) -> None:
    rows = [[change.where, _value(change.before), _value(change.after)] for change in found.changes]
    if rows:
        say_table("What changed", ["what", found.before, found.after], rows, left=3)
    else:
        say("the two runs have the same spec and were made with the same versions and prompts")


def _say_flips(found: RunDifference) -> None:
    rows = [row for arm in found.flips for row in _flips(arm)]
    if rows:
        columns = ["arm", "", "stream", "question", "category", "before", "after"]
        say_table(f"Flips on {title_of(found.primary)}", columns, rows[:FLIPS_SHOWN], left=5)
    if len(rows) > FLIPS_SHOWN:
        say(f"{len(rows) - FLIPS_SHOWN:,} more; --json prints them all")


def _flips(arm: ArmFlips) -> Iterator[list[str]]:
    for what, flips in (("lost", arm.lost), ("gained", arm.gained)):
        for one in flips:
            scores = number(one.other, 3), number(one.score, 3)
            yield [arm.arm, what, one.stream, one.question, one.category, *scores]


def _remarks(found: RunDifference) -> Iterator[str]:
    yield f"{count(found.questions, 'question')} in both"
    for number_, name in ((found.questions_only_before, found.before), (found.questions_only_after, found.after)):
        if number_:
            yield f"{count(number_, 'question')} in {name} alone"
    if found.altered:
        yield f"left out: {count(len(found.altered), 'question')} of the same name with another text or gold"
    for labels, name in ((found.only_before, found.before), (found.only_after, found.after)):
        if labels:
            yield f"in {name} alone: {', '.join(labels)}"


def _value(value: Any) -> str:
    return "-" if value is None else str(value)
