"""Cents by hand, logical beside billed, and sums that add up."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.accounting.bills import Bill, bill, bills, break_even, cents
from memkit.accounting.call import Call
from memkit.accounting.prices import Price, PriceTable, Rates
from memkit.accounting.rows import call_rows
from memkit.records import Message, Usage

MICRO = Decimal("1e-06")
PRICE = Price(Rates(2 * MICRO, MICRO / 2, Decimal("2.5") * MICRO, 8 * MICRO))
TABLE = PriceTable("test", {}, {"openai/gpt-4.1": PRICE, "half": Price(Rates(input=MICRO, output=MICRO))})
SYSTEM, ASK, MORE = Message("system", "s"), Message("user", "u"), Message("tool", "t")


def test_cents_by_hand() -> None:
    """Each class at its own rate: 1000*2 + 4000*0.5 + 400*2.5 + 100*8 micro-dollars are 0.58 cents."""
    assert Decimal("0.58") == cents(Usage(1000, 4000, 400, 100, 60), PRICE)


def test_reasoning_has_its_own_rate() -> None:
    """Thinking is priced by its own rate where there is one: 40*8 + 60*10 micro-dollars are 0.092 cents."""
    price = Price(Rates(output=8 * MICRO, reasoning=10 * MICRO))

    assert Decimal("0.092") == cents(Usage(output=100, reasoning=60), price)
    assert None is cents(Usage(output=100, reasoning=None), price)
    assert Decimal("0.08") == cents(Usage(output=100, reasoning=None), PRICE)


def test_a_long_call_pays_its_tier() -> None:
    """The rates of the tier hold for all tokens of the call, and cached input counts towards it."""
    price = Price(Rates(input=MICRO, cache_read=MICRO), ((1000, Rates(input=3 * MICRO, cache_read=2 * MICRO)),))

    assert Decimal("0.1") == cents(Usage(500, 500), price)
    assert Decimal("0.2502") == cents(Usage(500, 501), price)


@pytest.mark.parametrize(
    ("usage", "price"),
    [
        (Usage(1), None),
        (Usage(None), PRICE),
        (Usage(1, None), PRICE),
        (Usage(1, output=None), PRICE),
        (Usage(0, 1), Price(Rates(input=MICRO, output=MICRO))),
        (Usage(1), Price(Rates(output=MICRO))),
    ],
)
def test_unknown_is_not_zero(usage: Usage, price: Price | None) -> None:
    """Without a price, a count, or a rate for a class that has tokens, the cost is unknown."""
    assert None is cents(usage, price)


def test_a_class_without_tokens_needs_no_rate() -> None:
    """What was not used costs nothing, whatever its rate."""
    assert Decimal("0.0001") == cents(Usage(1), Price(Rates(input=MICRO)))


def test_logical_and_billed_by_hand(make_call: Callable[..., Call]) -> None:
    """A replayed call counts in the logical bill and not in the billed one.

    First call: 100*2 + 20*8 = 360 micro-dollars, paid. Second, replayed: 50*2 + 100*0.5 + 30*8 = 390.
    Floor of the second: (150 - 100)*2 + 100*0.5 + 30*8 = 390. Ceiling: 150*2 + 30*8 = 540.
    """
    calls = [
        make_call((SYSTEM, ASK), Usage(100, output=20)),
        make_call((SYSTEM, ASK, MORE), Usage(50, 100, output=30), billed=False),
    ]
    found = bill(call_rows(calls), TABLE)

    assert (2, 1, 2, 4.0) == (found.calls, found.billed_calls, found.retries, found.seconds)
    assert (Usage(150, 100, output=50), Usage(100, output=20)) == (found.usage, found.billed)
    assert (Decimal("0.075"), Decimal("0.036")) == (found.cents, found.billed_cents)
    assert (Decimal("0.075"), Decimal("0.09")) == (found.floor_cents, found.ceiling_cents)
    assert () == found.unknown


def test_why_a_price_is_unknown(make_call: Callable[..., Call]) -> None:
    """Each reason is said once, and what is billed by nobody stays known."""
    calls = [
        make_call((SYSTEM,), Usage(1), model="my/model", billed=False),
        make_call((SYSTEM,), Usage(1), model="my/model", billed=False),
        make_call((SYSTEM,), Usage(0, 1), model="half", billed=False),
        make_call((SYSTEM,), Usage(None), billed=False),
    ]
    found = bill(call_rows(calls), TABLE)

    assert (None, Decimal(0)) == (found.cents, found.billed_cents)
    assert (
        "no price is known for my/model; give one in a price file",
        "the price of half lacks a class of tokens that it used; give it in a price file",
        "openai/gpt-4.1 did not say how many tokens of each class a call took",
    ) == found.unknown


def test_groups(make_call: Callable[..., Call]) -> None:
    """A bill for each conversation, in the order they began, whose sum is the whole."""
    calls = [
        make_call((SYSTEM,), Usage(5), conversation="b"),
        make_call((SYSTEM,), Usage(7), conversation="a"),
        make_call((SYSTEM, ASK), Usage(9), conversation="b"),
    ]
    groups = bills(call_rows(calls), TABLE, by=lambda call: call.conversation)

    assert ["b", "a"] == list(groups)
    assert [Usage(14), Usage(7)] == [group.usage for group in groups.values()]
    assert bill(call_rows(calls), TABLE) == sum(groups.values(), Bill())


@pytest.mark.parametrize(
    ("build", "query", "expected"),
    [(10, 1, 0), (5, 9, 0), (30, 1, 20), (31, 1, 21), (30, 2, None), (30, 3, None)],
    ids=["same", "cheaper", "exact", "rounded up", "saves nothing", "costs more"],
)
def test_break_even(build: int, query: int, expected: int | None) -> None:
    """Against a build of 10 and 2 a question: how many questions pay back a dearer build."""
    assert expected == break_even(Decimal(build), Decimal(query), Decimal(10), Decimal(2))


def test_break_even_of_thirds() -> None:
    """Fractions are exact: a build dearer by 1 that saves a third a question has paid after three."""
    assert 3 == break_even(Fraction(2), Fraction(1, 3), Fraction(1), Fraction(2, 3))


COUNTS = st.integers(0, 10_000)
USAGES = st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS)


@given(USAGES, USAGES)
def test_cost_is_additive_and_monotonic(a: Usage, b: Usage) -> None:
    """Without tiers, the cost of two usages is the cost of their sum, and more tokens never cost less."""
    apart = [cents(usage, PRICE) for usage in (a, b)]
    together = cents(a + b, PRICE)

    assert None not in (*apart, together)
    assert sum(cost for cost in apart if cost is not None) == together
    assert all(cost <= together for cost in apart if cost is not None and together is not None)


@given(st.lists(st.tuples(USAGES, st.booleans(), st.sampled_from("ab")), max_size=6), st.integers(0, 6))
def test_bills_add_up(drawn: list[tuple[Usage, bool, str]], cut: int) -> None:
    """Bills of separate conversations add up to that of all, and nothing is billed that was not needed."""
    from memkit.records import Request

    calls = [
        Call("k", "search", "openai/gpt-4.1", usage, billed, 0.5, 0, f"{name}{number}", 0, Request((SYSTEM,), "search"))
        for number, (usage, billed, name) in enumerate(drawn)
    ]
    whole = bill(call_rows(calls), TABLE)

    assert bill(call_rows(calls[:cut]), TABLE) + bill(call_rows(calls[cut:]), TABLE) == whole
    assert whole.cents is not None
    assert whole.billed_cents is not None
    assert whole.billed_cents <= whole.cents
