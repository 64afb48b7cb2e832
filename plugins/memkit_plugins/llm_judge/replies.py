"""Reading a judge's reply: the JSON it was asked for, or what is left of it; never a guess.

Values come from JSON where the reply is JSON and no more, fenced or not. Otherwise each key is looked for in the text,
and counts when every mention of it gives the same value: a reply that quotes a score from the material it judges, and
gives another one itself, is not understood.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen

Scale: TypeAlias = frozenset[float]
REASON = "reasoning"

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)
# A number that stands alone: "4/5" and "1 out of 5" are on scales of their own, "0 or 1" and "0-1" name a scale.
_VALUE = (
    r"""["'*_]{{0,3}}{key}["'*_]{{0,3}}\s*(?::|=|\bis\b)\s*["'*_]{{0,3}}(-?\d+(?:\.\d+)?)"""
    r"""(?![\w%]|\.\d|\s*(?:/|out\b|of\b|or\b|to\b|[-–,]\s*\d))"""
)


@frozen
class Reading:
    """What a reply says: the value of each key, and the reasons in its own words."""

    values: Mapping[str, float]
    reasons: str


def read_reply(text: str, keys: Sequence[str], scale: Scale) -> Reading | None:
    """The values of `keys`, all of them and all on `scale`; None when the reply does not say clearly."""
    record = _parse(text)
    if record is not None:
        values = {key: _number(record.get(key)) for key in keys}
        reasons = record.get(REASON)
    else:
        values = {key: _mentioned(text, key) for key in keys}
        reasons = None
    if not all(value in scale for value in values.values()):
        return None
    found = {key: value for key, value in values.items() if value is not None}
    return Reading(found, reasons if isinstance(reasons, str) else text.strip())


def _parse(text: str) -> dict[str, Any] | None:
    """The one object that the reply is, alone or in a code fence; None for anything else."""
    fenced = _FENCE.fullmatch(text.strip())
    try:
        pairs = json.loads(fenced[1] if fenced else text, strict=False, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, _Pairs) or len(dict(pairs)) != len(pairs):
        return None
    return dict(pairs)


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object as written: a key given twice is seen."""


def _number(value: Any) -> float | None:
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}(?:\.\d{1,9})?\s*", value, re.ASCII):
        return float(value)
    return float(value) if type(value) in (int, float) else None


def _mentioned(text: str, key: str) -> float | None:
    words = re.escape(key).replace("_", r"[ _]")
    found = re.findall(rf"(?<!\w){_VALUE.format(key=words)}", text, re.ASCII | re.IGNORECASE)
    values = {float(value) for value in found}
    return values.pop() if len(values) == 1 else None
