"""Paired differences as forest plots: a row a contrast, all rows of one plot along one scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from attrs import frozen

from memkit.report.figures.scale import Scale, fit
from memkit.report.figures.strip import axis, strip, strip_scale
from memkit.report.numbers import short
from memkit.report.verdicts import tone
from memkit.runs.analysis import Analysis
from memkit.runs.contrasts import Contrast

ROWS = 300
"""Of all plots of one kind; a run of many arms and categories has thousands, which `stats.json` holds."""
KINDS = {"good": "better", "bad": "worse", "open": "plain", "warn": "plain"}


@frozen
class Forest:
    """The contrasts of one metric, or, of slices, those of one pair of arms."""

    name: str
    contrasts: tuple[Contrast, ...]
    scale: Scale

    def row(self, one: Contrast) -> Element:
        """One contrast."""
        found = one.difference
        return strip(self.scale, found.mean, found.low, found.high, KINDS[tone(one)], 0.0)

    @property
    def axis(self) -> Element:
        """What stands below the rows."""
        return axis(self.scale, _signed, 0.0)


@frozen
class Forests:
    """The declared contrasts on the primary metric, those on the others, the slices, and how many are left out."""

    declared: tuple[Forest, ...]
    others: tuple[Forest, ...]
    others_left: int
    slices: tuple[Forest, ...]
    slices_left: int


def make_forests(found: Analysis) -> Forests:
    """The plots of a run."""
    declared = [one for one in found.contrasts if not one.exploratory]
    others = sorted((one for one in found.contrasts if one.exploratory), key=lambda one: one.metric)
    return Forests(
        _plots(declared, lambda one: one.metric),
        _plots(others[:ROWS], lambda one: one.metric),
        max(len(others) - ROWS, 0),
        _plots(found.slices[:ROWS], lambda one: f"{one.arm} against {one.against}"),
        max(len(found.slices) - ROWS, 0),
    )


def _plots(contrasts: Iterable[Contrast], name: Callable[[Contrast], str]) -> tuple[Forest, ...]:
    groups = [(key, tuple(group)) for key, group in groupby(contrasts, key=name)]
    return tuple(Forest(key, group, _scale(group)) for key, group in groups)


def _scale(contrasts: Sequence[Contrast]) -> Scale:
    found = [one.difference for one in contrasts]
    values = [value for one in found for value in (one.mean, one.low, one.high) if value is not None]
    ends = fit(values, 0, 1, zero=True, most=4)
    return strip_scale(ends.low, ends.high)


def _signed(value: float) -> str:
    text = short(abs(value))
    return text if value == 0 else f"{'−' if value < 0 else '+'}{text}"
