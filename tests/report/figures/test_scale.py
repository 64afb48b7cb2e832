from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memkit.report.figures.scale import Scale, fit, nice_step

VALUES = st.lists(st.floats(-1e9, 1e9), max_size=8)


@given(VALUES, st.booleans())
def test_fit(values: list[float], zero: bool) -> None:  # noqa: FBT001 - a case
    """All values lie within round ends, and zero too where asked."""
    scale = fit(values, 0, 100, zero=zero)
    slack = 1e-6 * (scale.high - scale.low)

    assert scale.low < scale.high
    assert all(scale.low - slack <= value <= scale.high + slack for value in values)
    if zero or not values:
        assert scale.low <= 0 <= scale.high


@given(VALUES)
def test_ticks(values: list[float]) -> None:
    """There are ticks, few, rising, and within the ends."""
    scale = fit(values, 0, 100)
    ticks = scale.ticks()

    assert 1 <= len(ticks) <= 7
    assert sorted(set(ticks)) == ticks
    assert all(0 <= scale.at(tick) <= 100 for tick in ticks)


def test_places() -> None:
    """A value lies in proportion; beyond the ends it lies at the nearer one; a scale without length has a middle."""
    scale = Scale(0, 10, 100, 200)

    assert [100, 125, 200, 100] == [scale.at(value) for value in (0, 2.5, 11, -1)]
    assert [0.0, 2.5, 5.0, 7.5, 10.0] == scale.ticks(4)
    assert 150 == Scale(1, 1, 100, 200).at(1)


def test_steps() -> None:
    """Steps are 1, 2, 2.5 or 5 times a power of ten; no span gives 1."""
    assert [0.25, 2.0, 5000.0, 1.0] == [nice_step(span, 4) for span in (1.0, 7.0, 17_000, 0.0)]
