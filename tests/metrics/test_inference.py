"""What is said of whole arms agrees with statsmodels where it can, and with hand-worked cases where it cannot."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import UserError
from memkit.metrics.inference import (
    ASSUMED_SD,
    benjamini_hochberg,
    detectable,
    leaders,
    missing_bounds,
    noninferior,
    ratio_interval,
    share,
)
from memkit.metrics.stats import paired_difference, wilson

SCORES = st.floats(0, 1, allow_subnormal=False)
CLUSTERED = st.lists(st.tuples(st.integers(0, 5), SCORES), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def multitest() -> Any:
    """The oracle for many p values."""
    return pytest.importorskip("statsmodels.stats.multitest")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_benjamini_hochberg(multitest: Any, ps: list[float]) -> None:
    """The adjusted values are statsmodels'."""
    assert multitest.multipletests(ps, method="fdr_bh")[1] == pytest.approx(benjamini_hochberg(ps))


def test_share_of_independent_items() -> None:
    """Clusters of one item are independent: the effective n is n."""
    found = share([(n, float(n < 6)) for n in range(10)])
    assert (0.6, 10.0) == (found.mean, found.effective)
    assert wilson(6, 10) == pytest.approx((found.low, found.high))


def test_share_of_identical_items() -> None:
    """Clusters whose items are all alike count once each, however many items they have."""
    found = share([(cluster, float(cluster % 2)) for cluster in range(10) for _ in range(8)])
    assert (0.5, 10.0) == (found.mean, found.effective)


@given(CLUSTERED)
def test_share_bounds(scores: list[tuple[int, float]]) -> None:
    """The interval holds the mean and stays in [0, 1]; the effective n is between the clusters and the items."""
    found = share(scores)
    clusters = len({cluster for cluster, _ in scores})
    assert 0 <= found.low <= found.mean + 1e-12
    assert found.mean - 1e-12 <= found.high <= 1
    assert (clusters if clusters > 1 else len(scores)) <= found.effective <= len(scores)


def test_share_of_nothing() -> None:
    """No score is no mean."""
    with pytest.raises(UserError, match="no item is scored"):
        share([])


def test_missing_bounds() -> None:
    """Eight scored at 0.5 and two missing: 0.4 if they are all wrong, 0.6 if they are all right."""
    assert (0.4, 0.6) == missing_bounds(0.5, 8, 2)


ALIKE = {n: (n % 4, 0.5 + n % 2 * 0.1) for n in range(40)}
WORSE = {n: (cluster, score - 0.3) for n, (cluster, score) in ALIKE.items()}


def test_leaders() -> None:
    """An arm that is plainly worse is left out of the tied set; equal arms share it, in the order given."""
    far = {n: (n % 10, 0.0) for n in range(40)}
    near = {n: (n % 10, 1.0) for n in range(40)}
    assert ("b", "c") == leaders({"a": far, "b": near, "c": near, "d": {}})


def test_four_streams_cannot_tell_arms_apart() -> None:
    """Of four clusters the sign-flip test never gives less than 1/8, so no lone winner is named."""
    assert ("a", "b") == leaders({"a": WORSE, "b": ALIKE})


def test_one_stream_ties_all() -> None:
    """With one cluster nothing is shown."""
    assert ("a", "b") == leaders({"a": {1: ("s", 0.0)}, "b": {1: ("s", 1.0)}})
    assert () == leaders({})


@pytest.mark.parametrize(
    ("difference", "spread", "gate"),
    [(0.0, 0.01, "pass"), (-0.2, 0.01, "fail"), (-0.02, 0.2, "inconclusive"), (0.5, 0.01, "pass")],
)
def test_gate(difference: float, spread: float, gate: str) -> None:
    """The bounds decide: above -margin passes, below it fails, across it neither."""
    pairs = [(c, difference + spread * (-1) ** c, 0.0) for c in range(10) for _ in range(3)]
    assert gate == noninferior(pairs, 0.02)


def test_gate_is_one_sided() -> None:
    """The bounds at 95 % are the ends of the two-sided interval at 90 %."""
    pairs = [(c, 0.01 * c, 0.0) for c in range(8)]
    low = paired_difference(pairs, level=0.9).low
    assert low is not None
    assert ("pass", "inconclusive") == (noninferior(pairs, -low + 1e-9), noninferior(pairs, -low - 1e-9))


def test_gate_of_one_stream() -> None:
    """One cluster settles nothing."""
    assert "inconclusive" == noninferior([("s", 1.0, 0.0)] * 9, 0.5)


def test_ratio() -> None:
    """A constant ratio has an interval of no width; the mean of ratios is not the ratio of sums."""
    assert (2.0, 2.0, 2.0) == ratio_interval([(c, 2.0 * (c + 1), c + 1.0) for c in range(5)])
    found = ratio_interval([(0, 1.0, 1.0), (1, 9.0, 3.0), (2, 2.0, 1.0)])
    assert found is not None
    assert 12 / 5 == found[0]
    assert found[1] <= found[0] <= found[2]


def test_ratio_without_a_base() -> None:
    """Nothing right has no cost per right answer, nor has one whose resamples often have none."""
    assert None is ratio_interval([(0, 1.0, 0.0), (1, 1.0, 0.0)])
    assert None is ratio_interval([(0, 1.0, 0.0), (1, 1.0, 1.0)])
    assert None is ratio_interval([])


def test_detectable() -> None:
    """Many clusters of one item: 2.8 standard errors, as in the textbook case of independent items."""
    found = detectable(10_000, 10_000)
    assert found == pytest.approx(2.8016 * ASSUMED_SD / sqrt(10_000), rel=1e-3)
    assert None is detectable(1, 100)


@given(st.integers(2, 50), st.integers(1, 50))
def test_detectable_shrinks(clusters: int, size: int) -> None:
    """More clusters of the same size can only help."""
    fewer, more = detectable(clusters, clusters * size), detectable(clusters * 2, clusters * 2 * size)
    assert (more or inf) < (fewer or inf)


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [10, 30, 100])
def test_calibration(clusters: int) -> None:
    """With no true difference the default test raises between 3 % and 7 % false alarms at the 5 % level, and the
    default interval covers the truth in 93 % to 97 % of trials: questions share the luck of their memory (ICC .3).
    """
    trials, size = 2_000, 12
    rng = np.random.default_rng(7)
    alarms = covered = 0
    for _ in range(trials):
        luck = rng.normal(0, sqrt(0.3), size=(clusters, 1))
        differences = luck + rng.normal(0, sqrt(0.7), size=(clusters, size))
        pairs = [(c, float(d), 0.0) for c, row in enumerate(differences) for d in row]
        found = paired_difference(pairs)
        assert found.p is not None
        assert found.low is not None
        assert found.high is not None
        alarms += found.p <= 0.05
        covered += found.low <= 0 <= found.high
    assert 0.03 <= alarms / trials <= 0.07
    assert 0.93 <= covered / trials <= 0.97
