"""Are the arms comparable? What was to be equal beside the factor under test, and what was, arm by arm.

Everything here is a pure function of recorded units; what a spec lists in `hold_equal` must be shown to be equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from statistics import fmean
from typing import Literal, TypeAlias

from attrs import field, frozen

from memkit.compare.plan import Plan
from memkit.compare.results import Row
from memkit.compare.spec import FACTORS, HELD, Held
from memkit.compare.units import Records

TOLERANCE = 0.1
"""Relative; measured quantities that lie this close count as equal: no two arms serve the very same tokens."""
Value: TypeAlias = str | float | None
Verdict: TypeAlias = Literal["equal", "unequal", "unknown"]
ABOUT: Mapping[Held, str] = {
    **{factor: f"the {factor.replace('_', ' ')}" for factor in FACTORS},
    "sandbox": "the level at which a model's commands run",
    "judge": "who scores",
    "answer_prompt": "the words a question is put in",
    "questions": "answers that are there",
    "served_tokens": "mean tokens of evidence served to a question",
    "effective_k": "mean places served to a question",
    "evidence_tokens_max": "most tokens of evidence served to a question",
}


@frozen
class Measured:
    """An arm, as the audit sees it. A count of an answer is None where it is not known."""

    label: str
    factors: Mapping[str, str]
    judge: str
    prompts: Sequence[str]
    """The digests of the words its questions were put in."""
    answers: int
    served_tokens: Sequence[float | None] = field(repr=False)
    served_places: Sequence[float | None] = field(repr=False)
    """How many locators reached the model, an answer each."""


@frozen
class Fact:
    """Something that could differ beside the factor under test; None is unknown.

    `required` says that the spec holds it equal: then the arms are comparable only if it is shown to be.
    """

    name: Held
    about: str
    values: Mapping[str, Value]
    verdict: Verdict
    required: bool

    @property
    def breach(self) -> bool:
        """Whether something that was to be held equal is not shown to be."""
        return self.required and self.verdict != "equal"

    @property
    def sentence(self) -> str:
        """What it is in each arm, for a person."""
        shown = ", ".join(f"{_shown(value)} in {label}" for label, value in self.values.items())
        return f"{self.name} ({self.about}) is {self.verdict}: {shown}"


def audit(arms: Sequence[Measured], hold_equal: Iterable[Held] = ()) -> tuple[Fact, ...]:
    """Every fact over the arms. Null rows read no memory, so nothing about them is to be equal: leave them out."""
    required = frozenset(hold_equal)
    return tuple(_fact(name, {arm.label: _value(arm, name) for arm in arms}, name in required) for name in HELD)


def audit_rows(plan: Plan, rows: Iterable[Row], records: Records) -> tuple[Fact, ...]:
    """The facts of a run's rows, as its plan holds them equal."""
    return audit(measure(plan, rows, records), plan.spec.hold_equal)


def measure(plan: Plan, rows: Iterable[Row], records: Records) -> list[Measured]:
    """The arms of a plan but the null rows, measured on their rows that are answered."""
    answered: dict[str, list[Row]] = {arm.label: [] for arm in plan.arms if not arm.null}
    for row in rows:
        if row.arm in answered and row.effort:
            answered[row.arm].append(row)
    prompts: dict[str, set[str]] = {label: set() for label in answered}
    for cell in plan.cells:
        for item in cell.items:
            prompt = records.answer.get(item.answer_key, {}).get("prompt")
            if prompt and cell.arm.label in prompts:
                prompts[cell.arm.label].add(prompt)
    return [
        Measured(
            label=arm.label,
            factors=arm.shown,
            judge=plan.spec.judge.shown,
            prompts=sorted(prompts[arm.label]),
            answers=len(answered[arm.label]),
            served_tokens=[row.effort["served_tokens"] for row in answered[arm.label]],
            served_places=[len(row.served) for row in answered[arm.label]],
        )
        for arm in plan.arms
        if not arm.null
    ]


def _value(arm: Measured, name: Held) -> Value:
    measured: dict[Held, Value] = {
        "judge": arm.judge,
        "answer_prompt": " ".join(arm.prompts) or None,
        "questions": float(arm.answers),
        "served_tokens": _mean(arm.served_tokens),
        "effective_k": _mean(arm.served_places),
        "evidence_tokens_max": max(_known(arm.served_tokens), default=None),
    }
    return measured[name] if name in measured else arm.factors.get(name, "")


def _fact(name: Held, values: Mapping[str, Value], required: bool) -> Fact:  # noqa: FBT001
    return Fact(name, ABOUT[name], values, _verdict(list(values.values())), required)


def _verdict(values: Sequence[Value]) -> Verdict:
    if len(values) > 1 and None in values:
        return "unknown"
    return "equal" if all(_same(values[0], value) for value in values) else "unequal"


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, float | int) and isinstance(b, float | int):
        return isclose(a, b, rel_tol=TOLERANCE)
    return a == b


def _mean(values: Sequence[float | None]) -> float | None:
    known = _known(values)
    return fmean(known) if known else None


def _known(values: Sequence[float | None]) -> list[float]:
    return [float(value) for value in values if value is not None]


def _shown(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return value or ("unknown" if value is None else "none")
