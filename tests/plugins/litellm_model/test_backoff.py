"""How long to wait between attempts."""

from __future__ import annotations

import time
from email.utils import formatdate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit_plugins.litellm_model.backoff import LONGEST, pause, read_retry_after

SECONDS = st.floats(0, 1e6)


@given(st.integers(0, 10_000), st.none() | SECONDS, st.integers(), st.floats(0.001, 10))
def test_waits_are_bounded(attempt: int, retry_after: float | None, seed: int, first: float) -> None:
    """No wait is longer than LONGEST, and none is shorter than what the provider asked for, up to there."""
    waited = pause(attempt, retry_after, Random(seed), first=first)

    assert min(LONGEST, retry_after or 0) <= waited <= LONGEST


@given(st.integers(0, 5), st.integers())
def test_waits_double(attempt: int, seed: int) -> None:
    """Without word from the provider a wait is between half and all of a time that doubles."""
    assert 2**attempt / 2 <= pause(attempt, None, Random(seed), first=1) <= 2**attempt


def test_the_same_seed_waits_the_same() -> None:
    """What is drawn depends on the seed alone."""
    waits = [[pause(attempt, None, chance) for attempt in range(5)] for chance in (Random("a"), Random("a"))]

    assert waits[0] == waits[1]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0.25 "}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({}, None),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], expected: float | None) -> None:
    """Seconds, milliseconds and dates are read; anything else is as if nothing was said."""
    assert expected == read_retry_after(headers)


def test_a_date_is_time_from_now() -> None:
    """An HTTP date names the moment to come back."""
    seconds = read_retry_after({"retry-after": formatdate(time.time() + 100, usegmt=True)})

    assert seconds is not None
    assert 50 < seconds <= 100


@given(st.dictionaries(st.sampled_from(("retry-after", "retry-after-ms")), st.text(max_size=30)))
def test_any_header_is_borne(headers: dict[str, str]) -> None:
    """No header a provider sends ends a run."""
    assert (read_retry_after(headers) or 0.0) >= 0.0
