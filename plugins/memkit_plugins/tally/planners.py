"""Ways from a question to what is computed for it: a model's plan, the rules', a fixed count, a vote, a given plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import field, frozen

from memkit import (
    MAX_QUERIES,
    ContentRefused,
    Message,
    Model,
    Plan,
    Query,
    QueryError,
    Question,
    Request,
    Result,
    Scope,
    Usage,
    compile_by_rules,
    compose,
    plan_from_json,
    print_query,
    read_scope,
)
from memkit_plugins.tally.source import Ledger

REPLY_TOKENS = 4_096
"""Room for a plan, and for a model that thinks first."""
SAMPLES = 4
"""Plans drawn beside the greedy one (ledger paper, appendix C, self-consistency)."""
SAMPLE_TEMPERATURE = 0.7
AGREEING = 3
"""Equal outputs of sub-queries that a vote needs (ledger paper, appendix C)."""


@frozen
class Computed:
    """What came of a question: results in plan order, the calls it took, and why there are none."""

    results: tuple[Result, ...] = ()
    usages: tuple[Usage, ...] = ()
    reason: str = ""


class Planner(Protocol):
    """Computes what a question asks for, as far as it can be computed."""

    async def compute(self, question: Question, ledger: Ledger, *, zeros: bool) -> Computed:
        """The results; without `zeros` those that match nothing are left out. Raises ModelError."""
        ...


@frozen
class ModelPlanner:
    """One call of a model at temperature 0 (ledger paper, section 5). A reply that is no plan computes nothing."""

    model: Model

    async def compute(self, question: Question, ledger: Ledger, *, zeros: bool) -> Computed:
        """Have the model compile, and execute."""
        plan, usage = await compile_plan(self.model, question, ledger)
        return Computed(ledger.engine.run(plan, zeros=zeros), (usage,) if usage else (), plan.reason)


@frozen
class RulesPlanner:
    """The plan of the rules, without a model."""

    async def compute(self, question: Question, ledger: Ledger, *, zeros: bool) -> Computed:
        """Compile by rules, and execute."""
        plan = compile_by_rules(question.text, ledger.catalogue)
        return Computed(ledger.engine.run(plan, zeros=zeros), reason=plan.reason)


@frozen
class FixedCounter:
    """How often each tool was used within the bounds a question states, whatever it asks (ledger paper, section 7)."""

    async def compute(self, question: Question, ledger: Ledger, *, zeros: bool) -> Computed:
        """Group by tool."""
        scope = read_scope(question.text, [row.step for row in ledger.rows], points=False)
        plan = Plan((Query("group", scope=Scope(scope.low, scope.high), by="tool"),))
        return Computed(ledger.engine.run(plan, zeros=zeros))


@frozen
class GivenPlan:
    """The plan that was written for the question beforehand; none computes nothing."""

    plans: Mapping[str, Plan] = field(repr=False)

    async def compute(self, question: Question, ledger: Ledger, *, zeros: bool) -> Computed:
        """Execute it."""
        plan = self.plans.get(question.id, Plan(reason="no plan was given for this question"))
        return Computed(ledger.engine.run(plan, zeros=zeros), reason=plan.reason)


@frozen
class Vote:
    """The greedy plan and `SAMPLES` drawn ones: what at least `AGREEING` of them computed alike is kept."""

    model: Model

    async def compute(self, question: Question, ledger: Ledger, *, zeros: bool) -> Computed:
        """Compile five times, execute each, and keep what agrees, in the order it came up."""
        plans, usages = [], []
        for draw in range(SAMPLES + 1):
            plan, usage = await compile_plan(self.model, question, ledger, draw=draw)
            plans.append(ledger.engine.run(plan, zeros=zeros))
            usages += [usage] if usage else []
        votes = Counter(output for results in plans for output in {_output(result) for result in results})
        kept: dict[object, Result] = {}
        for result in (result for results in plans for result in results):
            if votes[_output(result)] >= AGREEING:
                kept.setdefault(_output(result), result)
        return Computed(tuple(kept.values())[:MAX_QUERIES], tuple(usages), "" if kept else "the plans do not agree")


async def compile_plan(model: Model, question: Question, ledger: Ledger, *, draw: int = 0) -> tuple[Plan, Usage | None]:
    """The model's plan and what the call took; not applicable, with the reason, when the reply is none.

    Draw 0 is at temperature 0, the others at `SAMPLE_TEMPERATURE` with a seed of their own. Raises ModelError.
    """
    system = compose("roles/compile", most=str(MAX_QUERIES))
    ask = compose("roles/ask-compile", catalogue=ledger.catalogue.to_json(), question=question.text)
    request = Request(
        (Message("system", system.text), Message("user", ask.text)),
        "search",
        max_output_tokens=REPLY_TOKENS,
        temperature=SAMPLE_TEMPERATURE if draw else 0.0,
        seed=draw or None,
    )
    try:
        reply = await model.complete(request)
    except ContentRefused:
        return Plan(reason="the provider refused to compile it"), None
    try:
        return plan_from_json(reply.message.content), reply.usage
    except QueryError as error:
        return Plan(reason=f"the model's reply is no plan: {error}"), reply.usage


def _output(result: Result) -> tuple[str, str, str, Sequence[int]]:
    """What makes two executed sub-queries the same: what was asked for, and what came out."""
    asked = print_query(Query(result.query.operation, by=result.query.by, of=result.query.of))
    groups = ";".join(f"{name}={list(places)}" for name, places in result.groups.items())
    return asked, f"{result.value}", groups, tuple(result.rows)
