"""All that a report shows, worked out from a run: what the templates are filled with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from attrs import field, frozen

from memkit.report.agreements import JudgeAgreement, judge_agreements
from memkit.report.costs import ArmCost, arm_costs
from memkit.report.figures.scale import Scale
from memkit.report.figures.strip import axis, strip, strip_scale
from memkit.report.flips import EACH_WAY, ContrastFlips, show_flips
from memkit.report.forest import Forests, make_forests
from memkit.report.frontier import Frontier, find_frontier
from memkit.report.loads import Loads, find_loads
from memkit.report.money import Unit, common_unit
from memkit.report.numbers import short
from memkit.report.payback import Paybacks, find_paybacks
from memkit.report.rerun import rerun_commands
from memkit.report.stores import StoreStats, store_stats
from memkit.report.verdicts import Verdict, verdicts
from memkit.runs.analysis import Analysis, analyse_sheet
from memkit.runs.arms import ArmStats, CategoryScore
from memkit.runs.open import Run
from memkit.runs.sheet import read_sheet

CATEGORIES = 24
"""Columns of the heat map; the largest categories."""
NOTES = 40


@frozen
class Report:
    """A run to be shown."""

    run: Run = field(repr=False)
    found: Analysis = field(repr=False)
    verdicts: tuple[Verdict, ...]
    costs: tuple[ArmCost, ...] = field(repr=False)
    unit: Unit
    frontier: Frontier = field(repr=False)
    paybacks: Paybacks | None = field(repr=False)
    forests: Forests = field(repr=False)
    loads: Loads | None = field(repr=False)
    stores: tuple[StoreStats, ...] = field(repr=False)
    flips: tuple[ContrastFlips, ...] = field(repr=False)
    agreements: tuple[JudgeAgreement, ...] = field(repr=False)
    rerun: tuple[str, ...]

    @property
    def metrics(self) -> list[str]:
        """The other scores that an arm has, in their order."""
        found = self.found
        return list(dict.fromkeys(name for arm in found.arms for name in arm.scores if name != found.primary))

    @property
    def categories(self) -> list[str]:
        """The categories of the heat map, by name."""
        sizes: dict[str, int] = {}
        for arm in self.found.arms:
            for one in arm.categories:
                sizes[one.category] = max(one.questions, sizes.get(one.category, 0))
        return sorted(sorted(sizes, key=lambda name: (-sizes[name], name))[:CATEGORIES])

    @property
    def hidden_categories(self) -> int:
        """How many have no column."""
        return len({one.category for arm in self.found.arms for one in arm.categories}) - len(self.categories)

    @property
    def statuses(self) -> list[str]:
        """How answers ended, the word for in order first."""
        names = {name for arm in self.found.arms for name in arm.statuses}
        return sorted(names, key=lambda name: (name != "ok", name))

    @property
    def notes(self) -> list[str]:
        """What was remarked on the results, and what the data could not use; the first of them."""
        summary = self.run.summary
        return [*summary.get("remarks", ()), *summary.get("notes", ())][:NOTES]

    @property
    def hidden_notes(self) -> int:
        """How many notes are left out."""
        summary = self.run.summary
        return max(len(summary.get("remarks", ())) + len(summary.get("notes", ())) - NOTES, 0)

    def score_strip(self, arm: ArmStats) -> Element:
        """An arm's score with its interval."""
        score = arm.scores[self.found.primary]
        kind = "null" if arm.null else "best" if arm.label in self.found.leaders else "plain"
        return strip(_SCORES, score.mean, score.low, score.high, kind, None)

    @property
    def score_axis(self) -> Element:
        """What stands below these."""
        return axis(_SCORES, short)


def make_report(run: Run, *, each_way: int = EACH_WAY) -> Report:
    """Work out the report of `run`; `each_way` flips of a contrast are shown each way, with their exchanges."""
    sheet = read_sheet(run)
    found = analyse_sheet(sheet, name=run.name)
    costs = arm_costs(run, found)
    unit = common_unit(costs)
    return Report(
        run=run,
        found=found,
        verdicts=verdicts(found, costs),
        costs=costs,
        unit=unit,
        frontier=find_frontier(found, costs, unit),
        paybacks=find_paybacks(found.baseline, costs, unit),
        forests=make_forests(found),
        loads=find_loads(run),
        stores=store_stats(run, [arm.label for arm in found.arms]),
        flips=show_flips(run, sheet, each_way),
        agreements=judge_agreements(run),
        rerun=rerun_commands(run),
    )


def by_category(categories: Sequence[CategoryScore]) -> Mapping[str, CategoryScore]:
    """An arm's scores by the category's name."""
    return {one.category: one for one in categories}


_SCORES: Scale = strip_scale(0.0, 1.0)
