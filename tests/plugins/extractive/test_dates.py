"""When a remark says that something happened."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memkit.testing.strategies import texts
from memkit_plugins.extractive.dates import RULES, resolve_when, show_day

SAID = date(2024, 3, 14)
"""A Thursday."""
PHRASES = (
    *(
        "yesterday",
        "last night",
        "tomorrow",
        "the day before yesterday",
        "three days ago",
        "999 years ago",
        "a month ago",
    ),
    *("last monday", "next friday", "last weekend", "last week", "next week", "last month", "next month", "this month"),
    *("last year", "next year", "a couple of weeks ago", "12 May", "May 12, 1999"),
)


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("I did it yesterday.", "13 March 2024"),
        ("Last night we danced", "13 March 2024"),
        ("the day before yesterday", "12 March 2024"),
        ("we leave tomorrow", "15 March 2024"),
        ("three days ago", "11 March 2024"),
        ("2 weeks ago", "29 February 2024"),
        ("a couple of weeks ago", "29 February 2024"),
        ("two months ago", "January 2024"),
        ("a few months ago", "December 2023"),
        ("ten or 10 years ago", "2014"),
        ("an hour or a year ago", "2023"),
        ("last Saturday", "9 March 2024"),
        ("last Thursday", "7 March 2024"),
        ("on Wednesday", "13 March 2024"),
        ("next Thursday", "21 March 2024"),
        ("this Friday", "15 March 2024"),
        ("last weekend", "the weekend before 14 March 2024"),
        ("the other week", "the week before 14 March 2024"),
        ("next week", "the week after 14 March 2024"),
        ("last month", "February 2024"),
        ("next month", "April 2024"),
        ("this month", "March 2024"),
        ("last year", "2023"),
        ("next year", "2025"),
        ("on 2 February 2025", "2 February 2025"),
        ("on the 3rd of April", "3 April 2024"),
        ("on April 3rd", "3 April 2024"),
        ("April 3, 2022", "3 April 2022"),
        ("in June 2019", "June 2019"),
        ("back in June", "June 2024"),
        ("I bought a kite", "14 March 2024"),
        ("", "14 March 2024"),
    ],
)
def test_resolve_when(words: str, when: str) -> None:
    """Relative words count from the day they were said, dates stand as they are, other words mean that day."""
    assert when == resolve_when(words, SAID)


@given(
    words=texts() | st.sampled_from(PHRASES) | st.from_regex("|".join(pattern for pattern, _ in RULES)), said=st.dates()
)
@example(words="yesterday", said=date.min)
@example(words="next week", said=date.max)
@example(words="tomorrow", said=date.max)
@example(words="999 years ago", said=SAID.replace(year=998))
@example(words="last month", said=date.min)
@example(words="next month", said=date.max)
@example(words="last year", said=date.min)
@example(words="next year", said=date.max)
def test_any_words_on_any_day(words: str, said: date) -> None:
    """Whatever is said, on the first or the last day there is: some date, in one line."""
    when = resolve_when(words, said)

    assert 1 == len(when.splitlines())
    assert any(character.isdigit() for character in when)


@pytest.mark.parametrize(
    ("words", "said"), [("yesterday", date.min), ("next year", date.max), ("10 years ago", date(9, 1, 1))]
)
def test_beyond_the_calendar(words: str, said: date) -> None:
    """Words that point where there are no dates name none."""
    assert show_day(said) == resolve_when(words, said)
