"""What the embedded model asks for, and that it stops."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import (
    ROOT,
    Case,
    Harness,
    Memory,
    Message,
    Question,
    Registry,
    Transcript,
    compose,
    render_options,
    run_loop,
)
from memkit.testing.samples import QUESTIONS, sample_memory
from memkit.testing.strategies import texts
from memkit_plugins.extractive.model import Extractive

ARMS = [("verbatim", "center"), ("verbatim", "center+bm25"), ("chunk-bm25", "chunks")]
ROUNDS = {"center": 4, "center+bm25": 3, "chunks": 3}
"""Replies at most, the answer included."""
DEFAULT = Extractive()


def search(
    registry: Registry,
    memory: Memory,
    harness: str,
    text: str,
    options: Sequence[str] = (),
    model: Extractive = DEFAULT,
) -> Transcript:
    """The loop of a search."""
    made: Harness = registry.make("harness", harness)
    user = compose("roles/ask", question=text, options=render_options(options)).text
    messages = (Message("system", "You search."), Message("user", user))
    return asyncio.run(run_loop(model, messages, made.tools("search", memory), role="search"))


def calls_of(done: Transcript) -> list[list[tuple[str, str]]]:
    """The calls of each round."""
    return [
        [(call.name, call.arguments) for call in message.tool_calls] for message in done.messages if message.tool_calls
    ]


def assert_sound(done: Transcript, harness: str) -> None:
    """The search ended by itself within its rounds, without a failed call, asking nothing twice."""
    made = [call for calls in calls_of(done) for call in calls]
    assert ("answered", 0) == (done.end, done.effort.tool_errors)
    assert len(made) == len(set(made))
    assert done.effort.rounds <= ROUNDS[harness]


@pytest.mark.parametrize(("builder", "harness"), ARMS)
def test_every_demo_question(
    registry: Registry, memories: dict[str, Memory], demo: Case, builder: str, harness: str
) -> None:
    """Every search ends within its rounds, with no call that fails and none that is made twice."""
    for question in demo.questions:
        assert_sound(search(registry, memories[builder], harness, question.text, question.options), harness)


@pytest.mark.parametrize(("builder", "harness"), ARMS)
def test_any_question(registry: Registry, memories: dict[str, Memory], builder: str, harness: str) -> None:
    """So does a search for anything else."""

    @given(texts(), st.lists(texts(max_size=20), max_size=3))
    def check(text: str, options: list[str]) -> None:
        assert_sound(search(registry, memories[builder], harness, text, options), harness)

    check()


@pytest.mark.parametrize("served_tokens", [1, 100, 10_000, 10_000_000])
@pytest.mark.parametrize(("builder", "harness"), ARMS)
def test_any_budget(
    registry: Registry, memories: dict[str, Memory], builder: str, harness: str, served_tokens: int
) -> None:
    """No budget, however small or large, leads to a call that its tool refuses."""
    model = Extractive(served_tokens=served_tokens)
    assert_sound(search(registry, memories[builder], harness, "Who paid for the kiln?", model=model), harness)


def test_no_budget_below_one(registry: Registry) -> None:
    """A budget of nothing is refused."""
    with pytest.raises(ValueError, match="served_tokens"):
        Extractive(served_tokens=0)


def test_independent_probes_go_together(registry: Registry, memories: dict[str, Memory]) -> None:
    """The listing and a count of each word are asked for in one round."""
    first, *_ = calls_of(search(registry, memories["verbatim"], "center", "Which bell did Mira ring?"))

    assert ("view", {"path": ROOT}) == (first[0][0], json.loads(first[0][1]))
    assert ["grep"] * 3 == [name for name, _ in first[1:]]


def test_options_are_probed_together(registry: Registry, memories: dict[str, Memory]) -> None:
    """The question and each option are looked up in one round."""
    (calls,) = calls_of(search(registry, memories["chunk-bm25"], "chunks", "Which animal?", ("a dog", "a cat")))

    assert ["Which animal?", "a dog", "a cat"] == [json.loads(arguments)["query"] for _, arguments in calls]


def test_nothing_to_search_for(registry: Registry, memories: dict[str, Memory]) -> None:
    """A question without a word is answered at once, and truthfully."""
    done = search(registry, memories["verbatim"], "center", "…?")

    assert [] == calls_of(done)
    assert done.text.startswith("No information available")


def test_scripts_without_spaces(registry: Registry, memories: dict[str, Memory]) -> None:
    """A phrase of such a script is found by its parts."""
    done = search(registry, memories["verbatim"], "center", "さくらの金継ぎについて")

    assert "金継ぎ" in done.text


@pytest.mark.parametrize("harness", ["center", "center+bm25"])
def test_outlines_of_files_in_folders(registry: Registry, tmp_path: Path, harness: str) -> None:
    """Over folders the outline of what was found is read, over a flat store it is not."""
    tools = {}
    for layout in ("tree", "flat"):
        memory = sample_memory(tmp_path / layout, layout)
        question: Question = QUESTIONS[0]
        done = search(registry, memory, harness, question.text)
        assert_sound(done, harness)
        tools[layout] = {name for calls in calls_of(done) for name, _ in calls}

    assert "toc" in tools["tree"]
    assert "toc" not in tools["flat"]
