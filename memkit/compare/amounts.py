"""Amounts as people write them in a spec: `20M` tokens, `2h`, `5` dollars."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

TOKENS = {"": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000}
SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
AMOUNT = r"[0-9]+(\.[0-9]+)?"
_WRITTEN = re.compile(rf"({AMOUNT})\s?([A-Za-z]*)", re.ASCII)


def read_tokens(value: Any, _: Any = None) -> int | None:
    """A whole number, or text such as `500k` or `1.5M`. ValueError for anything else."""
    amount = _read(value, TOKENS, "a number of tokens, such as 500000, 500k or 20M")
    return None if amount is None else round(amount)


def read_seconds(value: Any, _: Any = None) -> float | None:
    """A number of seconds, or text such as `90s`, `45m` or `2h`. ValueError for anything else."""
    return _read(value, {"": 1, **SECONDS}, "a time, such as 90 (seconds), 45m or 2h")


def _read(value: Any, units: dict[str, int], wanted: str) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)):
        return value
    found = _WRITTEN.fullmatch(value) if isinstance(value, str) else None
    if found is None or found[3] not in units:
        raise ValueError(f"expected {wanted}, got {value!r}")
    return float(found[1]) * units[found[3]]
