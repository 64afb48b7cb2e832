"""`memkit rejudge`: score the answers of a run with another judge."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import asdict

from memkit.cli.console import progress, say, say_json, say_table
from memkit.cli.exits import DONE, INCOMPLETE, INTERRUPTED
from memkit.cli.options import without_defective_option
from memkit.cli.tables import print_comparison
from memkit.compare.export import summary_data
from memkit.compare.rejudging import Rejudged, rejudge
from memkit.compare.spec import EXTRACTIVE, Use
from memkit.runs.record import record_results


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--judge", required=True, help="Who scores the answers.")
@click.option("--judge-model", default=EXTRACTIVE, show_default=True, help="Model of a judge that asks one.")
@click.option("--offline", is_flag=True, help="Replay recorded model calls; make none.")
@without_defective_option
@click.option("--json", "json_", is_flag=True, help="Print the results as JSON.")
def command(run: Path, judge: str, judge_model: str, offline: bool, without_defective: bool, json_: bool) -> int:
    """Score the answers in the run directory RUN with another judge; nothing is built or answered again.

    Where both judges grade under one name, says how far they agree. Run it in the directory where
    the comparison ran.
    """
    with progress() as show:
        done = rejudge(
            run,
            Use(judge),
            Use(judge_model),
            on_progress=show,
            offline=offline,
            without_defective=without_defective,
            on_results=record_results,
        )
    comparison = done.comparison
    if json_:
        agreements = {name: asdict(one) for name, one in done.agreements.items()}
        say_json({**summary_data(comparison.plan, comparison.results), "agreement": agreements})
    else:
        print_comparison(comparison)
        _print_agreements(done)
    if comparison.outcome.interrupted:
        return INTERRUPTED
    return DONE if comparison.complete else INCOMPLETE


def _print_agreements(done: Rejudged) -> None:
    rows = [
        [name, str(one.items), f"{one.agreed:.3f}", "-" if one.kappa is None else f"{one.kappa:+.3f}"]
        for name, one in done.agreements.items()
    ]
    if rows:
        say_table("Agreement with the judge of the run", ["score", "answers", "same", "kappa"], rows)
    else:
        say("the two judges grade nothing under the same name, so there is no agreement to tell")
