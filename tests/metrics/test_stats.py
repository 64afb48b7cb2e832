from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memkit.errors import UserError
from memkit.metrics.stats import holm, paired_difference, sign_flip_p, sign_test, wilson

Pairs = list[tuple[int, float, float]]
SCORES = st.floats(0, 1, allow_subnormal=False)


def pairs_of(*clusters: Sequence[float]) -> Pairs:
    """Items whose differences are given, cluster by cluster."""
    return [(number, d, 0.0) for number, differences in enumerate(clusters) for d in differences]


@pytest.fixture(scope="module")
def regression() -> Any:
    """The oracle for intervals of means."""
    return pytest.importorskip("statsmodels.regression.linear_model")


@pytest.fixture(scope="module")
def proportion() -> Any:
    """The oracle for intervals of proportions."""
    return pytest.importorskip("statsmodels.stats.proportion")


@pytest.fixture(scope="module")
def multitest() -> Any:
    """The oracle for many p values."""
    return pytest.importorskip("statsmodels.stats.multitest")


@st.composite
def clustered(draw: st.DrawFn, low: int = 2, high: int = 20) -> Pairs:
    """Between `low` and `high` clusters of one to four items."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=low, max_size=high))
    return [(c, draw(SCORES), draw(SCORES)) for c, size in enumerate(sizes) for _ in range(size)]


def test_by_hand() -> None:
    """Three clusters worked out on paper: mean, interval and p."""
    found = paired_difference(pairs_of([1, 1], [0, 1], [0]))
    # mean 3/5; residual sums .8, -.2, -.6, squares sum 1.04; se = sqrt(3/2 * 1.04) / 5 = .2498; t(2, .975) = 4.3027
    assert found.mean == pytest.approx(0.6)
    assert (found.low, found.high) == pytest.approx((0.6 - 1.07482, 0.6 + 1.07482), abs=1e-4)
    # sums 2, 1, 0: of eight patterns, +-(2 + 1) with either sign of 0 reach 3
    assert found.p == 4 / 8
    assert (found.items, found.clusters, found.sign_p) == (5, 3, None)
    assert found.method == "95% interval: cluster-robust t, 2 df; p: sign-flip over 3 clusters (exact)"


def test_one_cluster() -> None:
    """One stream gives no interval and no p, only the descriptive sign test, and says so."""
    found = paired_difference(pairs_of([1, 1, 1, 0, -1]))
    assert found.mean == pytest.approx(0.4)
    assert (found.low, found.high, found.p) == (None, None, None)
    # three of four go up: P(X <= 1 or X >= 3) = 10/16
    assert found.sign_p == pytest.approx(10 / 16)
    assert found.method == "one stream: no inference beyond it; the sign test over its items is descriptive"


def test_no_pairs() -> None:
    """Nothing in common is an error in words."""
    with pytest.raises(UserError) as caught:
        paired_difference([])
    assert str(caught.value) == "no item is scored in both arms; there is nothing to compare"


def test_equal_arms() -> None:
    """Arms that never differ differ by exactly nothing, with p = 1."""
    found = paired_difference([(c, 0.3, 0.3) for c in range(4)])
    assert (found.mean, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)


def test_drawn_p() -> None:
    """Beyond 16 clusters p is drawn: close to the exact one, the same each time, and said to be drawn."""
    sums = [1.0] * 14 + [-1.0] * 6
    exact = 2 * sum(comb(20, k) for k in range(14, 21)) / 2**20
    assert sign_flip_p(sums) == pytest.approx(exact, abs=0.015)
    assert sign_flip_p(sums) == sign_flip_p(sums)
    assert "9999 draws, seed" in paired_difference(pairs_of(*([d] for d in sums))).method


def test_narrower_level() -> None:
    """A one-sided 95 % bound is an end of the 90 % interval: inside the 95 % one."""
    pairs = pairs_of([1, 0], [0.5], [0.2, 0.9])
    wide, narrow = paired_difference(pairs), paired_difference(pairs, level=0.90)
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low < narrow.mean == wide.mean


@given(clustered())
def test_antisymmetric(pairs: Pairs) -> None:
    """Swapping the arms turns mean and interval around and leaves p alone."""
    there, back = paired_difference(pairs), paired_difference([(c, b, a) for c, a, b in pairs])
    assert there.low is not None
    assert there.high is not None
    assert (back.mean, back.low, back.high, back.p) == pytest.approx((-there.mean, -there.high, -there.low, there.p))


@given(clustered(), st.randoms(use_true_random=False))
def test_order_does_not_matter(pairs: Pairs, random: object) -> None:
    """Items in another order give the same difference to the last digit."""
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert paired_difference(shuffled) == paired_difference(pairs)


@given(clustered())
def test_p_range(pairs: Pairs) -> None:
    """The p value lies in (0, 1] and an exact one is no smaller than two patterns of signs allow."""
    found = paired_difference(pairs)
    assert found.p is not None
    assert 0 < found.p <= 1
    if found.clusters <= 16:
        assert found.p >= 2 ** (1 - found.clusters)


@given(st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=8))
def test_sign_flip_enumerated(sums: list[float]) -> None:
    """The exact p is the share of all sign patterns whose sum is as far from 0, counted one by one."""
    patterns = list(product((1, -1), repeat=len(sums)))
    reached = sum(abs(sum(s * x for s, x in zip(signs, sums, strict=True))) >= abs(sum(sums)) for signs in patterns)
    assert sign_flip_p(sums) == reached / len(patterns)


@given(clustered(high=12))
def test_interval_against_statsmodels(regression: Any, pairs: Pairs) -> None:
    """The interval is statsmodels' for a constant with clustered covariance and t."""
    differences = np.array([a - b for _, a, b in pairs])
    groups = np.array([c for c, _, _ in pairs])
    fitted = regression.OLS(differences, np.ones(len(pairs))).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    found = paired_difference(pairs)
    assert (found.low, found.high) == pytest.approx(tuple(fitted.conf_int()[0]), abs=1e-9)


