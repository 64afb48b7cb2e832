"""How long to wait before the same call is made again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from math import isfinite
from random import Random

FIRST = 1.0
"""Seconds before the second attempt, at most; each later wait may be twice as long as the one before."""
LONGEST = 60.0
"""Seconds no wait exceeds, also when the provider asks for more."""


def pause(attempt: int, retry_after: float | None, chance: Random, *, first: float = FIRST) -> float:
    """Seconds to wait after failure number `attempt` (from 0).

    Exponential, half of it drawn from `chance` so that calls that failed together do not come back
    together. Never shorter than what the provider asked for, and never longer than LONGEST.
    """
    if retry_after is not None:
        return min(LONGEST, retry_after + chance.uniform(0, first))
    doubled = min(LONGEST, first * 2.0 ** min(attempt, 32))
    return chance.uniform(doubled / 2, doubled)


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a reply's headers ask to wait: `retry-after-ms`, or `Retry-After` (RFC 9110, section 10.2.3)."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = str(headers.get(name) or "").strip()
        try:
            seconds = float(text) / unit
        except ValueError:
            continue
        return max(0.0, seconds) if isfinite(seconds) else None
    try:
        return max(0.0, parsedate_to_datetime(str(headers.get("retry-after") or "")).timestamp() - time.time())
    except ValueError:
        return None
