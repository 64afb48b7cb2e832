"""Prices come from a dated table, the user's own first, and are never guessed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from memkit.accounting.prices import FREE, Price, PriceTable, Rates, load_prices
from memkit.errors import ConfigError

ENTRIES: Mapping[str, Mapping[str, Any]] = {
    "small": {
        "litellm_provider": "openai",
        "input_cost_per_token": Decimal("2e-06"),
        "cache_read_input_token_cost": Decimal("5e-07"),
        "output_cost_per_token": Decimal("8e-06"),
    },
    "gemini/tiered": {
        "litellm_provider": "gemini",
        "input_cost_per_token": Decimal("1e-06"),
        "output_cost_per_token": Decimal("4e-06"),
        "input_cost_per_token_above_128k_tokens": Decimal("2e-06"),
        "input_cost_per_token_above_32k_tokens": Decimal("1.5e-06"),
        "output_cost_per_token_above_128k_tokens": Decimal("6e-06"),
        "input_cost_per_token_above_128k_tokens_priority": Decimal(1),
    },
    "bison": {"litellm_provider": "vertex_ai-language-models", "input_cost_per_token": Decimal("1e-06")},
    "odd": {"litellm_provider": "openai", "input_cost_per_token": "cheap", "output_cost_per_token": 0},
}
SMALL = Price(Rates(input=Decimal("2e-06"), cache_read=Decimal("5e-07"), output=Decimal("8e-06")))


@pytest.fixture
def table() -> PriceTable:
    """A table of few models."""
    return PriceTable("test", ENTRIES)


@pytest.mark.parametrize("name", ["small", "openai/small"])
def test_a_known_model(table: PriceTable, name: str) -> None:
    """A model is found with its provider's name and without, and a class without a rate stays unknown."""
    assert SMALL == table.price(name)


@pytest.mark.parametrize("name", ["azure/small", "openrouter/openai/small", "openai/large", "open/small", ""])
def test_an_unknown_model(table: PriceTable, name: str) -> None:
    """Another provider's model of the same name has no price here."""
    assert None is table.price(name)


def test_a_provider_with_divisions(table: PriceTable) -> None:
    """A provider's entries may be listed under its divisions."""
    assert Price(Rates(input=Decimal("1e-06"))) == table.price("vertex_ai/bison")


def test_a_rate_that_is_no_number(table: PriceTable) -> None:
    """A rate the table does not give as a number is unknown; zero is a price."""
    assert Price(Rates(output=Decimal(0))) == table.price("openai/odd")


def test_own_models_are_free(table: PriceTable) -> None:
    """What runs on the user's machine costs nothing."""
    assert Price(FREE) == table.price("memkit/extractive")


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (32_000, ("1e-06", "4e-06")),
        (32_001, ("1.5e-06", "4e-06")),
        (128_000, ("1.5e-06", "4e-06")),
        (128_001, ("2e-06", "6e-06")),
    ],
)
def test_tiers(table: PriceTable, tokens: int, expected: tuple[str, str]) -> None:
    """A long call pays the rates of its tier, and the base rate where the tier names none."""
    price = table.price("gemini/tiered")

    assert price is not None
    rates = price.rates_for(tokens)
    assert tuple(map(Decimal, expected)) == (rates.input, rates.output)


def test_the_bundled_table() -> None:
    """The table that ships is litellm's, named with its version, and prices a model as its entry says."""
    table = load_prices()
    price = table.price("openai/gpt-4.1")

    assert f"litellm {version('litellm')}" == table.version
    assert price is not None
    assert price.rates.input is not None
    assert price.rates.output is not None
    assert 0 < price.rates.input < price.rates.output < Decimal("0.001")


def test_litellm_is_not_imported() -> None:
    """Reading its table does not run litellm."""
    code = "import json, sys; from memkit import load_prices; load_prices(); print('litellm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "False" == done.stdout.strip()


def test_overrides(tmp_path: Path) -> None:
    """The user's rates come first, whole, in USD a million tokens; other models keep the table's."""
    file = tmp_path / "prices.toml"
    file.write_text(
        'as_of = "2026-11-30"\n[usd_per_million."openai/gpt-4.1"]\ninput = 1.1\noutput = 3\n'
        '[usd_per_million."my/own"]\ninput = 0\n'
    )
    table, bundled = load_prices(file), load_prices()

    assert f"prices.toml of 2026-11-30, then {bundled.version}" == table.version
    assert Price(Rates(input=Decimal("0.0000011"), output=Decimal("0.000003"))) == table.price("openai/gpt-4.1")
    assert Price(Rates(input=Decimal(0))) == table.price("my/own")
    assert bundled.price("openai/gpt-4o") == table.price("openai/gpt-4o")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as_of = 1", "as_of: expected text, got 1"),
        ('as_of = "x"\n[usd_per_million.m]\ninputs = 1', "unknown key 'inputs'; did you mean 'input'?"),
        ('as_of = "x"\n[usd_per_million.m]\ninput = -1', "'input' must be >= 0: -1"),
        ("as_of = ", "is no TOML file"),
        ("", "lacks "),
    ],
)
def test_overrides_that_do_not_fit(tmp_path: Path, text: str, expected: str) -> None:
    """A fault in the price file is named with its place."""
    file = tmp_path / "prices.toml"
    file.write_text(text)

    with pytest.raises(ConfigError) as caught:
        load_prices(file)

    assert str(caught.value).startswith(f"{file}: ")
    assert expected in str(caught.value)


def test_overrides_that_are_not_there(tmp_path: Path) -> None:
    """A price file that cannot be read is an error, not an empty one."""
    with pytest.raises(ConfigError) as caught:
        load_prices(tmp_path / "none.toml")

    assert f"{tmp_path / 'none.toml'}: cannot be read: No such file or directory" == str(caught.value)


def test_every_bundled_entry_is_readable() -> None:
    """No entry of the table makes a price fail, and rates are never negative."""
    table = load_prices()
    prices = [price for name in table._entries if (price := table.price(name))]
    rates = [
        rate
        for price in prices
        for each in (price.rates, *(rates for _, rates in price.tiers))
        for rate in (each.input, each.cache_read, each.cache_write, each.output, each.reasoning)
        if rate is not None
    ]

    assert len(prices) > 1000
    assert [] == [rate for rate in rates if rate < 0]
