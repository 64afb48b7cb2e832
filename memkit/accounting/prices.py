"""What tokens cost: a dated table out of litellm's wheel, and the user's own prices before it.

The table is read as a file; litellm itself is not imported. Prices are decimals, so that sums are exact.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attrs import asdict, field, frozen, validators

from memkit.converter import structure
from memkit.errors import ConfigError
from memkit.registry import RESERVED

PRICE_FILE = "model_prices_and_context_window_backup.json"
PER_MILLION = Decimal(1_000_000)
_FIELDS = {
    "input": "input_cost_per_token",
    "cache_read": "cache_read_input_token_cost",
    "cache_write": "cache_creation_input_token_cost",
    "output": "output_cost_per_token",
    "reasoning": "output_cost_per_reasoning_token",
}
_TIER = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


@frozen
class Rates:
    """USD a token by class; None is unknown. Reasoning without a rate of its own costs what output does."""

    input: Decimal | None = None
    cache_read: Decimal | None = None
    cache_write: Decimal | None = None
    output: Decimal | None = None
    reasoning: Decimal | None = None


FREE = Rates(Decimal(0), Decimal(0), Decimal(0), Decimal(0))


@frozen
class Price:
    """The rates of a model; `tiers` are (input tokens, rates), ascending: a call with more input pays those for all."""

    rates: Rates
    tiers: tuple[tuple[int, Rates], ...] = ()

    def rates_for(self, input_tokens: int) -> Rates:
        """The rates of a call with so many input tokens, cached ones included."""
        return next((rates for above, rates in reversed(self.tiers) if input_tokens > above), self.rates)


@frozen
class PriceTable:
    """Prices by model name. `version` says whose they are and of when."""

    version: str
    _entries: Mapping[str, Mapping[str, Any]] = field(repr=False)
    _own: Mapping[str, Price] = field(factory=dict, repr=False)

    def price(self, model: str) -> Price | None:
        """The price of `provider/model`, of the user's own table first; None when it is unknown, never a guess."""
        if found := self._own.get(model):
            return found
        if model.startswith(RESERVED):
            return Price(FREE)
        entry = self._entries.get(model)
        if entry is None:
            provider, _, bare = model.partition("/")
            entry = self._entries.get(bare)
            if entry is None or not _provides(provider, str(entry.get("litellm_provider"))):
                return None
        return _price(entry)


def load_prices(overrides: Path | None = None) -> PriceTable:
    """The bundled table, with the prices of a TOML file before it. ConfigError when the file does not fit.

    The file says `as_of = "2026-11-30"` and, in USD a million tokens, a table a model:
    `[usd_per_million."openai/gpt-4.1"]` with any of `input`, `cache_read`, `cache_write`, `output`, `reasoning`.
    """
    name, entries = _bundled()
    if overrides is None:
        return PriceTable(name, entries)
    own = _read_overrides(overrides)
    prices = {model: Price(_per_token(rates)) for model, rates in own.usd_per_million.items()}
    return PriceTable(f"{overrides.name} of {own.as_of}, then {name}", entries, prices)


def _rate() -> Any:
    return field(default=None, validator=validators.optional(validators.ge(0)))


@frozen
class _Millions:
    """Rates as a person writes them: USD a million tokens."""

    input: float | None = _rate()
    cache_read: float | None = _rate()
    cache_write: float | None = _rate()
    output: float | None = _rate()
    reasoning: float | None = _rate()


@frozen
class _Overrides:
    """The user's price file."""

    as_of: str
    usd_per_million: dict[str, _Millions]


def _read_overrides(path: Path) -> _Overrides:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise ConfigError(f"is no TOML file: {error}", where=str(path)) from None
    return structure(_Overrides, data, where=str(path))


def _per_token(millions: _Millions) -> Rates:
    # Through its shortest decimal form, which is what the person wrote.
    rates = asdict(millions).items()
    return Rates(**{name: None if usd is None else Decimal(str(usd)) / PER_MILLION for name, usd in rates})


@cache
def _bundled() -> tuple[str, Mapping[str, Mapping[str, Any]]]:
    """The name and the entries of litellm's table; no entries when its wheel carries none."""
    try:
        name = f"litellm {version('litellm')}"
    except PackageNotFoundError:
        return "no price table: litellm is not installed", {}
    spec = find_spec("litellm")  # does not run litellm
    for root in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(root) / PRICE_FILE
        if file.is_file():
            return name, json.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    return f"no price table in {name}", {}


def _provides(provider: str, owner: str) -> bool:
    """Whether an entry of `owner` is one of `provider`'s: `vertex_ai-language-models` belongs to `vertex_ai`."""
    return owner == provider or owner.startswith(f"{provider}-") or owner == f"{provider}_converse"


def _price(entry: Mapping[str, Any]) -> Price:
    rates = _rates(entry)
    thousands = sorted(int(match[1]) for key in entry if (match := _TIER.fullmatch(key)))
    return Price(rates, tuple((1000 * k, _rates(entry, f"_above_{k}k_tokens", rates)) for k in thousands))


def _rates(entry: Mapping[str, Any], suffix: str = "", otherwise: Rates = Rates()) -> Rates:
    """The rates under the keys that end in `suffix`; what has none costs what `otherwise` says."""
    found = {name: entry.get(key + suffix) for name, key in _FIELDS.items()}
    known = {name: Decimal(usd) for name, usd in found.items() if isinstance(usd, Decimal | int)}
    return Rates(**{**asdict(otherwise), **known})
