"""What each arm takes: tokens by class and US dollars, of building a memory and of a question, kept apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from attrs import frozen

from memkit.runs.analysis import Analysis
from memkit.runs.arms import ArmStats
from memkit.runs.open import Run

CLASSES = ("uncached", "cache_read", "cache_write", "output")
"""The four classes of tokens, which add up to all of them; reasoning is a part of output."""
USD, REASONING = "usd_logical", "reasoning"


@frozen
class Spending:
    """Means over memories, or over questions: tokens by class, of which `reasoning`, and dollars; None is unknown."""

    tokens: Mapping[str, float | None]
    reasoning: float | None
    usd: float | None
    of: int
    """How many memories or questions they are means of."""

    @property
    def total(self) -> float | None:
        """Tokens of all classes."""
        known = [value for value in self.tokens.values() if value is not None]
        return sum(known) if len(known) == len(self.tokens) else None


@frozen
class ArmCost:
    """An arm's `build` (of nothing, for a null row) and `question`; `number` is its place, from 1."""

    number: int
    label: str
    null: bool
    build: Spending
    question: Spending


def arm_costs(run: Run, found: Analysis) -> tuple[ArmCost, ...]:
    """The costs of each arm, in the order of the analysis."""
    names = (*CLASSES, REASONING, USD)
    memories: dict[str, list[Mapping[str, float | None]]] = {}
    for row in run.memories.select(["arm", *names]).iter_rows(named=True):
        memories.setdefault(row["arm"], []).append(row)
    return tuple(
        ArmCost(place, arm.label, arm.null, _build(memories.get(arm.label, ())), _question(arm))
        for place, arm in enumerate(found.arms, 1)
    )


def _build(rows: Sequence[Mapping[str, float | None]]) -> Spending:
    means = {name: _mean([row[name] for row in rows]) for name in (*CLASSES, REASONING, USD)}
    return _spending(means, len(rows))


def _question(arm: ArmStats) -> Spending:
    return _spending(arm.means, arm.answered)


def _spending(means: Mapping[str, float | None], of: int) -> Spending:
    return Spending({name: means[name] for name in CLASSES}, means[REASONING], means[USD], of)


def _mean(values: Sequence[float | None]) -> float | None:
    """0 of nothing; a sum with an unknown part is unknown, and so is its mean."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return fmean(known) if known else 0.0
