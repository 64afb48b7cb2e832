from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import Analyzer
from memkit_plugins.bm25.units import Unit
from memkit_plugins.bm25.windows import K1, WINDOWS, B, WindowedFile, inverse_frequency, window_totals

PLAIN = Analyzer(stemming=False)
FILES = st.builds(
    lambda front, body: [
        Unit(n, "front" if n <= len(front) else "body", words) for n, words in enumerate(front + body, 1)
    ],
    st.lists(st.lists(st.sampled_from("abc"), min_size=1), max_size=3),
    st.lists(st.lists(st.sampled_from("abc"), min_size=1), max_size=30),
)


def by_definition(units: list[Unit], weights: dict[str, float], averages: tuple[float, ...]) -> dict[int, float]:
    """BM25 of every window written out."""
    scores = {}
    for at, unit in enumerate(units):
        score = 0.0
        for width, average in zip(WINDOWS, averages, strict=True):
            half = width // 2
            window = [
                word
                for other in units[max(0, at - half) : at + half + 1]
                if (other.part == "front") == (unit.part == "front")
                for word in other.terms
            ]
            for term, weight in weights.items():
                count = window.count(term)
                score += weight * count * (K1 + 1) / (count + K1 * (1 - B + B * len(window) / average))
        if score:
            scores[at] = score
    return scores


@given(FILES)
def test_scores_are_those_of_the_definition(units: list[Unit]) -> None:
    """The sparse computation gives the sum of BM25 over the windows of each line, the second time too."""
    weights, averages = {"a": 1.5, "b": 0.5, "absent": 2.0}, (2.0, 9.0, 17.0)
    file = WindowedFile(units)
    expected = by_definition(units, weights, averages)

    for _ in range(2):
        assert file.scores(weights, averages) == pytest.approx(expected)


@given(FILES)
def test_scores_follow_new_averages(units: list[Unit]) -> None:
    """What was worked out under other averages is not used again."""
    file = WindowedFile(units)
    file.scores({"a": 1.0}, (1.0, 1.0, 1.0))

    assert file.scores({"a": 1.0}, (3.0, 8.0, 20.0)) == WindowedFile(units).scores({"a": 1.0}, (3.0, 8.0, 20.0))


@given(FILES)
def test_totals_add_up_all_windows(units: list[Unit]) -> None:
    """The total of each width is the number of words in every window of that width."""
    expected = []
    for width in WINDOWS:
        half = width // 2
        blocks = [[u for u in units if u.part == "front"], [u for u in units if u.part != "front"]]
        windows = [block[max(0, at - half) : at + half + 1] for block in blocks for at in range(len(block))]
        expected.append(sum(len(unit.terms) for window in windows for unit in window))

    assert window_totals(units) == tuple(expected)


def test_a_rare_term_weighs_more() -> None:
    """The weight is ln(1 + (N - n + 0.5) / (n + 0.5)): never negative, falling with frequency."""
    assert inverse_frequency(10, 1) == math.log(1 + 9.5 / 1.5)
    assert inverse_frequency(10, 1) > inverse_frequency(10, 5) > inverse_frequency(10, 10) > 0
