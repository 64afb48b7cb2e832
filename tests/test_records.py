"""The few rules that records keep themselves."""

from __future__ import annotations

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from memkit import Conversation, Locator, Session, Step, Trajectory, Turn, Usage

counts = st.none() | st.integers(0, 10**9)
usages = st.builds(Usage, counts, counts, counts, counts, counts)


def turn(index: int, speaker: str) -> Turn:
    """A turn of session 1."""
    return Turn(Locator("S", 1, index), speaker, "text")


def test_speakers() -> None:
    """Speakers come once each, in the order in which they first spoke."""
    session = Session(1, (turn(1, "Ann"), turn(2, "Bo"), turn(3, "Ann")))

    assert ("Ann", "Bo") == session.speakers


def test_units() -> None:
    """Both kinds of stream give their units under one name."""
    session, step = Session(1, ()), Step(Locator("step", 0, 1), 1, "a", "o")

    assert (session,) == Conversation("c", (session,)).units
    assert (step,) == Trajectory("t", "task", (step,)).units


def test_frozen() -> None:
    """A record cannot be changed under those who hold it."""
    with pytest.raises(FrozenInstanceError):
        Usage().output = 1  # type: ignore[misc]


def test_usage_input() -> None:
    """Input counts every token sent, cached or not."""
    assert 6 == Usage(uncached=1, cache_read=2, cache_write=3, output=9).input


@given(usages, usages)
def test_unknown_stays_unknown(a: Usage, b: Usage) -> None:
    """A sum with a part that the provider did not tell is unknown, never smaller than the truth."""
    total = a + b

    unknown = [None in pair for pair in ((a.uncached, b.uncached), (a.cache_read, b.cache_read), (a.output, b.output))]
    assert unknown == [part is None for part in (total.uncached, total.cache_read, total.output)]


@given(usages, usages, usages)
def test_usage_sums(a: Usage, b: Usage, c: Usage) -> None:
    """Usages add up in any grouping and order, from zero."""
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a == a + Usage()
