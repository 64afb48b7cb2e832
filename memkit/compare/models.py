"""The models of a comparison: every call recorded in the run directory, so that none is paid for twice."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from attrs import frozen

from memkit.accounting.prices import PriceTable, load_prices
from memkit.calls.recorded import RecordedModel
from memkit.calls.store import CallStore
from memkit.compare.arms import uses_of
from memkit.compare.budget import BudgetedModel, Purse
from memkit.compare.cases import below
from memkit.compare.control import control_of
from memkit.compare.keys import part_identity
from memkit.compare.spec import PLACES, Budget, Spec, Use
from memkit.contracts import Model
from memkit.errors import ConfigError
from memkit.models import open_model
from memkit.registry import RESERVED, Registry

CALLS_FILE = "calls.db"


@frozen
class Calling:
    """Where the calls of a run are recorded, what they may take, and what a run may do.

    `offline` replays what is on record; `accept_unsandboxed` lets a model's commands run without a sandbox. `prices`
    is a file of prices that go before the bundled ones.
    """

    run_dir: Path
    offline: bool = False
    accept_unsandboxed: bool = False
    budget: Budget = Budget()
    prices: Path | None = None


def recorded_model(registry: Registry, use: Use, calling: Calling, *, attempt: int = 0) -> RecordedModel:
    """The model a `Use` names, with its calls recorded. `attempt` tells repeated answers apart."""
    model = open_model(registry, use.use, use.options, where=f"model {use.shown}")
    # Of a registered model the code is what replies; of a provider's, its name and options are all there is.
    known = use.use in registry.names("model")
    options = part_identity(registry, "model", use) if known else use.options
    # Ours are deterministic and cost nothing: to record them would only fill the disk.
    store = None if is_ours(use) else _calls(calling.run_dir)
    return RecordedModel(_paid(model, use, calling), store, calling.offline, attempt, options)


def is_ours(use: Use) -> bool:
    """Whether a model runs in this process, at no cost, and on a processor rather than over a connection."""
    return use.use.startswith(RESERVED)


def asked_models(spec: Spec, registry: Registry) -> Iterator[tuple[str, Use]]:
    """Each model that some part of the comparison asks, with its place in the spec."""
    uses = uses_of(spec.factors)
    asks = {"search_model": True}  # by null rows, if by nothing else
    asks["manage_model"] = any("model" in registry.part("builder", use.use).wants for use in uses["builder"])
    for factor, models in uses.items():
        if asks.get(factor):
            yield from ((f"{PLACES[factor]}[{number}]", use) for number, use in enumerate(models))
    if "model" in registry.part("judge", spec.judge.use).wants:
        yield "judge_model", spec.judge_model


def check_priced(spec: Spec, registry: Registry, prices: PriceTable, *, where: str = "") -> None:
    """ConfigError when there is a budget of money and a model whose price is not known."""
    if spec.budget.usd is None:
        return
    for place, use in asked_models(spec, registry):
        price = prices.price(use.use)
        if price is None or price.rates.input is None or price.rates.output is None:
            raise ConfigError(
                f"no price is known for {use.use} ({place}), so its cost cannot be bounded;"
                " give one with --prices, or leave usd out",
                where=below(where, "budget.usd"),
            )


def _paid(model: Model, use: Use, calling: Calling) -> Model:
    # Of ours there is nothing to keep account of, unless tokens are bounded.
    if is_ours(use) and calling.budget.tokens is None:
        return model
    purse = Purse(partial(control_of, calling.run_dir), calling.budget)
    return BudgetedModel(model, purse, _prices(calling.prices).price(use.use))


@cache
def _prices(path: Path | None) -> PriceTable:
    return load_prices(path)


@cache
def _calls(run_dir: Path) -> CallStore:
    store = CallStore(run_dir / CALLS_FILE)
    atexit.register(store.close)
    return store
