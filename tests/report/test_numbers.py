from __future__ import annotations

import pytest

from memkit.report.numbers import interval, listed, number, percent, probability, short


@pytest.mark.parametrize(
    ("shown", "value", "digits", "sign"),
    [
        ("–", None, 1, False), ("1,234.5", 1234.46, 1, False), ("−0.2", -0.2, 1, False), ("+0.2", 0.2, 1, True),
        ("0.0", -0.04, 1, True), ("0", 0.0, 0, True), ("−1,000", -1000, 0, True),
    ],
)  # fmt: skip
def test_number(shown: str, value: float | None, digits: int, sign: bool) -> None:  # noqa: FBT001 - a case
    """Thousands are grouped, the minus is a true one, what rounds to zero has no sign."""
    assert shown == number(value, digits, sign=sign)


def test_interval() -> None:
    """Both ends, or a dash."""
    assert ("−0.1 to +0.2", "–") == (interval(-0.1, 0.2, 1, sign=True), interval(None, 0.2))


@pytest.mark.parametrize(
    ("shown", "value"), [("100 %", 1.0), ("<\u202f100 %", 0.9999), ("99 %", 0.99), ("0 %", 0.0), ("–", None)]
)
def test_percent(shown: str, value: float | None) -> None:
    """Nothing but all is 100 %."""
    assert shown.replace(" %", "\u00a0%") == percent(value)


def test_probability() -> None:
    """A p is never written as 0."""
    assert ["<\u202f0.001", "0.050", "1.000", "–"] == [probability(p) for p in (0.0001, 0.05, 1.0, None)]


def test_short() -> None:
    """Axes have few characters."""
    assert ["1.2M", "12k", "950", "0.25", "0"] == [short(v) for v in (1_200_000, 12_000, 950, 0.25, 0.0)]


def test_listed() -> None:
    """As one says it."""
    assert ["a", "a and b", "a, b and c"] == [listed(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])]
