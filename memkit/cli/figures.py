"""Figures as the cells of tables: a dash is unknown, or cannot be said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from memkit.cli.console import say, say_table
from memkit.runs.contrasts import Contrast

DASH = "-"
CONTRAST_COLUMNS = ("difference", "95\u00a0% interval", "p", "adjusted p", "better", "worse", "questions", "streams")


def number(value: float | None, digits: int, *, scale: float = 1, sign: str = "") -> str:
    """`1,234.5`; `sign` is `+` to write it always."""
    return DASH if value is None else f"{value * scale:{sign},.{digits}f}"


def interval(low: float | None, high: float | None, digits: int = 3, *, scale: float = 1, sign: str = "") -> str:
    """`0.1 to 0.2`."""
    if low is None or high is None:
        return DASH
    return f"{number(low, digits, scale=scale, sign=sign)} to {number(high, digits, scale=scale, sign=sign)}"


def title_of(metric: str) -> str:
    """A metric as a table calls it."""
    return metric.replace("_", " ")


def say_contrasts(title: str, contrasts: Sequence[Contrast]) -> None:
    """A table of contrasts, grouped by pair, and how its figures came about; nothing for none."""
    if not contrasts:
        return
    say_table(title, ["", *CONTRAST_COLUMNS], list(_rows(contrasts)))
    for method in dict.fromkeys(one.difference.method for one in contrasts):
        say(f"  {method}")
    if any(one.difference.sign_p is not None for one in contrasts):
        say("  p in brackets: of that sign test")
    for adjustment in dict.fromkeys(one.adjustment for one in contrasts if one.p_adjusted is not None):
        names = {
            "holm": "Holm, over this table",
            "benjamini-hochberg": "Benjamini-Hochberg, over this table: exploratory",
        }
        say(f"  adjusted p: {names[adjustment]}")


def _rows(contrasts: Sequence[Contrast]) -> Iterator[list[str]]:
    for (arm, against), group in groupby(contrasts, key=lambda one: (one.arm, one.against)):
        yield [arm if arm == against else f"{arm} against {against}", *("" for _ in CONTRAST_COLUMNS)]
        for one in group:
            name = one.category or title_of(one.metric)
            yield [f"  {name}", *_contrast(one)]


def _contrast(one: Contrast) -> list[str]:
    found = one.difference
    return [
        number(found.mean, 3, sign="+"),
        interval(found.low, found.high, sign="+"),
        f"({found.sign_p:.4f})" if found.sign_p is not None else number(found.p, 4),
        number(one.p_adjusted, 4),
        str(one.better),
        str(one.worse),
        str(found.items),
        str(found.clusters),
    ]
