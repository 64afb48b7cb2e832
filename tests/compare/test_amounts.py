from __future__ import annotations

from typing import Any

import pytest

from memkit.compare.amounts import read_seconds, read_tokens


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        (500, 500),
        ("500", 500),
        ("500k", 500_000),
        ("1.5M", 1_500_000),
        ("20 M", 20_000_000),
        ("2G", 2 * 10**9),
        (None, None),
    ],
)
def test_tokens(written: Any, tokens: int | None) -> None:
    """A number, or one with a unit, with or without a space."""
    assert tokens == read_tokens(written)


@pytest.mark.parametrize(("written", "seconds"), [(90, 90), ("90s", 90), ("45m", 2700), ("1.5h", 5400), ("1d", 86_400)])
def test_seconds(written: Any, seconds: float) -> None:
    """A number of seconds, or one with a unit."""
    assert seconds == read_seconds(written)


@pytest.mark.parametrize("written", ["", "k", "20m", "2 h", "-1k", "1e6", True, [], "٣k", float("inf"), float("nan")])
def test_no_tokens(written: Any) -> None:
    """Other units, signs, other digits and other types are refused, with an example."""
    with pytest.raises(ValueError, match="expected a number of tokens, such as 500000, 500k or 20M, got"):
        read_tokens(written)
