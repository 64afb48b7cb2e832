"""Where evidence was lost: every label, and what holds of any funnel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.locators import Locator
from memkit.metrics.funnel import STAGES, Held, cited_places, follow, held, is_right, totals
from memkit.metrics.reach import Reach, passages_of
from memkit.records import Answer, Citation, Effort, Finding, Question
from memkit.store.files import Store

ONE, TWO, THREE = (Locator("S", 1, turn) for turn in (1, 2, 3))
GOLD = (ONE, TWO)
ALL = frozenset(GOLD)
QUESTION = Question("q", "Who bought the kite?", "Ana", evidence=GOLD)
PLACES = st.frozensets(st.builds(Locator, st.just("S"), st.just(1), st.integers(1, 4)))


def answer(*served: Locator, text: str = "Bo", **more: object) -> Answer:
    """An answer that was served these places."""
    return Answer(text, effort=Effort(served=served), **more)  # type: ignore[arg-type]


def lost(given: Answer, memory: Held | None, cited: frozenset[Locator] | None = None) -> str | None:
    """Where a wrong answer was lost."""
    return follow(QUESTION, given, right=False, held=memory, cited=cited).lost_at


@pytest.mark.parametrize(
    ("memory", "served", "cited", "expected"),
    [
        (Held(frozenset((ONE,)), ALL, ALL), GOLD, None, "archive"),
        (Held(ALL, frozenset((ONE,)), ALL), (ONE,), None, "kept"),
        (Held(ALL, ALL, frozenset((TWO,))), (TWO,), None, "reachable"),
        (Held(ALL, ALL, ALL), (ONE,), None, "served"),
        (Held(ALL, ALL, ALL), GOLD, frozenset((ONE,)), "cited"),
        (Held(ALL, ALL, ALL), GOLD, ALL, "judged"),
        (Held(ALL, ALL, ALL), GOLD, None, "judged"),  # who cites nothing is not lost for it
        (Held(ALL, None, ALL), (), None, "served"),  # no store: nothing to keep it in
        (Held(ALL, frozenset(), frozenset()), GOLD, None, "judged"),  # what was served was there to be served
        (None, (), None, "served"),
        (None, GOLD, None, "judged"),
    ],
)
def test_lost_at(
    memory: Held | None, served: tuple[Locator, ...], cited: frozenset[Locator] | None, expected: str
) -> None:
    """The first stage at which a place of the gold is missing."""
    assert expected == lost(answer(*served), memory, cited)


@pytest.mark.parametrize(
    "given",
    [
        answer(*GOLD, text=" "),
        answer(*GOLD, end="refused"),
        answer(*GOLD, text="No information available."),
    ],
)
def test_no_answer(given: Answer) -> None:
    """With all of the evidence served, and nothing answered, the answer is what is missing."""
    assert "answered" == lost(given, None)


def test_right_and_unknown() -> None:
    """A right answer is lost nowhere, whatever it was served; of one without a judgement nothing is said."""
    assert "" == follow(QUESTION, answer(), right=True, held=None, cited=None).lost_at
    assert None is follow(QUESTION, answer(), right=None, held=None, cited=None).lost_at


def test_a_question_without_an_answer() -> None:
    """What marks a false premise is no evidence: only the answer can be wrong."""
    premise = Question("q", "?", evidence=GOLD, answerable=False)
    funnel = follow(premise, answer(), right=False, held=Held(ALL, ALL, ALL), cited=None)
    assert ((), "judged") == (funnel.gold, funnel.lost_at)


def found(*rows: Locator, status: str = "computed", **groups: tuple[Locator, ...]) -> Finding:
    """A finding that rests on these rows."""
    return Finding("count", status, "2", rows, groups)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("findings", "right", "expected"),
    [
        ((), False, ("declined", "served")),
        ((found(status="ungrounded"),), False, ("not grounded", "served")),
        ((found(ONE),), False, ("wrong event set", "served")),
        ((found(ONE, TWO, THREE),), False, ("wrong event set", "served")),
        ((found(status="ungrounded"), found(TWO, ONE)), False, ("misread", "judged")),
        ((found(ONE, TWO, THREE, a=(ONE, TWO)),), False, ("misread", "judged")),
        ((found(ONE),), True, ("right", "")),
        ((), True, (None, "")),
        ((found(ONE),), None, (None, None)),
    ],
)
def test_computation(
    *, findings: tuple[Finding, ...], right: bool | None, expected: tuple[str | None, str | None]
) -> None:
    """The ledger paper's labels; who had the very events computed is not lost for not being served them."""
    funnel = follow(QUESTION, answer(findings=findings), right=right, held=None, cited=None, computes=True)
    assert expected == (funnel.computation, funnel.lost_at)


