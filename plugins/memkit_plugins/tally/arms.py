"""The searchers by name, with the options that each may be given in a spec."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from memkit import VIEW_TOKENS, ConfigError, Model, Plan, QueryError, Route, parse_plan, read_json
from memkit_plugins.tally.planners import FixedCounter, GivenPlan, ModelPlanner, Planner, RulesPlanner, Vote
from memkit_plugins.tally.searchers import LedgerSearcher, LongContextSearcher, Viewing, ViewSearcher
from memkit_plugins.tally.source import Source

Compiler: TypeAlias = Literal["model", "rules"]


def view_searcher(
    model: Model, *, budget: int = VIEW_TOKENS, as_published: bool = False, counter: bool = False
) -> ViewSearcher:
    """TM: a reading view of `budget` tokens, or the paper's (`as_published`), with its action `counter` or without."""
    return ViewSearcher(model, Viewing(_positive(budget), as_published, counter))


def long_context_searcher(model: Model, *, budget: int = VIEW_TOKENS) -> LongContextSearcher:
    """The first 70 % and the last 30 % of `budget` tokens."""
    return LongContextSearcher(model, _positive(budget))


def tally_searcher(
    model: Model,
    *,
    compiler: Compiler = "model",
    route: Route = "above",
    zeros: bool = True,
    budget: int = VIEW_TOKENS,
    as_published: bool = False,
    counter: bool = False,
) -> LedgerSearcher:
    """TallyMem over the memory's ledger. `zeros: false` drops empty matches, as the paper does."""
    viewing = Viewing(_positive(budget), as_published, counter)
    return LedgerSearcher(model, _planner(model, compiler), viewing, route, zeros)


def lite_searcher(
    model: Model,
    *,
    compiler: Compiler = "model",
    route: Route = "above",
    zeros: bool = True,
    budget: int = VIEW_TOKENS,
    as_published: bool = False,
    counter: bool = False,
) -> LedgerSearcher:
    """TallyMem-lite: the same over the program's rows alone, made from the archive of any memory."""
    viewing = Viewing(_positive(budget), as_published, counter)
    return LedgerSearcher(model, _planner(model, compiler), viewing, route, zeros, Source(lite=True))


def counter_searcher(model: Model, *, route: Route = "always", budget: int = VIEW_TOKENS) -> LedgerSearcher:
    """A count by tool within the bounds that the question states, and no plan."""
    return LedgerSearcher(model, FixedCounter(), Viewing(_positive(budget)), route, source=Source(lite=True))


def voting_searcher(
    model: Model, *, route: Route = "above", zeros: bool = True, budget: int = VIEW_TOKENS
) -> LedgerSearcher:
    """What at least three of five plans compute alike: one at temperature 0 and four at 0.7."""
    return LedgerSearcher(model, Vote(model), Viewing(_positive(budget)), route, zeros)


def plan_searcher(model: Model, *, plans: str, route: Route = "always", budget: int = VIEW_TOKENS) -> LedgerSearcher:
    """Plans given in the JSON file `plans`, a map of question id to the text of its plan."""
    return LedgerSearcher(model, GivenPlan(_read_plans(Path(plans))), Viewing(_positive(budget)), route)


def _planner(model: Model, compiler: Compiler) -> Planner:
    return ModelPlanner(model) if compiler == "model" else RulesPlanner()


def _positive(budget: int) -> int:
    if budget < 1:
        raise ConfigError("budget must be at least 1 token")
    return budget


def _read_plans(path: Path) -> dict[str, Plan]:
    plans = {}
    for question, text in read_json(path, dict[str, str]).items():
        try:
            plans[question] = parse_plan(text)
        except QueryError as error:
            raise ConfigError(f"{path}: plan of {question!r}: {error}") from None
    return plans
