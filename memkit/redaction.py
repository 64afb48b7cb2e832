"""Keeping secrets off the disk: they are cut out of texts by value and by pattern."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, cast

T = TypeVar("T")

HIDDEN = "[redacted]"
"""What stands for a secret; needs no escaping in JSON."""
SECRET_NAME = re.compile(r"(?:^|_)(?:API_KEY|ACCESS_KEY|TOKEN|SECRET)$", re.IGNORECASE)
"""Environment variables whose values are secrets."""
LEAST_CHARACTERS = 8
LEAST_LETTERS = 16
"""Shorter values, or shorter ones of letters alone, are words such as `disabled`; hiding them would spoil texts."""
_MARKS = ("sk-", "Bearer ")
# Keys hold digits; a word such as `sk-learn-compatible-estimators` does not.
_PATTERN = re.compile(r"\bsk-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}|(?<=\bBearer )(?=[^\s\d]*\d)[A-Za-z0-9._~+/=-]{16,}")


def redact(data: T) -> T:
    """`data` (text, or lists and maps of it as JSON has them) with `[redacted]` for every secret.

    Secrets are the values of environment variables named `*_API_KEY`, `*_ACCESS_KEY`, `*_TOKEN` or
    `*_SECRET`, and what looks like a key (`sk-…`) or follows `Bearer`.
    """
    # Longest first: one secret may be the beginning of another.
    return cast(T, _redact(data, sorted(_secrets(os.environ), key=len, reverse=True)))


def _redact(data: Any, secrets: list[str]) -> Any:
    if isinstance(data, str):
        for secret in secrets:
            data = data.replace(secret, HIDDEN)
        # The search for the marks is many times quicker than that for the pattern, and mostly in vain.
        return _PATTERN.sub(HIDDEN, data) if any(mark in data for mark in _MARKS) else data
    if isinstance(data, Mapping):
        return {_redact(key, secrets): _redact(value, secrets) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_redact(value, secrets) for value in data]
    return data


def _secrets(environment: Mapping[str, str]) -> Iterator[str]:
    for name in filter(SECRET_NAME.search, environment):
        value = environment[name].strip()
        if len(value) >= (LEAST_LETTERS if value.isalpha() else LEAST_CHARACTERS):
            yield value
