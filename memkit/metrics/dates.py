"""Dates as people and programs write them in English, and what each says."""

from __future__ import annotations

import re
from typing import TypeAlias

Day: TypeAlias = tuple[int | None, int, int | None]
"""Year, month and day of the month; None where it was not said."""

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" if len(month) > 3 else month for month in MONTHS)
DATE = re.compile(
    rf"""\b(?: (?P<y>\d{{4}})-(?P<m>\d\d)-(?P<d>\d\d) (?:T\d\d:\d\d\S*)?
    | (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:[ ]of)?[ ](?P<m1>{_MONTH})\b\.?(?:,?[ ](?P<y1>\d{{4}})\b)?
    | (?P<m2>{_MONTH})\b\.?[ ](?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.,]\d)(?:,?[ ](?P<y2>\d{{4}})\b)?
    | (?P<m3>{_MONTH})\b\.?,?[ ](?P<y3>\d{{4}})\b )""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""A day, or a month with its year; `day_of` reads a match."""


def find_days(text: str) -> set[Day]:
    """The distinct days that a text names."""
    return {day_of(match) for match in DATE.finditer(text)}


def day_of(match: re.Match[str]) -> Day:
    """What a match of `DATE` says."""
    parts = match.groupdict()
    if parts["y"]:
        return int(parts["y"]), int(parts["m"]), int(parts["d"])
    form = next(number for number in "123" if parts[f"m{number}"])
    month = next(n for n, name in enumerate(MONTHS, 1) if name.startswith(parts[f"m{form}"].lower()[:3]))
    year, day = parts[f"y{form}"], parts.get(f"d{form}")
    return int(year) if year else None, month, int(day) if day else None


def covers(held: Day, day: Day) -> bool:
    """Whether `held` says all that `day` says."""
    return all(wanted in (None, given) for given, wanted in zip(held, day, strict=True))


def may_be_one(one: Day, other: Day) -> bool:
    """Whether both can be the same day: they differ in nothing that both say."""
    return all(None in (a, b) or a == b for a, b in zip(one, other, strict=True))
