"""The searcher `bm25-context` answers from the best whole steps or turns that fit, in the order of the archive."""

from __future__ import annotations

import asyncio

from memkit.locators import Locator
from memkit.memory import Memory
from memkit.records import Question, Session, Step, Turn
from memkit.testing.scripted import ScriptedModel
from memkit.tokens import count_tokens
from memkit_plugins.bm25.context import BM25Context

FILLER = "lorem ipsum dolor sit amet"


def _append(memory: Memory, *observations: str) -> None:
    with memory.lock:
        start = len(memory.archive)
        for number, text in enumerate(observations, start):
            memory.archive.append(Step(Locator("step", 0, number), number, "look", text))


def _shown(searcher: BM25Context, memory: Memory, question: str) -> list[int]:
    return [locator.index for locator in searcher.view(memory, Question("q", question)).whole]


def _searcher(budget: int) -> BM25Context:
    return BM25Context(model=ScriptedModel(["It was."]), budget=budget)


def test_the_best_steps_in_step_order(memory: Memory) -> None:
    """What shares terms with the question comes before what does not, and is shown in step order."""
    _append(memory, *(f"{FILLER} {'kettles' if number in {4, 11} else 'mugs'}" for number in range(20)))

    shown = _shown(_searcher(90), memory, "Where was the kettle?")

    assert {4, 11} <= set(shown)
    assert sorted(shown) == shown
    assert len(shown) < 20


def test_steps_are_whole(memory: Memory) -> None:
    """A step that does not fit is left out, whatever its score, and the next one is tried."""
    _append(memory, "kettle " * 500, "a kettle", FILLER)

    assert [1, 2] == _shown(_searcher(100), memory, "kettle")


def test_everything_is_shown_when_it_fits(memory: Memory) -> None:
    """A question without a term of the archive still gets what fits."""
    _append(memory, "one", "two")

    assert [0, 1] == _shown(_searcher(1000), memory, "?")


def test_turns_are_ranked_too(memory: Memory) -> None:
    """In a conversation the entries are turns."""
    said = [Turn(Locator("S", 1, number), "Ana", f"{FILLER} {number}") for number in range(1, 30)]
    with memory.lock:
        memory.archive.append(Session(1, (*said, Turn(Locator("S", 1, 30), "Bo", "a kettle"))))

    view = _searcher(80).view(memory, Question("q", "kettle"))

    assert Locator("S", 1, 30) in view.whole
    assert count_tokens(view.text) <= 80


def test_later_steps_are_found(memory: Memory) -> None:
    """What is appended after the first question is in the view of the next."""
    searcher = _searcher(1000)
    _append(memory, "one")
    assert [0] == _shown(searcher, memory, "kettle")

    _append(memory, "a kettle")

    assert [0, 1] == _shown(searcher, memory, "kettle")


def test_the_answer_says_what_was_served(memory: Memory) -> None:
    """The locators of the steps shown, and their tokens, stand in the effort of the answer."""
    _append(memory, "a kettle", "a mug")
    searcher = _searcher(1000)

    answer = asyncio.run(searcher.answer(memory, Question("q", "Where was the kettle?")))

    view = searcher.view(memory, Question("q", "Where was the kettle?"))
    assert "It was." == answer.text
    assert view.whole == answer.effort.served
    assert view.tokens == answer.effort.served_tokens
