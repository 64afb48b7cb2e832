"""Loads are binned as documented, and what is not known is in no bin."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memkit.compare.loads import BINS, LoadBin, by_load
from memkit.compare.results import Row


def row(arm: str, load: int | None, score: float | None) -> Row:
    """A row of an arm."""
    scores = {} if score is None else {"m": score}
    return Row(arm, "s", f"q{load}", "", 0, "answered", scores, load=load)


def test_bins() -> None:
    """Each arm's mean by bin; a bin that only one arm reaches has no mean for the other."""
    rows = [
        row("a", 5, 1.0),
        row("a", 6, 0.0),
        row("a", 15, 1.0),
        row("b", 5, 0.0),
        row("a", 101, 0.5),
        row("a", None, 1.0),
    ]
    assert (
        LoadBin(0, 5, 1, {"a": 1.0, "b": 0.0}),
        LoadBin(6, 15, 2, {"a": 0.5, "b": None}),
        LoadBin(101, None, 1, {"a": 0.5, "b": None}),
    ) == by_load(rows, ["a", "b"], "m")


def test_nothing_known() -> None:
    """Without loads, or without scores, there is no table."""
    assert () == by_load([row("a", None, 1.0), row("a", 3, None)], ["a"], "m")


@given(st.integers(0, 10**6))
def test_every_load_has_one_bin(load: int) -> None:
    """The bins leave no gap and do not overlap."""
    assert 1 == len(by_load([row("a", load, 1.0)], ["a"], "m"))
    assert ["0-5", "6-15", "16-50", "51-100", "over 100"] == [LoadBin(*ends, 0, {}).label for ends in BINS]
