"""How far a store keeps the taxonomy contract of the management prompts (filesystem paper, table 4, panel B).

Definitions are those of appendix D.4; where the paper leaves a choice open, the docstrings of `Adherence` and of
`memkit.metrics.tfidf` say ours. These describe the labels and the layout; they are no scores of quality.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import isqrt
from random import Random
from typing import Any

from attrs import frozen

from memkit.metrics.tfidf import Vectors, cosines, normalize, vectorize
from memkit.metrics.tree import Tree, build_tree

UNIT_CHARACTERS = 40
"""A content unit with less text than this is ignored (filesystem paper, appendix D.4)."""
PAIRS = 50_000
"""Pairs of units drawn for the rank correlation where there are more; its standard error is then below 0.005."""
UNITS = 4_000
"""Units drawn to look for leakage where there are more, each against every group; its standard error is below 0.008."""
SEED = 20_240_611
"""Of both draws: the same store gives the same numbers."""
TOLERANCE = 1e-9
"""Cosines that differ by less are taken for equal."""


@frozen
class WorstPair:
    """The siblings whose labels are hardest to tell apart: their places, and 1 - cosine of the labels."""

    one: str
    other: str
    distance: float


@frozen
class Adherence:
    """The measures of a store; one is None where the store has nothing to measure it on.

    Cosines of contents are between units of `UNIT_CHARACTERS` or more, `units` of them; a group is the units right
    below one node.

    - `distinguishability` (B1), in [0, 1]: 1 - cosine of two siblings' labels, the mean of all pairs below a node,
      then of all nodes with two children or more. `worst` is the pair that is closest.
    - `cohesion` (B2), >= 0: the mean cosine of two units of one group over that of two units of different groups.
      Both means are of all pairs; the paper draws the latter. None also where different groups share no term.
    - `leakage` (B3), in [0, 1]: the share of units that are nearer to the centroid of another group than to their
      own group's, which they are part of. None with fewer than two groups.
    - `distance_correlation` (B4), in [-1, 1]: Spearman's of tree distance and 1 - cosine over pairs of units, all or
      `PAIRS` of them. None where one of the two never varies.
    - `label_consistency`, in [0, 1]: the refinement the paper names. Of the nodes whose parent has siblings, the
      share whose label is no nearer to the label of a sibling of the parent than to the parent's own: those whom
      a reader who chooses by labels, one step down the tree, would not look for elsewhere.
    """

    units: int
    distinguishability: float | None
    worst: WorstPair | None
    cohesion: float | None
    leakage: float | None
    distance_correlation: float | None
    label_consistency: float | None


def measure_adherence(files: Mapping[str, str], tree: Tree | None = None) -> Adherence:
    """Measure texts by virtual path; `tree` is theirs, when it is built already."""
    tree = tree or build_tree(files)
    labels = vectorize([node.label for node in tree.nodes], without=frozenset())
    units = [number for number in tree.leaves if len(tree.nodes[number].text.strip()) >= UNIT_CHARACTERS]
    contents = vectorize([tree.nodes[number].text for number in units])
    groups = _group_rows(tree, units, contents)
    distinguishability, worst = _distinguishability(tree, labels)
    return Adherence(
        units=len(units),
        distinguishability=distinguishability,
        worst=worst,
        cohesion=_cohesion(contents, groups),
        leakage=_leakage(contents, groups),
        distance_correlation=_distance_correlation(tree, units, contents),
        label_consistency=_label_consistency(tree, labels),
    )


def _group_rows(tree: Tree, units: Sequence[int], contents: Vectors) -> Vectors:
    """A row a group, with 1 in the column of each of its units."""
    import numpy as np
    from scipy.sparse import csr_array

    number: dict[int, int] = defaultdict(lambda: len(number))
    rows = [number[tree.nodes[unit].parent] for unit in units]
    return csr_array((np.ones(len(rows)), (rows, range(len(rows)))), shape=(len(number), contents.shape[0]))


def _distinguishability(tree: Tree, labels: Vectors) -> tuple[float | None, WorstPair | None]:
    import numpy as np

    means, worst, nearest = [], None, -1.0
    for group in tree.siblings():
        rows = labels[list(group)]
        total = 0.0
        for first, block in cosines(rows, rows):
            # Each pair once, and none of a node with itself.
            later = np.arange(len(group)) > np.arange(first, first + len(block))[:, None]
            total += float(block[later].sum())
            at = int(np.argmax(np.where(later, block, -1)))
            one, other = divmod(at, len(group))
            if block[one, other] > nearest + TOLERANCE and later[one, other]:
                nearest, worst = float(block[one, other]), (group[first + one], group[other])
        means.append(1 - total / (len(group) * (len(group) - 1) / 2))
    if worst is None:
        return None, None
    places = [tree.nodes[number].place for number in worst]
    return _share(float(np.mean(means))), WorstPair(places[0], places[1], _share(1 - nearest))


def _cohesion(contents: Vectors, groups: Vectors) -> float | None:
    """From sums alone: the cosines of all pairs of a set add up to (|sum|^2 - sum of |v|^2) / 2."""
    import numpy as np

    sizes = np.asarray(groups.sum(axis=1)).ravel()
    same_pairs = float((sizes * (sizes - 1)).sum()) / 2
    cross_pairs = len(groups.indices) * (len(groups.indices) - 1) / 2 - same_pairs
    if not same_pairs or not cross_pairs:
        return None
    sums = (groups @ contents).tocsr()
    squares = sums.multiply(sums)
    same = (squares.sum() - contents.multiply(contents).sum()) / 2
    # Term by term, so that a term of one group only adds exactly nothing.
    cross = (np.asarray(sums.sum(axis=0)).ravel() ** 2 - np.asarray(squares.sum(axis=0)).ravel()).sum() / 2
    if cross / cross_pairs < TOLERANCE:
        return None
    return float(max(same, 0.0) / same_pairs / (cross / cross_pairs))


def _leakage(contents: Vectors, groups: Vectors) -> float | None:
    import numpy as np

    if groups.shape[0] < 2:
        return None
    units = contents.shape[0]
    own = np.empty(units, dtype=int)
    own[groups.indices] = np.repeat(np.arange(groups.shape[0]), np.diff(groups.indptr))
    looked = sorted(Random(SEED).sample(range(units), UNITS)) if units > UNITS else list(range(units))
    leaked = 0
    for first, block in cosines(contents[looked], normalize(groups @ contents)):
        rows = np.arange(len(block))
        column = own[looked[first : first + len(block)]]
        mine = block[rows, column].copy()
        block[rows, column] = -1
        leaked += int(np.count_nonzero(block.max(axis=1) > mine + TOLERANCE))
    return leaked / len(looked)


def _distance_correlation(tree: Tree, units: Sequence[int], contents: Vectors) -> float | None:
    import numpy as np
    from scipy.stats import spearmanr

    pairs = _draw_pairs(len(units))
    above = [_ancestors(tree, unit) for unit in units]
    steps = np.array([_steps(above[one], above[other]) for one, other in pairs])
    apart: list[float] = []
    for first in range(0, len(pairs), _PAIR_ROWS):
        one, other = np.array(pairs[first : first + _PAIR_ROWS]).T
        apart += (1 - np.asarray(contents[one].multiply(contents[other]).sum(axis=1)).ravel()).tolist()
    # Rounded, so that equal distances tie whatever the order of their sums.
    distances = np.round(apart, 9)
    if len(pairs) < 2 or np.ptp(steps) == 0 or np.ptp(distances) == 0:
        return None
    return float(spearmanr(steps, distances).statistic)


_PAIR_ROWS = 5_000
"""Of one product of vectors row by row."""


def _draw_pairs(count: int) -> list[tuple[int, int]]:
    """All pairs (one, other), one > other, of `count` things, or `PAIRS` different ones of them."""
    every = count * (count - 1) // 2
    chosen: Any = range(every) if every <= PAIRS else Random(SEED).sample(range(every), PAIRS)
    pairs = []
    for number in chosen:
        one = (1 + isqrt(1 + 8 * number)) // 2
        pairs.append((one, number - one * (one - 1) // 2))
    return pairs


def _ancestors(tree: Tree, number: int) -> tuple[int, ...]:
    """The nodes from the root down to this one, itself included."""
    path = []
    while number >= 0:
        path.append(number)
        number = tree.nodes[number].parent
    return tuple(reversed(path))


def _steps(one: Sequence[int], other: Sequence[int]) -> int:
    """The length of the path between two nodes through their lowest common ancestor."""
    shared = sum(1 for a, b in zip(one, other, strict=False) if a == b)
    return len(one) + len(other) - 2 * shared


def _label_consistency(tree: Tree, labels: Vectors) -> float | None:
    import numpy as np

    asked = consistent = 0
    for group in tree.siblings():
        children = [(child, place) for place, parent in enumerate(group) for child in tree.children[parent]]
        if not children:
            continue
        numbers, parents = zip(*children, strict=True)
        asked += len(numbers)
        for first, block in cosines(labels[list(numbers)], labels[list(group)]):
            own = block[np.arange(len(block)), list(parents[first : first + len(block)])]
            consistent += int(np.count_nonzero(block.max(axis=1) <= own + TOLERANCE))
    return consistent / asked if asked else None


def _share(value: float) -> float:
    """A share that rounding may have pushed out of [0, 1]."""
    return min(1.0, max(0.0, value))
