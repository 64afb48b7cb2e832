"""What one recorded unit took: its calls with their prices, and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from attrs import field, frozen

from memkit.accounting.bills import USD_CENTS, Cents, cents
from memkit.accounting.prices import Price, PriceTable
from memkit.accounting.rows import CallRow
from memkit.compare.units import Record
from memkit.converter import make_converter
from memkit.records import Usage
from memkit.runs.columns import SPENT


@frozen
class Priced:
    """A call, and its price in US dollars; None is unknown."""

    row: CallRow
    usd: float | None


@frozen
class Pricer:
    """Reads the calls of recorded units, and prices them by one table."""

    prices: PriceTable
    _price: Any = field(init=False, repr=False)

    @_price.default
    def _cached_price(self) -> Any:
        return cache(self.prices.price)

    def calls(self, record: Record) -> list[Priced]:
        """The calls of a unit, in the order they were made."""
        rows = [_converter.structure(row, CallRow) for row in record.get("calls", ())]
        return [Priced(row, _usd(self._cents(row))) for row in rows]

    def spent(self, record: Record) -> dict[str, float | int | None]:
        """What a unit took, under the names of `SPENT`: logically, and as billed."""
        rows = [_converter.structure(row, CallRow) for row in record.get("calls", ())]
        usage = sum((row.usage for row in rows), Usage())
        logical = _total(self._cents(row) for row in rows)
        billed = _total(self._cents(row) for row in rows if row.billed)
        tokens: Sequence[int | None] = (
            usage.uncached, usage.cache_read, usage.cache_write, usage.output, usage.reasoning,
        )  # fmt: skip
        values = (*tokens, _usd(logical), _usd(billed), sum(row.retries for row in rows))
        return dict(zip(SPENT, values, strict=True))

    def _cents(self, row: CallRow) -> Cents:
        price: Price | None = self._price(row.model)
        return cents(row.usage, price)


def _total(values: Iterable[Cents]) -> Cents:
    total = Decimal(0)
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _usd(amount: Cents) -> float | None:
    return None if amount is None else float(amount / USD_CENTS)


_converter = make_converter()
