"""What a date says, and whether two can be one day."""

from __future__ import annotations

import pytest

from memkit.metrics.dates import Day, covers, find_days, may_be_one


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 2024-05-03T10:00 and 3rd of May", {(2024, 5, 3), (None, 5, 3)}),
        ("Sept 9, 2023; June 2022; in June", {(2022, 6, None)}),
        ("May 12:30 we met", set()),
    ],
)
def test_days(text: str, days: set[Day]) -> None:
    """Days and months with a year are found; a month alone and a time of day are no dates."""
    assert days == find_days(text)


@pytest.mark.parametrize(
    ("one", "other", "covered", "possible"),
    [
        ((2024, 5, 3), (None, 5, 3), True, True),
        ((None, 5, 3), (2024, 5, 3), False, True),
        ((2024, 5, None), (None, 5, 3), False, True),
        ((2024, 5, 3), (2023, 5, 3), False, False),
        ((None, 5, 3), (None, 5, 4), False, False),
    ],
)
def test_compared(one: Day, other: Day, *, covered: bool, possible: bool) -> None:
    """One day covers what says no more; two may be one day when nothing both say differs."""
    assert (covered, possible) == (covers(one, other), may_be_one(one, other))
