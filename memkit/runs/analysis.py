"""Every figure that is said of a run, worked out once: what `stats.json` holds and every command shows."""

from __future__ import annotations

from typing import cast

from attrs import frozen

from memkit.metrics.inference import Scored, detectable, leaders
from memkit.runs.arms import ArmStats, arm_stats
from memkit.runs.audit import Audit, audit
from memkit.runs.columns import SCORE
from memkit.runs.contrasts import Contrast, contrasts, slices
from memkit.runs.gate import GateResult, gate_results
from memkit.runs.open import Run
from memkit.runs.sheet import Sheet, is_measure, read_sheet


@frozen
class Analysis:
    """What may be said of a run. Everything but the leaders, the contrasts and the gates is about one arm alone.

    `leaders` are the arms that may be the best on the primary metric: the highest, and those not shown to differ from
    it; null rows are none. `assumed_detectable` is what a design of so many streams and questions finds with a power of
    80 % before anything is known of how they vary.
    """

    name: str
    primary: str
    baseline: str
    streams: int
    questions: int
    rows: int
    answered: int
    arms: tuple[ArmStats, ...]
    leaders: tuple[str, ...]
    contrasts: tuple[Contrast, ...]
    slices: tuple[Contrast, ...]
    audit: Audit
    gates: tuple[GateResult, ...]
    max_missing: float
    assumed_detectable: float | None

    @property
    def incomplete(self) -> bool:
        """Whether more rows are missing than the spec allows."""
        return self.rows - self.answered > self.max_missing * self.rows


def analyse(run: Run) -> Analysis:
    """The figures of a run, from its tables alone."""
    return analyse_sheet(read_sheet(run), name=run.name)


def analyse_sheet(sheet: Sheet, *, name: str = "") -> Analysis:
    """The figures of a sheet."""
    design, arms = sheet.design, list(sheet.arms.values())
    items = {item for arm in arms for item in arm.items}
    streams = len({stream for stream, _ in items})
    metrics = _score_metrics(sheet)
    rivals: dict[str, Scored] = {arm.label: cast(Scored, arm.scored(design.primary)) for arm in arms if not arm.null}
    return Analysis(
        name=name,
        primary=design.primary,
        baseline=design.baseline,
        streams=streams,
        questions=len(items),
        rows=sum(len(arm.items) for arm in arms),
        answered=sum(arm.answered for arm in arms),
        arms=tuple(arm_stats(arm, metrics, design.primary) for arm in arms),
        leaders=leaders(rivals),
        contrasts=contrasts(sheet),
        slices=slices(sheet),
        audit=audit(sheet),
        gates=gate_results(sheet),
        max_missing=design.max_missing,
        assumed_detectable=detectable(streams, len(items)) if items else None,
    )


def _score_metrics(sheet: Sheet) -> list[str]:
    """The scores of the spec, then every other that an arm has, by name."""
    asked = [metric for metric in sheet.design.metrics if not is_measure(metric)]
    have = {name.removeprefix(SCORE) for arm in sheet.arms.values() for name in arm.values if name.startswith(SCORE)}
    return list(dict.fromkeys((*asked, *sorted(have))))
