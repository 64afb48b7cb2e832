from __future__ import annotations

import pytest

from memkit.query.plan import Clause, Term
from memkit.query.rules.times import has_open_date, read_time


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in may 2023", Term("2023-05")),
        ("on 8 may 2023", Term("2023-05-08")),
        ("on the 8th of may, 2023", Term("2023-05-08")),
        ("on may 8, 2023", Term("2023-05-08")),
        ("on 2023-05-08", Term("2023-05-08")),
        ("in 2023", Term("2023")),
        ("in may", Term("-05-", anywhere=True)),
        ("on 8 may", Term("-05-08", anywhere=True)),
        ("in sept. 2023", Term("2023-09")),
    ],
)
def test_dates(text: str, expected: Term) -> None:
    """A day, month or year is what the times of its rows begin with, or hold where the year is not said."""
    assert Clause("time", (expected,)) == read_time(text)[0]


@pytest.mark.parametrize("text", ["before 8 may 2023", "since may", "until 2023-05-08", "after may 8"])
def test_open_dates(text: str) -> None:
    """The language has no order of times, so a date with an open end is told apart."""
    assert has_open_date(text)


@pytest.mark.parametrize("text", ["may i ask", "the march of time", "", "step 2023"])
def test_no_date(text: str) -> None:
    """A month's name alone is a word."""
    assert (None, text) == read_time(text)
