"""A forecast as tables for people, and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import asdict

from memkit.cli.console import count, say, say_table
from memkit.compare.forecast import ASSUMPTIONS, Estimate, Forecast
from memkit.compare.pricing import Range

SCHEMA = 1
"""Of what `--dry-run --json` prints."""


def forecast_data(found: Forecast) -> dict[str, Any]:
    """All of it, ready for JSON; None is unknown."""
    spec = found.plan.spec
    return {
        "schema": SCHEMA,
        "name": spec.name,
        "directory": str(found.directory),
        "arms": [{"label": arm.label, "factors": arm.shown, "null": bool(arm.null)} for arm in found.plan.arms],
        "excluded": [asdict(one) for one in found.plan.excluded],
        "streams": found.streams,
        "questions": found.questions,
        "work": [asdict(one) for one in found.work],
        "estimates": [_estimate_data(one) for one in found.estimates],
        "total": _range_data(found.total),
        "budget": asdict(spec.budget),
        "prices": found.prices,
        "pilot": found.pilot,
        "detectable": {"difference": found.detectable, "assumes": ASSUMPTIONS},
        "remarks": list(_remarks(found)),
        "notes": list(found.plan.notes),
    }


def print_forecast(found: Forecast) -> None:
    """What would be done, what it may cost, and what it could detect."""
    plan = found.plan
    attempts = f", {plan.spec.attempts} attempts" if plan.spec.attempts > 1 else ""
    shape = f"{count(found.streams, 'stream')}, {count(found.questions, 'question')}{attempts}"
    say_table(
        f"{plan.spec.name}: {count(len(plan.arms), 'arm')}, {shape}; what is left to do, and what it may take",
        ["arm", "basis", "builds", "answers", "judgements", "tokens, least", "tokens, most", "USD, least", "USD, most"],
        [*map(_row, found.estimates), _total(found)],
        left=2,
    )
    say_table(
        "Work", ["stage", "to do", "on record"], [[one.stage, str(one.todo), str(one.reused)] for one in found.work]
    )
    for one in plan.excluded:
        say(f"left out: {one.label}: {one.reason}")
    for remark in _remarks(found):
        say(remark)
    say(f"results would be in {found.directory}")


def _row(one: Estimate) -> list[str]:
    return [
        one.arm,
        one.basis,
        *map(str, (len(one.todo.streams), one.todo.answers, one.todo.judgements)),
        *_range(one.takes),
    ]


def _total(found: Forecast) -> list[str]:
    return ["all", "", *(str(one.todo) for one in found.work), *_range(found.total)]


def _range(takes: Range) -> list[str]:
    tokens = ("-" if value is None else f"{value:,.0f}" for value in (takes.floor_tokens, takes.ceiling_tokens))
    return [*tokens, *("-" if value is None else f"{value:.4f}" for value in (takes.usd_floor, takes.usd_ceiling))]


def _remarks(found: Forecast) -> Iterator[str]:
    if found.pilot:
        yield found.pilot
    if any(one.basis == "rehearsal" for one in found.estimates):
        yield (
            "rehearsal: the embedded model stood in for the others on two questions, at no cost; another model may take"
            " more rounds"
        )
    if any(one.basis != "costs nothing" for one in found.estimates):
        yield f"least is with a perfect cache, most with none; prices of {found.prices}"
    budget, total = found.plan.spec.budget, found.total
    if budget.usd is not None and total.usd_ceiling is not None and total.usd_ceiling > budget.usd:
        yield f"the budget of {budget.usd:g} USD may not do: at most {total.usd_ceiling:.4f} is to be spent"
    if budget.tokens is not None and total.ceiling_tokens is not None and total.ceiling_tokens > budget.tokens:
        yield f"the budget of {budget.tokens:,} tokens may not do: at most {total.ceiling_tokens:,.0f} are to be taken"
    if found.detectable is None:
        yield "one stream: nothing can be said beyond it, however many questions it has"
    else:
        yield f"the smallest true difference that this design finds: {found.detectable:.3f} ({ASSUMPTIONS})"


def _estimate_data(one: Estimate) -> dict[str, Any]:
    todo = one.todo
    return {
        "arm": one.arm,
        "basis": one.basis,
        "builds": len(todo.streams),
        "answers": todo.answers,
        "judgements": todo.judgements,
        **_range_data(one.takes),
    }


def _range_data(takes: Range) -> dict[str, Any]:
    data: dict[str, Any] = asdict(takes)
    return {
        name: round(value) if name.endswith("tokens") and value is not None else value for name, value in data.items()
    }
