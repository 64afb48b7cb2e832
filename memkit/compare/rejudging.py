"""Judging a run's answers anew: nothing is built, nothing is answered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import evolve, frozen

from memkit.accounting.prices import load_prices
from memkit.compare.arms import make_part
from memkit.compare.comparison import Comparison, OnResults, ignore_results, read_results
from memkit.compare.load import load_spec
from memkit.compare.models import Calling
from memkit.compare.plan import Plan, make_plan
from memkit.compare.run import SPEC_FILE, Progress, Run, disk_faults, ignore_progress
from memkit.compare.spec import Use
from memkit.compare.units import Records
from memkit.errors import UserError
from memkit.metrics.agreement import Agreement, agreement
from memkit.plugins import build_registry

GRADES = frozenset({0.0, 0.5, 1.0})
"""The scores of judges that grade; others, such as F1, have no categories to agree on."""


@frozen
class Rejudged:
    """The comparison under the other judge, and how far the two agree on each graded score that both give."""

    comparison: Comparison
    agreements: Mapping[str, Agreement]


def rejudge(
    directory: Path,
    judge: Use,
    judge_model: Use,
    *,
    runner: Use = Use("local"),
    on_progress: Progress = ignore_progress,
    offline: bool = False,
    without_defective: bool = False,
    on_results: OnResults = ignore_results,
) -> Rejudged:
    """Score the answers of the run in `directory` with another judge, and keep the scores beside those it has.

    The results go to `results/judge-NAME/`. `without_defective` restates results and agreement without the questions
    whose gold is defective. Raises UserError when the directory is no run, or when answers are not
    on record: those of another version of memkit do not count.
    """
    if not (directory / SPEC_FILE).is_file():
        raise UserError(f"{directory} is no run: it has no {SPEC_FILE}; give a directory that memkit compare made")
    registry = build_registry()
    spec = load_spec(directory / SPEC_FILE)
    before = make_plan(spec, registry)
    after = make_plan(evolve(spec, judge=judge, judge_model=judge_model), registry)
    calling = Calling(directory, offline, budget=spec.budget)
    run = Run(after, make_part(registry, "runner", runner), registry, calling, on_progress, keeps_spec=True)
    if missing := run.unanswered():
        raise UserError(
            f"{missing} answers of {directory} are not on record for this version of memkit; run the comparison first"
        )
    outcome = run.execute()
    folder = directory / "results" / f"judge-{judge.use}"
    with disk_faults(directory):
        shown, results = read_results(
            after,
            outcome.records,
            load_prices(),
            folder,
            without_defective=without_defective,
            on_results=on_results,
        )
    if without_defective:
        before = before.sound()
    return Rejudged(Comparison(shown, outcome, results), _agreements(before, shown, outcome.records))


def _agreements(before: Plan, after: Plan, records: Records) -> dict[str, Agreement]:
    first, second = _scores(before, records), _scores(after, records)
    return {
        name: agreement(first[name], second[name])
        for name in first
        if first[name].keys() & second.get(name, {}).keys()
        and {*first[name].values(), *second[name].values()} <= GRADES
    }


def _scores(plan: Plan, records: Records) -> dict[str, dict[str, float]]:
    """Score name -> answer key -> score, for the scores that the judge gave."""
    scores: dict[str, dict[str, float]] = {}
    for item in (item for cell in plan.cells for item in cell.items):
        if record := records.judge.get(item.judge_key):
            for name in record["judged"]:
                scores.setdefault(name, {})[item.answer_key] = record["scores"][name]
    return scores
