"""What units of work take, between a perfect cache and none, and what more of them would."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import astuple, frozen

from memkit.accounting.bills import USD_CENTS, cents
from memkit.accounting.bounds import computed
from memkit.accounting.prices import Price, PriceTable
from memkit.accounting.rows import CallRow
from memkit.compare.arms import Arm
from memkit.compare.plan import Cell, Plan
from memkit.compare.spec import Use
from memkit.compare.units import Record, Records
from memkit.converter import make_converter
from memkit.records import Usage

MOST_SAMPLED = 10
"""Answers of an arm that an estimate looks at."""


@frozen
class Range:
    """Tokens that models must work through, and US dollars; None is unknown. Ranges add up."""

    floor_tokens: float | None = 0
    ceiling_tokens: float | None = 0
    usd_floor: float | None = 0.0
    usd_ceiling: float | None = 0.0

    def __add__(self, other: Range) -> Range:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Range(*(None if None in pair else sum(pair) for pair in pairs))

    def times(self, factor: float) -> Range:
        """So much more of it."""
        return Range(*(None if value is None else value * factor for value in astuple(self)))


UNKNOWN = Range(None, None, None, None)


@frozen
class Sampled:
    """What single units of an arm took: an answer, a judgement, and a build for each token of its stream.

    Each from the least to the most that was met; None where none is on record.
    """

    answer: Range | None
    judgement: Range | None
    build: Range | None
    answers: int


def sample_of(
    plan: Plan, arm: Arm, records: Records, sizes: Mapping[str, int], models: Mapping[str, Use], prices: PriceTable
) -> Sampled:
    """What the units of `arm` took that are on record.

    `sizes` are the tokens of each stream; `models` are those of each stage, by which the units are priced.
    """
    cells = [cell for cell in plan.cells if cell.arm is arm]
    price = {stage: prices.price(use.use) for stage, use in models.items()}
    items = [item for cell in cells for item in cell.items]
    answers = [records.answer[item.answer_key] for item in items if item.answer_key in records.answer][:MOST_SAMPLED]
    judged = [records.judge[item.judge_key] for item in items if item.judge_key in records.judge][:MOST_SAMPLED]
    builds = [_build(cell, records, sizes, price["build"]) for cell in cells if cell.build_key in records.build]
    return Sampled(
        _spread([unit_range(record, price["answer"]) for record in answers]),
        _spread([unit_range(record, price["judge"]) for record in judged]),
        _spread(builds),
        len(answers),
    )


def unit_range(record: Record, price: Price | None) -> Range:
    """What the calls of one recorded unit took, at `price`."""
    rows = [_converter.structure(row, CallRow) for row in record["calls"]]
    return sum((_call_range(row, price) for row in rows), Range())


def _call_range(row: CallRow, price: Price | None) -> Range:
    floor, ceiling = row.bounds.floor, row.bounds.ceiling
    return Range(computed(floor), computed(ceiling), _usd(floor, price), _usd(ceiling, price))


def _usd(usage: Usage, price: Price | None) -> float | None:
    cost = cents(usage, price)
    return None if cost is None else float(cost / USD_CENTS)


def _build(cell: Cell, records: Records, sizes: Mapping[str, int], price: Price | None) -> Range:
    return unit_range(records.build[cell.build_key], price).times(1 / max(sizes[cell.case.stream.id], 1))


def _spread(ranges: Sequence[Range]) -> Range | None:
    """From the least floor to the greatest ceiling."""
    if not ranges:
        return None
    floors, ceilings = [one.floor_tokens for one in ranges], [one.ceiling_tokens for one in ranges]
    usd_floors, usd_ceilings = [one.usd_floor for one in ranges], [one.usd_ceiling for one in ranges]
    return Range(_known(min, floors), _known(max, ceilings), _known(min, usd_floors), _known(max, usd_ceilings))


def _known(choose: Callable[[list[float]], float], values: Sequence[float | None]) -> float | None:
    """None when one of them is unknown."""
    known = [value for value in values if value is not None]
    return choose(known) if len(known) == len(values) else None


_converter = make_converter()
