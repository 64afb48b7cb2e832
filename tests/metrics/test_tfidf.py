"""TF-IDF vectors, one worked out by hand."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.metrics.tfidf import cosines, vectorize

WORDS = st.sampled_from(["kiln", "kilns", "clay", "the", "of", "窯"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1)


def test_by_hand() -> None:
    """Weights are counts times ln((1 + n) / (1 + df)) + 1, of stems, without stop words, scaled to length one."""
    vectors = vectorize(["The kilns and a kiln, clay", "clay", "of the"]).toarray()
    clay, kiln = log(4 / 3) + 1, 2 * (log(4 / 2) + 1)
    length = sqrt(clay**2 + kiln**2)

    assert pytest.approx(np.array([[clay / length, kiln / length], [1, 0], [0, 0]])) == vectors


def test_stop_words_kept() -> None:
    """With nothing left out, stop words are terms like others."""
    assert (2, 2) == vectorize(["the kiln", "kiln"], without=()).shape


@given(TEXTS)
def test_unit_length(texts: list[str]) -> None:
    """Every vector has length one, or no term; cosines lie in [0, 1], and equal texts have cosine 1."""
    vectors = vectorize(texts)
    ((first, block),) = cosines(vectors, vectors)

    assert 0 == first
    assert np.all((block >= 0) & (block <= 1 + 1e-9))
    assert {0.0, 1.0} >= set(np.round(np.diag(block), 9))


def test_nothing() -> None:
    """No texts make no vectors."""
    assert (0, 0) == vectorize([]).shape
