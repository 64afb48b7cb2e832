from __future__ import annotations

import asyncio

import pytest

from memkit.records import Answer, Question, Verdict
from memkit.registry import Registry
from memkit_plugins.exact import Exact, memkit_register

BIRDS = ("A heron", "A swan")


def judged(question: Question, text: str) -> Verdict:
    """The verdict on `text`."""
    return asyncio.run(Exact().judge(question, Answer(text), None))


@pytest.mark.parametrize(
    ("text", "expected"), [("(a)", 1.0), ("A heron, by the river.", 1.0), ("(b)", 0.0), ("A duck", 0.0), ("", 0.0)]
)
def test_options(text: str, expected: float) -> None:
    """The right letter or the right words score 1, anything else 0."""
    assert Verdict({"exact": expected}) == judged(Question("q", "?", gold=BIRDS[0], options=BIRDS), text)


def test_what_is_not_scored() -> None:
    """An open question, one without gold and one that cannot be answered have no score, and the note says why."""
    assert Verdict({}, "the question has no options") == judged(Question("q", "?", gold="A heron"), "A heron")
    for question in (Question("q", "?", options=BIRDS), Question("q", "?", options=BIRDS, answerable=False)):
        assert Verdict({}, "none of the options is marked as right") == judged(question, "(a)")


def test_registration() -> None:
    """The judge is made by name."""
    registry = Registry()
    memkit_register(registry)
    assert isinstance(registry.make("judge", "exact"), Exact)
