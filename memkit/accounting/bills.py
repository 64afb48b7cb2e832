"""What calls cost in cents, logically and as billed, and summed by whatever they are grouped by."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import TypeAlias, TypeVar

from attrs import astuple, frozen

from memkit.accounting.bounds import Bounds
from memkit.accounting.prices import Price, PriceTable
from memkit.accounting.rows import CallRow
from memkit.records import Usage

K = TypeVar("K", bound=Hashable)
N = TypeVar("N", Decimal, Fraction)
Cents: TypeAlias = Decimal | None
"""US cents, exact; None is unknown, never zero."""
USD_CENTS = 100


@frozen
class Bill:
    """What calls took. Bills add up.

    `bounds.measured` and `cents` are logical: what the work needs, wherever its replies came from.
    `billed` and `billed_cents` are what was paid for. `floor_cents` and `ceiling_cents` price the bounds.
    `unknown` says, a sentence each, why a price is not known.
    """

    calls: int = 0
    billed_calls: int = 0
    retries: int = 0
    seconds: float = 0.0
    bounds: Bounds = Bounds()
    billed: Usage = Usage()
    cents: Cents = Decimal(0)
    billed_cents: Cents = Decimal(0)
    floor_cents: Cents = Decimal(0)
    ceiling_cents: Cents = Decimal(0)
    unknown: tuple[str, ...] = ()

    @property
    def usage(self) -> Usage:
        """The logical tokens by class."""
        return self.bounds.measured

    def __add__(self, other: Bill) -> Bill:
        return Bill(
            calls=self.calls + other.calls,
            billed_calls=self.billed_calls + other.billed_calls,
            retries=self.retries + other.retries,
            seconds=self.seconds + other.seconds,
            bounds=self.bounds + other.bounds,
            billed=self.billed + other.billed,
            cents=_sum(self.cents, other.cents),
            billed_cents=_sum(self.billed_cents, other.billed_cents),
            floor_cents=_sum(self.floor_cents, other.floor_cents),
            ceiling_cents=_sum(self.ceiling_cents, other.ceiling_cents),
            unknown=tuple(dict.fromkeys((*self.unknown, *other.unknown))),
        )


def bill(rows: Iterable[CallRow], prices: PriceTable) -> Bill:
    """The bill of calls; `Booking.rows` gives their rows."""
    return sum((_single(row, prices) for row in rows), Bill())


def bills(rows: Iterable[CallRow], prices: PriceTable, *, by: Callable[[CallRow], K]) -> dict[K, Bill]:
    """A bill for each value of `by`, such as a call's role, model or conversation, in order of appearance."""
    groups: dict[K, list[CallRow]] = {}
    for row in rows:
        groups.setdefault(by(row), []).append(row)
    return {key: bill(group, prices) for key, group in groups.items()}


def cents(usage: Usage, price: Price | None) -> Cents:
    """What the tokens of one call cost; None without a price, a count, or a rate for a class that has tokens."""
    if price is None or usage.input is None or usage.output is None:
        return None
    rates = price.rates_for(usage.input)
    reasoning = usage.reasoning if rates.reasoning not in (None, rates.output) else 0
    if reasoning is None:
        return None
    classes = (
        (usage.uncached, rates.input),
        (usage.cache_read, rates.cache_read),
        (usage.cache_write, rates.cache_write),
        (usage.output - reasoning, rates.output),
        (reasoning, rates.reasoning),
    )
    total = Decimal(0)
    for tokens, rate in classes:
        if tokens and rate is None:
            return None
        total += (tokens or 0) * (rate or Decimal(0))
    return USD_CENTS * total


def break_even(build: N, query: N, other_build: N, other_query: N) -> int | None:
    """After how many questions a memory has cost no more than the other; 0 when its build is no dearer, None if never.

    `build` is what a memory costs once and `query` what each question does, in cents or in tokens. Means are given as
    fractions: a decimal that had to be rounded may count one question too many.
    """
    if build <= other_build:
        return 0
    saved = other_query - query
    return ceil((build - other_build) / saved) if saved > 0 else None


def _single(row: CallRow, prices: PriceTable) -> Bill:
    price, limits = prices.price(row.model), row.bounds
    cost = cents(row.usage, price)
    return Bill(
        calls=1,
        billed_calls=int(row.billed),
        retries=row.retries,
        seconds=row.seconds,
        bounds=limits,
        billed=row.usage if row.billed else Usage(),
        cents=cost,
        billed_cents=cost if row.billed else Decimal(0),
        floor_cents=cents(limits.floor, price),
        ceiling_cents=cents(limits.ceiling, price),
        unknown=() if cost is not None else (_reason(row, price),),
    )


def _reason(row: CallRow, price: Price | None) -> str:
    if price is None:
        return f"no price is known for {row.model}; give one in a price file"
    if None in astuple(row.usage):
        return f"{row.model} did not say how many tokens of each class a call took"
    return f"the price of {row.model} lacks a class of tokens that it used; give it in a price file"


def _sum(a: Cents, b: Cents) -> Cents:
    return None if a is None or b is None else a + b
