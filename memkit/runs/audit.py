"""Are the arms of a run comparable? The facts, and the contrasts that vary more than one factor."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from memkit.compare.audit import Fact, Measured
from memkit.compare.audit import audit as audit_arms
from memkit.compare.spec import FACTORS
from memkit.runs.sheet import ArmRows, Sheet


@frozen
class Audit:
    """What could differ beside the factors under test, arm by arm; null rows are left out."""

    facts: tuple[Fact, ...]
    confounded: Mapping[str, tuple[str, ...]]
    """`arm against arm` -> the factors in which they differ, where these are several."""

    @property
    def comparable(self) -> bool:
        """Whether all that the spec holds equal is shown to be."""
        return not any(fact.breach for fact in self.facts)


def audit(sheet: Sheet) -> Audit:
    """Look at the arms."""
    design = sheet.design
    measured = [_measured(arm, design.judge) for arm in sheet.arms.values() if not arm.null]
    confounded = {
        f"{arm} against {against}": factors
        for arm, against in design.pairs
        if len(factors := _differing(sheet.arms[arm], sheet.arms[against])) > 1
    }
    return Audit(audit_arms(measured, design.hold_equal) if measured else (), confounded)


def _measured(arm: ArmRows, judge: str) -> Measured:
    return Measured(
        label=arm.label,
        factors=arm.factors,
        judge=judge,
        prompts=arm.prompts,
        answers=arm.answered,
        served_tokens=arm.known("served_tokens"),
        served_places=arm.known("served_locators"),
    )


def _differing(arm: ArmRows, against: ArmRows) -> tuple[str, ...]:
    return tuple(name for name in FACTORS if arm.factors.get(name) != against.factors.get(name))