def test_no_computation() -> None:
    """A searcher that computes nothing declines nothing; without marked events no set is wrong."""
    assert None is follow(QUESTION, answer(), right=False, held=None, cited=None).computation
    bare = Question("q", "?", "2")
    assert None is follow(bare, answer(findings=(found(ONE),)), right=False, held=None, cited=None).computation


@given(
    gold=st.lists(st.sampled_from([ONE, TWO, THREE]), max_size=4),
    archive=PLACES,
    kept=st.none() | PLACES,
    reached=PLACES,
    served=PLACES,
    cited=st.none() | PLACES,
    right=st.none() | st.booleans(),
)
def test_stages_only_narrow(
    *,
    gold: list[Locator],
    archive: frozenset[Locator],
    kept: frozenset[Locator] | None,
    reached: frozenset[Locator],
    served: frozenset[Locator],
    cited: frozenset[Locator] | None,
    right: bool | None,
) -> None:
    """Each stage is a part of the one before; a wrong answer has one label, and no stage before it lost anything."""
    question = Question("q", "?", "x", evidence=tuple(gold))
    memory = Held(archive, kept, reached)
    funnel = follow(question, answer(*sorted(served)), right=right, held=memory, cited=cited)

    before = set(gold)
    for _, places in funnel.stages:
        assert set(places) <= before
        before = set(places)
    assert (funnel.lost_at in STAGES) == (right is False)
    if right is False:
        earlier = STAGES[: STAGES.index(funnel.lost_at)]  # type: ignore[arg-type]
        assert all(set(gold) == set(places) for stage, places in funnel.stages if stage in earlier)


@given(st.lists(st.sampled_from([None, "", *STAGES]), max_size=20))
def test_totals(labels: list[str | None]) -> None:
    """Every answer is counted once, in the order of the stages."""
    counts = totals(labels)
    assert len(labels) == sum(counts.values())
    assert [name for name in ("right", *STAGES, "unknown") if name in counts] == list(counts)
    assert 0 not in counts.values()


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({}, None),
        ({"answer_f1": 0.5}, True),
        ({"answer_f1": 0.49, "exact": 1.0}, True),
        ({"correctness": 0.0, "answer_f1": 1.0}, False),
        ({"abstention": 1.0}, True),
        ({"mine": 0.7}, True),
        ({"mine": 0.7, "yours": 0.1}, None),
    ],
)
def test_is_right(scores: dict[str, float], *, expected: bool | None) -> None:
    """The score that says it best decides; among several of unknown names none does."""
    assert expected == is_right(scores)


def test_held_and_cited(store: Store) -> None:
    """The store keeps what a file has the locator of; cited is what the cited lines hold, and what the answer names."""
    files = {"/memories/a.md": "Ana bought a kite [S1T1]\nBo slept [S1T3]\n"}
    store.create("/memories/a.md", files["/memories/a.md"])
    found = held(Reach(passages_of(files)), QUESTION, GOLD, stored=True)
    assert Held(ALL, frozenset((ONE,)), frozenset((ONE,))) == found

    cites = Answer("Ana [/memories/gone.md] [S1T2]", (Citation("/memories/a.md", (1, 1)),))
    assert ALL == cited_places(cites, store)
    assert frozenset((TWO,)) == cited_places(cites, None)
    assert None is cited_places(Answer("Ana"), store)
