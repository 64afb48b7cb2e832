"""Numbers as a reader sees them; a dash is unknown, or cannot be said."""

from __future__ import annotations

from collections.abc import Collection

DASH = "–"
MINUS = "−"
MILLION, THOUSAND = 1_000_000, 1_000


def number(value: float | None, digits: int = 0, *, scale: float = 1.0, sign: bool = False) -> str:
    """`1,234.5`, with a true minus; with `sign`, a plus too. What rounds to zero has no sign."""
    if value is None:
        return DASH
    text = f"{abs(value) * scale:,.{digits}f}"
    if not text.strip("0.,"):
        return text
    return (MINUS if value < 0 else "+" if sign else "") + text


def interval(low: float | None, high: float | None, digits: int = 3, *, scale: float = 1.0, sign: bool = False) -> str:
    """`0.1 to 0.2`."""
    if low is None or high is None:
        return DASH
    return f"{number(low, digits, scale=scale, sign=sign)} to {number(high, digits, scale=scale, sign=sign)}"


def percent(value: float | None, digits: int = 0) -> str:
    """A share as `97 %`; all of it is `100 %` and nothing less is."""
    if value is None:
        return DASH
    if value < 1.0 and round(100 * value, digits) >= 100:
        return "<\u202f100\u00a0%"
    return f"{number(value, digits, scale=100)}\u00a0%"


def probability(p: float | None) -> str:
    """`0.012`; below a thousandth, that it is."""
    if p is None:
        return DASH
    return "<\u202f0.001" if p < 0.001 else f"{p:.3f}"


def short(value: float) -> str:
    """`1.2M`, `12k`, `950`, `0.25`: for axes."""
    for size, letter in ((MILLION, "M"), (THOUSAND, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def title_of(name: str) -> str:
    """A metric or column as words."""
    return name.replace("_", " ")


def count(n: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def listed(words: Collection[str]) -> str:
    """`a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
