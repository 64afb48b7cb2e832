"""A whole comparison in one call: plan, run what is missing, read the table."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from memkit.accounting.prices import load_prices
from memkit.compare.arms import make_part
from memkit.compare.export import write_results
from memkit.compare.plan import Plan, make_plan
from memkit.compare.results import Results, collect
from memkit.compare.run import Outcome, Progress, Run, disk_faults, ignore_progress
from memkit.compare.spec import Spec, Use
from memkit.plugins import build_registry


@frozen
class Comparison:
    """What was planned, what this call did, and the results so far."""

    plan: Plan
    outcome: Outcome
    results: Results

    @property
    def complete(self) -> bool:
        """Whether every row of the plan has its answer and its scores."""
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
) -> Comparison:
    """Run `spec` in its directory below `runs` and return the results; called again, it repeats nothing.

    `offline` replays recorded model calls and makes none. `prices` is a TOML file of prices that go before
    the bundled ones. `accept_unsandboxed` lets a model's commands run where no sandbox works. Raises
    UserError for a spec that does not fit and LockTimeout when another process runs it now.
    """
    registry = build_registry(accept_unsandboxed=accept_unsandboxed)
    plan, table = make_plan(spec, registry), load_prices(prices)
    directory = runs / f"{spec.name}-{spec.digest[:8]}"
    outcome = Run(
        plan, make_part(registry, "runner", runner), directory, on_progress, offline, accept_unsandboxed
    ).execute()
    results = collect(plan, outcome.records, table)
    with disk_faults(directory):
        write_results(directory / "results", plan, results)
    return Comparison(plan, outcome, results)
