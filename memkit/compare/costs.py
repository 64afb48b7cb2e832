"""What an arm costs: the bills of its questions and of its memories, kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memkit.accounting.bills import Bill, bill
from memkit.accounting.bounds import computed
from memkit.accounting.prices import PriceTable
from memkit.accounting.rows import CallRow
from memkit.compare.units import Record
from memkit.converter import make_converter

COSTS = (
    "uncached", "cache_read", "cache_write", "output", "reasoning",
    "floor_tokens", "ceiling_tokens", "usd_logical", "usd_billed", "usd_floor", "usd_ceiling", "retries",
)  # fmt: skip
"""Columns of a bill: tokens by class, the bounds of what had to be computed, US dollars; None is unknown."""


def record_bill(records: Iterable[Record], prices: PriceTable) -> Bill:
    """One bill for all the calls of some records of the unit log; judging is never among them."""
    rows = [_converter.structure(row, CallRow) for record in records for row in record.get("calls", ())]
    return bill(rows, prices) if rows else Bill()


def cost_columns(total: Bill, count: int) -> Mapping[str, float | None]:
    """`total` under the names of `COSTS`, shared out over `count` questions, memories or units."""
    usage = total.usage
    values: tuple[Any, ...] = (
        usage.uncached,
        usage.cache_read,
        usage.cache_write,
        usage.output,
        usage.reasoning,
        computed(total.bounds.floor),
        computed(total.bounds.ceiling),
        *(None if cents is None else cents / 100 for cents in _cents(total)),
        total.retries,
    )
    return {
        name: None if value is None or not count else float(value) / count
        for name, value in zip(COSTS, values, strict=True)
    }


def _cents(total: Bill) -> tuple[Any, ...]:
    return total.cents, total.billed_cents, total.floor_cents, total.ceiling_cents


_converter = make_converter()
