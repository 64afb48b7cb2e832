"""A whole comparison in one call: plan, run what is missing, read the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

from memkit.accounting.prices import PriceTable, load_prices
from memkit.compare.arms import make_part
from memkit.compare.audit import Fact, audit_rows
from memkit.compare.export import write_results
from memkit.compare.models import Calling, check_priced
from memkit.compare.plan import Plan, make_plan
from memkit.compare.results import LACKING, Results, collect
from memkit.compare.run import Outcome, Progress, Run, disk_faults, ignore_progress
from memkit.compare.spec import Spec, Use
from memkit.compare.units import Records
from memkit.plugins import build_registry

SOUND_FOLDER = "without-defective"
OnResults: TypeAlias = Callable[[Path, Plan, Results, Records, PriceTable], None]
"""Called with each folder of results when its JSON files are written, and with what they were made of."""


def ignore_results(folder: Path, plan: Plan, results: Results, records: Records, prices: PriceTable) -> None:
    """For callers that want no other files."""


@frozen
class Comparison:
    """What was planned, what this call did, the results so far, which are those of `plan`, and their audit."""

    plan: Plan
    outcome: Outcome
    results: Results
    facts: tuple[Fact, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every row of the results has its answer and its scores."""
        return all(row.status not in LACKING for row in self.results.rows)

    @property
    def breaches(self) -> tuple[Fact, ...]:
        """What the spec holds equal and the arms are not shown to be; to be judged when all is there."""
        return tuple(fact for fact in self.facts if fact.breach)


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
    on_results: OnResults = ignore_results,
    where: str = "",
) -> Comparison:
    """Run `spec` in its directory below `runs` and return the results; called again, it repeats nothing.

    `offline` replays recorded model calls and makes none. `prices` is a TOML file of prices that go before
    the bundled ones. `accept_unsandboxed` lets a model's commands run where no sandbox works. `without_defective`
    restates the results without the questions whose gold is defective. `on_results` may write more files beside the
    JSON ones. `where` names the spec in errors. Raises UserError for a spec that does not fit and LockTimeout when
    another process runs it now.
    """
    registry = build_registry(accept_unsandboxed=accept_unsandboxed)
    table = load_prices(prices)
    plan = make_plan(spec, registry, where=where)
    check_priced(spec, registry, table, where=where)
    directory = run_directory(spec, runs)
    calling = Calling(directory, offline, accept_unsandboxed, spec.budget, prices)
    outcome = Run(plan, make_part(registry, "runner", runner), registry, calling, on_progress).execute()
    with disk_faults(directory):
        shown, results = read_results(
            plan,
            outcome.records,
            table,
            directory / "results",
            without_defective=without_defective,
            on_results=on_results,
        )
    return Comparison(shown, outcome, results, audit_rows(shown, results.rows, outcome.records))


def run_directory(spec: Spec, runs: Path) -> Path:
    """Where below `runs` a spec is run."""
    return runs / f"{spec.name}-{spec.digest[:8]}"


def read_results(
    plan: Plan,
    records: Records,
    prices: PriceTable,
    folder: Path,
    *,
    without_defective: bool,
    on_results: OnResults = ignore_results,
) -> tuple[Plan, Results]:
    """Work out the results and write them into `folder`; restated ones go into a folder of their own below it.

    Returns what is to be shown, with the plan it is of.
    """
    results = _write(folder, plan, records, prices, on_results)
    if not without_defective:
        return plan, results
    plan = plan.sound()
    return plan, _write(folder / SOUND_FOLDER, plan, records, prices, on_results)


def _write(folder: Path, plan: Plan, records: Records, prices: PriceTable, on_results: OnResults) -> Results:
    results = collect(plan, records, prices)
    write_results(folder, plan, results)
    on_results(folder, plan, results, records, prices)
    return results
