"""Dates in a question, as what the times of the rows begin with: `in May 2023`, `on 8 May`, `in 2023`."""

from __future__ import annotations

import re

from memkit.query.plan import Clause, Term

_MONTHS = """
    january february march april may june july august september october november december
    """.split()  # noqa: SIM905
_MONTH = "|".join((*_MONTHS, *(month[:3] for month in _MONTHS), "sept"))
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATES = (
    re.compile(r"\b(?P<year>\d{4})-(?P<number>\d{2})(?:-(?P<day>\d{2}))?\b"),
    re.compile(
        rf"\b(?:(?P<day>\d{{1,2}}){_ORDINAL}\s+(?:of\s+)?)(?P<month>{_MONTH})\b\.?,?(?:\s+(?:of\s+)?(?P<year>\d{{4}}))?"
    ),
    re.compile(rf"\b(?P<month>{_MONTH})\b\.?\s+(?P<day>\d{{1,2}}){_ORDINAL}\b(?:,?\s+(?P<year>\d{{4}}))?"),
    re.compile(rf"\b(?:in|during|of|throughout|since|until|before|after|by)\s+(?:early\s+|late\s+|mid-?\s*)?(?P<month>{_MONTH})\b\.?,?(?:\s+(?:of\s+)?(?P<year>\d{{4}}))?"),
    re.compile(r"\b(?:in|during|of|throughout)\s+(?P<year>(?:19|20)\d{2})\b"),
)  # fmt: skip
_OPEN = re.compile(r"\b(?:before|after|since|until|till|from|between|by|prior\s+to)\s+(?:the\s+)?$")


def read_time(plain: str) -> tuple[Clause | None, str]:
    """The clause on the time of the rows that a clause's dates stand for, and its text without them.

    None where it has no date, or one that leaves an end open (`before 8 May`): the language has no order of times.
    """
    for pattern in _DATES:
        match = pattern.search(plain)
        if match is None:
            continue
        rest = plain[: match.start()] + " " * len(match[0]) + plain[match.end() :]
        before = plain[: match.start()]
        # One of the patterns takes the word before the month with it.
        lead = re.match(r"[a-z-]*\s?", match[0])
        is_open = _OPEN.search(before) or _OPEN.search(before + (lead[0] if lead else ""))
        return (None if is_open else Clause("time", (_term(match),))), rest
    return None, plain


def has_open_date(plain: str) -> bool:
    """Whether a date leaves an end open."""
    clause, rest = read_time(plain)
    return clause is None and rest != plain


def _term(match: re.Match[str]) -> Term:
    """`2023-05-08`, `2023-05`, `2023`, or what stands in the middle of a time where the year is not said."""
    groups = match.groupdict()
    month = groups.get("number") or ""
    if name := groups.get("month"):
        month = f"{next(at for at, full in enumerate(_MONTHS, 1) if full.startswith(name[:3])):02d}"
    day = f"{int(groups['day']):02d}" if groups.get("day") else ""
    year = groups.get("year") or ""
    if year:
        return Term("-".join(filter(None, (year, month, day))))
    return Term(f"-{month}-{day}", anywhere=True)
