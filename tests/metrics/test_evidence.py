from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.citations import find_citations
from memkit.locators import Locator
from memkit.metrics.evidence import all_found, citation_scores, recall
from memkit.records import Answer, Question
from memkit.store.files import Store

LOCATORS = st.sets(st.builds(Locator, st.just("S"), st.integers(1, 3), st.integers(1, 4)))
ONE, TWO, THREE = (Locator("S", 1, turn) for turn in (1, 2, 3))


@pytest.fixture
def filled(store: Store) -> Store:
    """A store whose one file has two sections, a turn in each."""
    store.create("/memories/a.md", "# Tea\n[S1T1] Ana: hojicha\n# Bikes\n[S1T2] Bo: green\nno locator\n")
    return store


def scores(text: str, gold: tuple[Locator, ...], store: Store) -> dict[str, float]:
    """The scores of an answer that says `text`."""
    return citation_scores(Answer(text), Question("q", "?", gold="x", evidence=gold), store)


@given(LOCATORS, LOCATORS)
def test_recall(served: set[Locator], gold: set[Locator]) -> None:
    """Recall is a share of the gold, whole exactly when all was found, and absent without gold."""
    found, whole = recall(served, gold), all_found(served, gold)
    if not gold:
        assert (found, whole) == (None, None)
    else:
        assert found == sum(locator in served for locator in gold) / len(gold)
        assert whole == float(found == 1.0)


def test_repeats_count_once() -> None:
    """A locator that is served or asked for twice is one locator."""
    assert recall([ONE, ONE], [ONE, ONE, TWO]) == 1 / 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hojicha [/memories/a.md:L2]", (1.0, 1.0, 1 / 2)),
        ("hojicha [/memories/a.md > # Tea] [/memories/a.md > # Bikes]", (1.0, 1.0, 1.0)),
        ("[/memories/a.md:L2] [/memories/a.md:L5]", (1.0, 1 / 2, 1 / 2)),
        ("[/memories/a.md:L2] [/memories/gone.md] [/memories/a.md:L99] [/memories]", (1 / 4, 1 / 4, 1 / 2)),
        ("[/memories/a.md:L2] and again [/memories/a.md:L2]", (1.0, 1.0, 1 / 2)),
    ],
)
def test_citations(text: str, expected: tuple[float, float, float], filled: Store) -> None:
    """Resolvable, precise and complete are three different things."""
    found = scores(text, (ONE, TWO), filled)
    assert found == pytest.approx(
        dict(zip(("citation_resolvable", "citation_precision", "citation_recall"), expected, strict=True))
    )


def test_undefined_scores_are_absent(filled: Store) -> None:
    """No citation has no precision, no gold has no recall; neither has any score at all."""
    assert scores("tea", (ONE,), filled) == {"citation_recall": 0.0}
    assert scores("[/memories/a.md:L2]", (), filled) == {"citation_resolvable": 1.0}
    assert scores("tea", (), filled) == {}


def test_citations_beside_the_text(filled: Store) -> None:
    """Citations an answer carries as records count like those in its text."""
    answer = Answer("tea", citations=find_citations("[/memories/a.md:L2]"))
    question = Question("q", "?", evidence=(ONE, THREE))
    assert citation_scores(answer, question, filled)["citation_recall"] == 1 / 2
