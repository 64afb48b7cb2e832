"""`memkit compare`: run a comparison and print its table; or say what running it would do."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click
from attrs import asdict

from memkit.cli.console import progress, say_json
from memkit.cli.exits import BUDGET_HIT, DONE, INCOMPLETE, INTERRUPTED, NOT_COMPARABLE, TOO_MANY_ERRORS
from memkit.cli.forecasts import forecast_data, print_forecast
from memkit.cli.growth import growth_data, print_growth
from memkit.cli.options import accept_unsandboxed_option, without_defective_option
from memkit.cli.specs import read_spec, spec_options
from memkit.cli.tables import print_comparison
from memkit.compare.comparison import Comparison, compare
from memkit.compare.dry import dry_run
from memkit.compare.export import summary_data
from memkit.compare.growth import grow
from memkit.compare.models import Calling
from memkit.compare.spec import Spec, Use
from memkit.compare.stopping import Reason
from memkit.errors import UserError
from memkit.report.growth import write_growth
from memkit.runs.record import record_results

_STOPPED: dict[Reason, int] = {
    "interrupt": INTERRUPTED,
    "budget": BUDGET_HIT,
    "wall": BUDGET_HIT,
    "errors": TOO_MANY_ERRORS,
}


@click.command()
@click.argument("spec", required=False, type=click.Path(path_type=Path))
@spec_options
@click.option("--dry-run", is_flag=True, help="Say what would be done, reused and paid, and what could be detected.")
@click.option("--no-pilot", is_flag=True, help="With --dry-run: ask no model, not even two questions of a priced one.")
@click.option("--runs", default="runs", show_default=True, type=click.Path(path_type=Path), help="Where runs are kept.")
@click.option("--runner", default="local", show_default=True, help="Where the work is done.")
@click.option(
    "--workers", type=click.IntRange(min=0), help="Worker processes of the local runner; 0: none but this one."
)
@click.option("--growth", is_flag=True, help="Then build again unit by unit, and show how each memory grows.")
@click.option(
    "--checkpoint",
    type=click.IntRange(min=1),
    metavar="K",
    help="With --growth: after every K units ask the questions whose evidence is in.",
)
@click.option("--offline", is_flag=True, help="Replay recorded model calls; make none.")
@click.option("--prices", type=click.Path(path_type=Path), help="TOML file of prices that go before the bundled ones.")
@without_defective_option
@accept_unsandboxed_option
@click.option("--json", "json_", is_flag=True, help="Print the results as JSON.")
@click.pass_context
def command(ctx: click.Context, /, spec: Path | None, **flags: Any) -> int:
    """Compare memories on your data.

    Give a SPEC file, or say it with flags: every builder is combined with every harness, searcher
    and model it fits. The same command again goes on where it stopped and repeats nothing.
    """
    wanted, where = read_spec(ctx, spec, flags)
    if flags["checkpoint"] and not flags["growth"]:
        raise UserError("--checkpoint asks memories as they grow; give --growth too")
    runner = Use(flags["runner"], {} if flags["workers"] is None else {"workers": flags["workers"]})
    if flags["dry_run"]:
        return _forecast(wanted, where, runner, flags)
    with progress() as show:
        done = compare(
            wanted,
            runs=flags["runs"],
            runner=runner,
            on_progress=show,
            offline=flags["offline"],
            prices=flags["prices"],
            accept_unsandboxed=flags["accept_unsandboxed"],
            without_defective=flags["without_defective"],
            on_results=record_results,
            where=where,
        )
    grown = None
    if flags["growth"] and not done.outcome.stopped:
        with progress() as show:
            calling = Calling(
                done.outcome.directory, flags["offline"], flags["accept_unsandboxed"], wanted.budget, flags["prices"]
            )
            grown = grow(
                done.plan, calling, runner=runner, every=flags["checkpoint"], on_progress=partial(show, "growth")
            )
        write_growth(done.outcome.directory / "results", grown.rows)
    if flags["json_"]:
        more = {"growth": growth_data(grown)} if grown else {}
        say_json({**summary_data(done.plan, done.results), "run": _run_data(done), **more})
    else:
        print_comparison(done)
        if grown:
            print_growth(grown)
    code = exit_code(done)
    if grown and code == DONE and not grown.complete:
        return _STOPPED.get(grown.stopped, INCOMPLETE)
    return code


def exit_code(done: Comparison) -> int:
    """That of the reason it stopped; else of what is lacking, and of the audit when nothing is."""
    if done.outcome.stopped:
        return _STOPPED[done.outcome.stopped]
    if not done.complete:
        return INCOMPLETE
    return NOT_COMPARABLE if done.breaches else DONE


def _forecast(spec: Spec, where: str, runner: Use, flags: dict[str, Any]) -> int:
    found = dry_run(
        spec,
        runs=flags["runs"],
        runner=runner,
        offline=flags["offline"],
        pilot=not flags["no_pilot"],
        prices=flags["prices"],
        accept_unsandboxed=flags["accept_unsandboxed"],
        where=where,
    )
    if flags["json_"]:
        say_json(forecast_data(found))
    else:
        print_forecast(found)
    return DONE


def _run_data(done: Comparison) -> dict[str, Any]:
    outcome = done.outcome
    return {
        "directory": str(outcome.directory),
        "built": outcome.built,
        "answered": outcome.answered,
        "reused": [asdict(one) for one in outcome.reused],
        "errors": list(outcome.errors),
        "complete": done.complete,
        "interrupted": outcome.interrupted,
        "stopped": outcome.stopped,
        "comparable": not done.breaches,
        "audit": [asdict(fact) for fact in done.facts],
    }
