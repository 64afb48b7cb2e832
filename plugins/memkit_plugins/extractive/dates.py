"""When a remark says something happened, as a date: the remark's words resolved against the day it was made."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import MAXYEAR, MINYEAR, date, timedelta

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NUMBERS = {
    "an": 1,
    "a": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "a couple of": 2,
    "a few": 3,
}
COUNT = rf"(\d{{1,3}}|{'|'.join(NUMBERS)})"
ABSOLUTE = re.compile(
    r"\b(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?"
    rf"({'|'.join(MONTHS)})"
    r"(?: (\d{1,2})(?:st|nd|rd|th)?\b)?(?:,? (\d{4}))?\b"
)


def resolve_when(words: str, said: date) -> str:
    """The date that `words`, spoken on `said`, point at; the day of speaking when they name none.

    A span of days comes back as a phrase anchored to a date ("the week before 9 June 2023"). Words that
    point before the year 1 or after 9999 count as naming none.
    """
    low = words.lower()
    for pattern, resolve in RULES:
        if match := re.search(pattern, low):
            try:
                return resolve(match, said)
            except OverflowError:
                return show_day(said)
    if match := ABSOLUTE.search(words):
        day, month, later_day, year = match.groups()
        number = day or later_day
        return " ".join(part for part in (number, month, year or str(said.year)) if part)
    return show_day(said)


def show_day(day: date) -> str:
    """`9 June 2023`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _show_month(said: date, months: int) -> str:
    index = said.year * 12 + said.month - 1 + months
    return f"{MONTHS[index % 12]} {_year(index // 12)}"


def _show_year(said: date, years: int) -> str:
    return str(_year(said.year + years))


def _year(year: int) -> int:
    if not MINYEAR <= year <= MAXYEAR:
        raise OverflowError
    return year


def _weekday(match: re.Match[str], said: date) -> str:
    back = (said.weekday() - WEEKDAYS.index(match[1])) % 7 or 7
    return show_day(said - timedelta(days=back))


def _coming_weekday(match: re.Match[str], said: date) -> str:
    ahead = (WEEKDAYS.index(match[1]) - said.weekday()) % 7 or 7
    return show_day(said + timedelta(days=ahead))


def _ago(match: re.Match[str], said: date) -> str:
    count = int(match[1]) if match[1].isdigit() else NUMBERS[match[1]]
    match match[2]:
        case "day":
            return show_day(said - timedelta(days=count))
        case "week":
            return show_day(said - timedelta(weeks=count))
        case "month":
            return _show_month(said, -count)
        case _:
            return _show_year(said, -count)


def _shift(days: int) -> Callable[[re.Match[str], date], str]:
    return lambda _, said: show_day(said + timedelta(days=days))


RULES: tuple[tuple[str, Callable[[re.Match[str], date], str]], ...] = (
    (r"\bday before yesterday\b", _shift(-2)),
    (r"\b(?:yesterday|last night)\b", _shift(-1)),
    (r"\btomorrow\b", _shift(1)),
    (rf"\b{COUNT} (day|week|month|year)s? ago\b", _ago),
    (rf"\b(?:last|this past|on) ({'|'.join(WEEKDAYS)})\b", _weekday),
    (rf"\b(?:next|this|coming) ({'|'.join(WEEKDAYS)})\b", _coming_weekday),
    (r"\blast weekend\b", lambda _, said: f"the weekend before {show_day(said)}"),
    (r"\b(?:last|the other|this past) week\b", lambda _, said: f"the week before {show_day(said)}"),
    (r"\bnext week\b", lambda _, said: f"the week after {show_day(said)}"),
    (r"\blast month\b", lambda _, said: _show_month(said, -1)),
    (r"\bnext month\b", lambda _, said: _show_month(said, 1)),
    (r"\bthis month\b", lambda _, said: _show_month(said, 0)),
    (r"\blast year\b", lambda _, said: _show_year(said, -1)),
    (r"\bnext year\b", lambda _, said: _show_year(said, 1)),
)
