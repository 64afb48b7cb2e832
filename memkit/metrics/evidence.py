"""Whether the evidence reached the answer: locators served against gold, citations against gold."""

from __future__ import annotations

from collections.abc import Collection

from memkit.citations import Passage, find_citations, resolve_citation
from memkit.errors import StoreError
from memkit.locators import Locator
from memkit.records import Answer, Citation, Question
from memkit.store.files import Store


def recall(served: Collection[Locator], gold: Collection[Locator]) -> float | None:
    """The share of gold locators among those served; None where there is no gold."""
    wanted = set(gold)
    return len(wanted & set(served)) / len(wanted) if wanted else None


def all_found(served: Collection[Locator], gold: Collection[Locator]) -> float | None:
    """1.0 when every gold locator was served, else 0.0; None where there is no gold."""
    return float(set(gold) <= set(served)) if gold else None


def citation_scores(answer: Answer, question: Question, store: Store) -> dict[str, float]:
    """How the answer's citations bear on the gold evidence; a score that is undefined is absent.

    `citation_resolvable`: the share of citations whose place exists. `citation_precision`: the share whose passage
    holds a gold locator; one that does not resolve holds none. `citation_recall`: the share of gold locators
    within cited passages. Without citations only recall is defined, without gold only resolvability.
    """
    cited = tuple(dict.fromkeys((*answer.citations, *find_citations(answer.text))))
    passages = [_passage(citation, store) for citation in cited]
    gold = set(question.evidence)
    found = [set(passage.locators) & gold for passage in passages if passage is not None]
    scores: dict[str, float] = {}
    if cited:
        scores["citation_resolvable"] = len(found) / len(cited)
    if cited and gold:
        scores["citation_precision"] = sum(map(bool, found)) / len(cited)
    if gold:
        scores["citation_recall"] = len(set[Locator]().union(*found)) / len(gold)
    return scores


def _passage(citation: Citation, store: Store) -> Passage | None:
    try:
        return resolve_citation(citation, store)
    except StoreError:
        return None
