from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from memkit.errors import ConfigError
from memkit.records import Answer, Question
from memkit.registry import Registry
from memkit_plugins.token_f1 import TokenF1, memkit_register

BIRDS = ("A heron", "A swan")


def scores(judge: TokenF1, question: Question, text: str) -> Mapping[str, float]:
    """The scores the judge gives `text`."""
    return asyncio.run(judge.judge(question, Answer(text), None)).scores


def test_free_text() -> None:
    """An answer's first sentence is compared with the gold, citations aside."""
    question = Question("q", "?", gold="640 euros")
    assert scores(TokenF1(), question, "640 euros [/memories/a.md:L2]. A bargain!") == {"answer_f1": 1.0}


def test_options() -> None:
    """A question with options has an exact score beside F1."""
    question = Question("q", "?", gold=BIRDS[0], options=BIRDS)
    assert scores(TokenF1(), question, "(a)") == {"answer_f1": 1.0, "exact": 1.0}
    assert scores(TokenF1(), question, "(b)") == {"answer_f1": 0.0, "exact": 0.0}


@pytest.mark.parametrize("judge", [TokenF1(), TokenF1(scorer="locomo")])
def test_unanswerable(judge: TokenF1) -> None:
    """Saying that nothing is known is right where nothing is, with options or without, and is no F1."""
    for options in ((), BIRDS):
        question = Question("q", "?", options=options, answerable=False)
        assert scores(judge, question, "No information available.") == {"abstention": 1.0}
        assert scores(judge, question, "A heron") == {"abstention": 0.0}


def test_no_gold() -> None:
    """Without gold there is no score, and the note says why."""
    verdict = asyncio.run(TokenF1().judge(Question("q", "?"), Answer("x"), None))
    assert (verdict.scores, verdict.note) == ({}, "the question has no gold answer")


def test_locomo_rule() -> None:
    """The scorer `locomo` follows the category; `f1` does not."""
    question = Question("q", "?", gold="yes; she said so", category="3")
    assert scores(TokenF1(scorer="locomo"), question, "Yes") == {"answer_f1": 1.0}
    assert scores(TokenF1(), question, "Yes")["answer_f1"] < 1.0


def test_registration() -> None:
    """The judge is made by name, and a scorer that does not exist is told in words."""
    registry = Registry()
    memkit_register(registry)
    assert isinstance(registry.make("judge", "token-f1", {"scorer": "locomo"}), TokenF1)
    with pytest.raises(ConfigError) as caught:
        registry.make("judge", "token-f1", {"scorer": "bleu"})
    assert caught.value.where == "options of judge 'token-f1': scorer"