def test_false_alarms() -> None:
    """Where streams, not questions, differ, testing questions raises false alarms and the cluster test does not."""
    from scipy.stats import ttest_1samp

    random = np.random.default_rng(5)
    naive = clustered_alarms = 0
    runs = 300
    for _ in range(runs):
        differences = random.normal(0, 0.35, size=(10, 1)) + random.normal(0, 0.7, size=(10, 20))
        naive += ttest_1samp(differences.ravel(), 0).pvalue < 0.05
        clustered_alarms += sign_flip_p(list(differences.sum(axis=1))) < 0.05
    assert naive / runs > 0.2
    assert clustered_alarms / runs < 0.09


def test_sign_test() -> None:
    """Ties are left out; only ties say nothing."""
    assert [sign_test([1, 2, 0]), sign_test([0, 0]), sign_test([])] == [pytest.approx(0.5), 1.0, 1.0]


def test_wilson_by_hand() -> None:
    """8 of 10 gives the textbook interval; the ends stay within [0, 1]."""
    assert wilson(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson(0, 5)[0] == 0.0
    assert wilson(5, 5)[1] == 1.0


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_against_statsmodels(proportion: Any, case: tuple[int, int]) -> None:
    """The interval is statsmodels' and holds the proportion."""
    successes, n = case
    low, high = wilson(successes, n)
    assert (low, high) == pytest.approx(proportion.proportion_confint(successes, n, method="wilson"), abs=1e-9)
    assert low <= successes / n <= high


def test_wilson_refuses() -> None:
    """What is no proportion has no interval."""
    with pytest.raises(ValueError) as caught:
        wilson(3, 2)
    assert str(caught.value) == "3 of 2 is no proportion"


def test_holm_by_hand() -> None:
    """The smallest p is tripled, the next doubled, and none falls below an earlier one."""
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])


@settings(max_examples=10)  # the oracle takes its time
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_against_statsmodels(multitest: Any, ps: list[float]) -> None:
    """The adjusted values are statsmodels'."""
    assert holm(ps) == pytest.approx(list(multitest.multipletests(ps, method="holm")[1]))
