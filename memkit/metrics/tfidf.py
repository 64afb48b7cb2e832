"""Texts as sparse TF-IDF vectors of length one: lexical, deterministic, nothing learned.

The weight of a term is how often it occurs times ln((1 + n) / (1 + df)) + 1, where df of the n texts have it: the
smoothed form, in which a term of every text still counts. (Salton & Buckley 1988; the paper leaves the form open.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, TypeAlias

from memkit.terms import STOP_WORDS, Analyzer

Vectors: TypeAlias = Any
"""A scipy.sparse.csr_array, a row a text; a text without a term is a row of zeros."""

ROWS = 512
"""Of one product of vectors, so that a square of all pairs is never held at once."""


def vectorize(texts: Sequence[str], *, without: Collection[str] = STOP_WORDS) -> Vectors:
    """The vectors of texts by their stemmed terms, some words left out. The order of the texts moves no number."""
    import numpy as np
    from scipy.sparse import csr_array

    analyzer = Analyzer()
    words = ((word for word in analyzer.words(text) if word not in without) for text in texts)
    counts = [Counter(analyzer.terms(kept)) for kept in words]
    found = Counter(term for each in counts for term in each)
    column = {term: number for number, term in enumerate(sorted(found))}
    places = [sorted((column[term], times) for term, times in each.items()) for each in counts]
    starts = np.cumsum([0, *map(len, places)])
    flat = np.array([pair for each in places for pair in each], dtype=np.int64).reshape(-1, 2)
    weights = np.log((1 + len(texts)) / (1 + np.array([found[term] for term in column], dtype=float))) + 1
    matrix = csr_array((flat[:, 1] * weights[flat[:, 0]], flat[:, 0], starts), shape=(len(texts), len(column)))
    return _unit(matrix)


def normalize(sums: Vectors) -> Vectors:
    """The rows scaled to length one; a row of zeros stays."""
    return _unit(sums.tocsr())


def cosines(rows: Vectors, columns: Vectors) -> Iterator[tuple[int, Any]]:
    """The cosines of each row with each column vector, in dense blocks: (number of the first row, block)."""
    turned = columns.T.tocsr()
    for first in range(0, rows.shape[0], ROWS):
        yield first, (rows[first : first + ROWS] @ turned).toarray()


def _unit(matrix: Vectors) -> Vectors:
    import numpy as np
    from scipy.sparse import diags_array

    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return (diags_array(1 / np.where(lengths > 0, lengths, 1)) @ matrix).tocsr()
