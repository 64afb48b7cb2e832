"""Anchors: the steps a view is built around (ledger paper, section 3 and appendix C)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from memkit.events.files import FileGraph
from memkit.terms import Analyzer
from memkit.view.asked import Asked

NAMED_STEP_SCORE = 8
"""Added to the score of a step the question names (ledger paper, appendix C)."""
NAMED_ENTITY_SCORE = 12
"""Added to the score of an entity whose label the question contains (ledger paper, appendix C)."""
BEST_ITEMS = 8
"""The support of as many best items are anchors (ledger paper, appendix C)."""
BEST_STEPS = 4
"""As many best steps are anchors when the question names nothing (ledger paper, appendix C)."""


def anchors(
    asked: Asked, shared: Sequence[int], graph: FileGraph, analyzer: Analyzer, numbers: Sequence[int]
) -> set[int]:
    """Positions of the anchors: E_q and supp of the top items of score |T(q) and T(x)| + beta(x) (equation 3).

    Items are the steps in scope and the file entities with an event in scope; an item that shares nothing with the
    question supports nothing. Of equal items steps come first, then the earlier. `numbers` are the step numbers.
    """
    named = set(asked.named)
    steps = [(shared[at] + NAMED_STEP_SCORE * (at in named), (at,)) for at in asked.scope]
    if not named and not asked.linked:
        return set(chain.from_iterable(_best(steps, BEST_STEPS)))
    places = {numbers[at]: at for at in asked.scope}
    terms = set(asked.terms)
    files = []
    for path, events in graph.files.items():
        support = tuple(places[event.step] for event in events if event.step in places)
        score = len(terms.intersection(analyzer.terms(analyzer.words(path))))
        files.append((score + NAMED_ENTITY_SCORE * (path in asked.linked), support))
    return named.union(*_best([*steps, *files], BEST_ITEMS))


def _best(items: Sequence[tuple[int, tuple[int, ...]]], count: int) -> list[tuple[int, ...]]:
    """The support of the best items, those of no score left out."""
    ranked = sorted((item for item in items if item[0] > 0), key=lambda item: -item[0])
    return [support for _, support in ranked[:count]]


def distances(anchors: set[int], entries: int) -> list[int]:
    """The distance of each of so many positions to the nearest anchor; `entries` where there is none."""
    found = [entries] * entries
    for order in (range(entries), range(entries - 1, -1, -1)):
        near = entries
        for at in order:
            near = 0 if at in anchors else near + 1
            found[at] = min(found[at], near)
    return found
