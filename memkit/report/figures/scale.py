"""From values to places along an axis, and where the ticks of an axis stand."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, isfinite, log10

from attrs import frozen

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Between ticks, times a power of ten."""

NARROW = 1e-9
"""Relative; values that differ by less have one place, since ticks between them could not be told apart."""


@frozen
class Scale:
    """Maps `low` to `start` and `high` to `end`; what lies outside is put at the end that is nearer."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of `value`."""
        if self.high <= self.low:
            return (self.start + self.end) / 2
        share = min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 5) -> list[float]:
        """Round values from `low` to `high`, at most so many and one more."""
        step = nice_step(self.high - self.low, most)
        first = ceil(self.low / step - 1e-9)
        last = floor(self.high / step + 1e-9)
        digits = max(2 - floor(log10(step)), 0)  # 3 * 0.1 is not 0.3
        return [round(place * step, digits) + 0.0 for place in range(first, last + 1)]


def fit(values: Iterable[float], start: float, end: float, *, zero: bool = False, most: int = 5) -> Scale:
    """A scale whose ends are round and hold all `values`, and zero too where asked. Without values it is 0 to 1."""
    known = [value for value in values if isfinite(value)]
    if zero or not known:
        known.append(0.0)
    low, high = min(known), max(known)
    if high - low <= NARROW * max(abs(low), abs(high)):
        high = low + (abs(low) or 1.0)
    step = nice_step(high - low, most)
    return Scale(floor(low / step + 1e-9) * step + 0.0, ceil(high / step - 1e-9) * step, start, end)


def nice_step(span: float, most: int) -> float:
    """The smallest round step of which `most` cover `span`; 1 for no span."""
    if span <= 0 or not isfinite(span):
        return 1.0
    power = 10.0 ** floor(log10(span / most))
    return next(step * power for step in STEPS if step * power * most >= span * (1 - 1e-9))
