"""How far two judges agree on the same answers: the confusion of their scores, and Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar

from attrs import frozen

from memkit.errors import UserError

K = TypeVar("K")


@frozen
class Agreement:
    """Two judges' scores of the answers that both scored.

    `confusion[i][j]` counts the answers to which the first gave `labels[i]` and the second `labels[j]`. `agreed` is
    the share on which both gave the same score, `kappa` that share corrected for chance, in [-1, 1]: 1 when they always
    agree, 0 when no more than by chance, None when chance alone makes them agree, as each gave one score throughout.
    `unpaired` counts the answers that one of them alone scored.
    """

    labels: tuple[float, ...]
    confusion: tuple[tuple[int, ...], ...]
    items: int
    agreed: float
    kappa: float | None
    unpaired: int


def agreement(first: Mapping[K, float], second: Mapping[K, float]) -> Agreement:
    """The agreement of two judges, whose scores are given by answer.

    Each distinct score is a category of its own, so this is for judges that grade, such as 0, 0.5 and 1, and not for
    F1. Kappa is (p_o - p_e) / (1 - p_e), p_e the product of the marginals summed over the categories (Cohen 1960).
    Raises UserError when no answer has a score of both.
    """
    both = [(first[key], second[key]) for key in first if key in second]
    if not both:
        raise UserError("no answer is scored by both judges; judge the same run with each of them")
    labels = tuple(sorted({score for pair in both for score in pair}))
    cells = Counter(both)
    confusion = tuple(tuple(cells[a, b] for b in labels) for a in labels)
    items = len(both)
    same = sum(confusion[i][i] for i in range(len(labels)))
    # In whole numbers, so that agreement by chance alone is exactly that: p_e = chance / items^2.
    chance = sum(sum(row) * sum(column) for row, column in zip(confusion, zip(*confusion, strict=True), strict=True))
    kappa = None if chance == items**2 else (same * items - chance) / (items**2 - chance)
    return Agreement(labels, confusion, items, same / items, kappa, len(first.keys() ^ second.keys()))
