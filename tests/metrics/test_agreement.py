from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memkit.errors import UserError
from memkit.metrics.agreement import Agreement, agreement

PAIRS = st.lists(st.tuples(st.sampled_from((0.0, 0.5, 1.0)), st.sampled_from((0.0, 0.5, 1.0))), min_size=1, max_size=40)


def of(pairs: list[tuple[float, float]]) -> Agreement:
    """The agreement on answers that are numbered."""
    return agreement({n: a for n, (a, _) in enumerate(pairs)}, {n: b for n, (_, b) in enumerate(pairs)})


def test_by_hand() -> None:
    """Fifty answers, 20 both right, 15 both wrong, 5 and 10 apart: p_o = 0.7, p_e = 0.5, kappa = 0.4."""
    pairs = [(1.0, 1.0)] * 20 + [(1.0, 0.0)] * 5 + [(0.0, 1.0)] * 10 + [(0.0, 0.0)] * 15
    expected = Agreement(
        labels=(0.0, 1.0), confusion=((15, 10), (5, 20)), items=50, agreed=0.7, kappa=pytest.approx(0.4), unpaired=0
    )
    assert expected == of(pairs)


def test_three_grades_by_hand() -> None:
    """Rows are the first judge's scores, columns the second's, in rising order, and a grade of one alone has both."""
    found = of([(0.0, 0.5), (0.5, 0.5), (1.0, 1.0), (1.0, 0.5)])
    assert ((0.0, 0.5, 1.0), ((0, 1, 0), (0, 1, 0), (0, 1, 1))) == (found.labels, found.confusion)
    # p_o = 2/4; p_e = (1*0 + 1*3 + 2*1) / 16 = 5/16
    assert (0.5, pytest.approx((8 / 16 - 5 / 16) / (11 / 16))) == (found.agreed, found.kappa)


def test_answers_of_one_judge_alone() -> None:
    """What one judge did not score, as it was unparsed, is counted apart and changes nothing else."""
    first, second = {"a": 1.0, "b": 0.0, "c": 1.0}, {"a": 1.0, "b": 0.0, "d": 0.0, "e": 1.0}
    found = agreement(first, second)
    assert (2, 1.0, 1.0, 3) == (found.items, found.agreed, found.kappa, found.unpaired)


def test_constant_judges() -> None:
    """Kappa is undefined where both give one score throughout, and 0 where only one of them does."""
    assert (1.0, None) == (of([(1.0, 1.0)] * 3).agreed, of([(1.0, 1.0)] * 3).kappa)
    assert 0.0 == of([(1.0, 1.0), (1.0, 0.0)]).kappa


def test_nothing_in_common() -> None:
    """Without an answer that both scored there is nothing to say."""
    for first, second in (({}, {}), ({"a": 1.0}, {"b": 1.0})):
        with pytest.raises(UserError) as caught:
            agreement(first, second)
        assert "no answer is scored by both judges; judge the same run with each of them" == str(caught.value)


@given(PAIRS)
def test_against_statsmodels(pairs: list[tuple[float, float]]) -> None:
    """Kappa is that of statsmodels on the same table."""
    from statsmodels.stats.inter_rater import cohens_kappa

    found = of(pairs)
    assume(found.kappa is not None)
    assert pytest.approx(cohens_kappa(found.confusion, return_results=False), abs=1e-12) == found.kappa


@given(PAIRS)
def test_laws(pairs: list[tuple[float, float]]) -> None:
    """Every pair is counted once, swapping the judges transposes the table, and kappa is at most 1."""
    found, swapped = of(pairs), of([(b, a) for a, b in pairs])
    assert len(pairs) == found.items == sum(map(sum, found.confusion))
    assert found.confusion == tuple(zip(*swapped.confusion, strict=True))
    assert found.kappa == swapped.kappa
    assert found.kappa is None or -1 <= found.kappa <= 1
    assert (found.agreed == 1) == all(a == b for a, b in pairs)
