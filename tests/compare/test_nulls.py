from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from memkit.compare import nulls
from memkit.compare.cases import load_cases
from memkit.compare.comparison import compare
from memkit.compare.nulls import NullSearcher, gold, render_evidence
from memkit.compare.spec import Data, Factors, Nulls, Spec, Use
from memkit.locators import Locator, find_locators
from memkit.records import Answer, Case, Question, Step, Trajectory, Unit
from memkit.registry import Registry
from memkit.view.contexts import long_context
from memkit.view.sheet import View

MakeSpec = Callable[..., Spec]


@pytest.fixture(scope="module")
def demo(make_spec: MakeSpec, registry: Registry) -> Case:
    """The demo with all its questions."""
    return load_cases(make_spec(select={"limit": 1000}), registry)[0]


def ask(row: str, case: Case, question: Question, registry: Registry, tokens: int = 26_000) -> Answer:
    """The answer of a null row."""
    model = registry.make("model", "memkit/extractive")
    return asyncio.run(NullSearcher(row, model, case.stream, tokens).answer(question))


def test_closed_book_serves_nothing(demo: Case, registry: Registry) -> None:
    """Without a memory there is nothing to read and no tool to call."""
    effort = ask("closed-book", demo, demo.questions[0], registry).effort

    assert ((), 0, 0, 1) == (effort.served, effort.served_tokens, effort.tool_calls, effort.rounds)


def test_oracle_serves_the_gold(demo: Case, registry: Registry) -> None:
    """The oracle gets the marked turns, all of them and no other."""
    for question in demo.questions:
        served = ask("oracle", demo, question, registry).effort.served
        assert set(question.evidence) == set(served) == set(find_locators(render_evidence(demo.stream, question)))


def test_long_context_within_its_budget(demo: Case, registry: Registry) -> None:
    """The row reads as much as its budget allows: all turns, or the first and the last."""
    turns = [turn.locator for session in demo.stream.units for turn in session.turns]
    whole = ask("long-context", demo, demo.questions[0], registry).effort
    part = ask("long-context", demo, demo.questions[0], registry, tokens=1000).effort

    assert turns == list(whole.served)
    assert part.served_tokens <= 1000
    assert (turns[0], turns[-1]) == (part.served[0], part.served[-1])
    assert len(part.served) < len(turns)


def test_evidence_of_a_trajectory() -> None:
    """Marked steps are given whole; a locator the stream lacks is left out."""
    steps = tuple(Step(Locator("step", 0, number), number, f"act {number}", "seen") for number in (1, 2))
    question = Question("q", "?", evidence=(Locator("step", 0, 2), Locator("step", 0, 9)))
    stream = Trajectory("t", "task", steps)

    assert "[step 2] act 2\nseen\n" == render_evidence(stream, question)
    assert (Locator("step", 0, 2),) == gold(stream, question)


def test_long_context_is_made_once_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty-six questions are asked with one text, which is long to count."""
    made: list[int] = []

    def counted(units: Iterable[Unit], tokens: int) -> View:
        made.append(tokens)
        return long_context(units, tokens)

    monkeypatch.setattr(nulls, "long_context", counted)
    factors = Factors(builder=[Use("verbatim")], harness=[Use("center+bm25")])
    spec = Spec(data=[Data("demo")], factors=factors, nulls=Nulls(rows=["long-context"]))
    done = compare(spec, runs=tmp_path, runner=Use("local", {"workers": 0}))

    assert 2 * 26 == done.outcome.answered
    assert [spec.nulls.long_context_tokens] == made
