"""A whole comparison in one call: plan, run what is missing, read the table."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from memkit.accounting.prices import PriceTable, load_prices
from memkit.compare.arms import make_part
from memkit.compare.export import write_results
from memkit.compare.plan import Plan, make_plan
from memkit.compare.results import Results, collect
from memkit.compare.run import Outcome, Progress, Run, disk_faults, ignore_progress
from memkit.compare.spec import Spec, Use
from memkit.compare.units import Records
from memkit.plugins import build_registry

SOUND_FOLDER = "without-defective"


@frozen
class Comparison:
    """What was planned, what this call did, and the results so far, which are those of `plan`."""

    plan: Plan
    outcome: Outcome
    results: Results

    @property
    def complete(self) -> bool:
        """Whether every row of the results has its answer and its scores."""
        return all(row.status != "missing" for row in self.results.rows)


def compare(
    spec: Spec,
    *,
    runs: Path = Path("runs"),
    runner: Use = Use("local"),
    on_progress: Progress = ignore_progress,
    offline: bool = False,
    prices: Path | None = None,
    accept_unsandboxed: bool = False,
    without_defective: bool = False,
) -> Comparison:
    """Run `spec` in its directory below `runs` and return the results; called again, it repeats nothing.

    `offline` replays recorded model calls and makes none. `prices` is a TOML file of prices that go before
    the bundled ones. `accept_unsandboxed` lets a model's commands run where no sandbox works. `without_defective`
    restates the results without the questions whose gold is defective. Raises UserError for a spec that does not
    fit and LockTimeout when another process runs it now.
    """
    registry = build_registry(accept_unsandboxed=accept_unsandboxed)
    plan, table = make_plan(spec, registry), load_prices(prices)
    directory = runs / f"{spec.name}-{spec.digest[:8]}"
    outcome = Run(
        plan, make_part(registry, "runner", runner), directory, on_progress, offline, accept_unsandboxed
    ).execute()
    with disk_faults(directory):
        shown, results = read_results(
            plan, outcome.records, table, directory / "results", without_defective=without_defective
        )
    return Comparison(shown, outcome, results)


def read_results(
    plan: Plan, records: Records, prices: PriceTable, folder: Path, *, without_defective: bool
) -> tuple[Plan, Results]:
    """Work out the results and write them into `folder`; restated ones go into a folder of their own below it.

    Returns what is to be shown, with the plan it is of.
    """
    results = collect(plan, records, prices)
    write_results(folder, plan, results)
    if not without_defective:
        return plan, results
    plan = plan.sound()
    results = collect(plan, records, prices)
    write_results(folder / SOUND_FOLDER, plan, results)
    return plan, results
