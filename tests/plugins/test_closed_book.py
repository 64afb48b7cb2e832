from __future__ import annotations

import asyncio
from pathlib import Path
from typing import get_args

import pytest

from memkit import Answer, Layout, Limits, Memory, Question, Role, build_memory, build_registry, compose
from memkit.testing.samples import CHAT
from memkit.testing.scripted import ScriptedModel
from memkit_plugins.agent.searcher import Agent
from memkit_plugins.closed_book.builder import ClosedBook
from memkit_plugins.closed_book.harness import NoTools

QUESTION = Question("q", "Where does Ana live?", options=("Lisbon", "Porto"))


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """The sample chat, built."""
    memory = Memory.create(tmp_path / "memory", builder="closed-book", plugin="tests 0", layout=ClosedBook.layout)
    asyncio.run(build_memory(memory, ClosedBook(), CHAT.units))
    return memory


def ask(memory: Memory, model: ScriptedModel) -> Answer:
    """The answer of the search agent, which would have forty rounds."""
    return asyncio.run(Agent(model, NoTools(), Limits(rounds=40)).answer(memory, QUESTION))


def test_nothing_is_stored(memory: Memory) -> None:
    """The memory is finished and holds its archive, and no file."""
    assert (True, len(CHAT.units)) == (memory.manifest.ready, len(memory.archive))
    assert [] == memory.store.paths()


def test_one_request_without_tools(memory: Memory) -> None:
    """The model gets the closed-book prompt, the question with its options, and nothing to call."""
    model = ScriptedModel(["(b) Porto"])
    answer = ask(memory, model)

    (request,) = model.requests
    assert ("(b) Porto", "answered", 1) == (answer.text, answer.end, answer.effort.rounds)
    assert (compose("roles/closed-book").text, ()) == (request.messages[0].content, request.tools)
    assert "Where does Ana live?" in request.messages[1].content
    assert "(b) Porto\n" in request.messages[1].content


def test_there_is_no_second_round(memory: Memory) -> None:
    """A model that calls a tool all the same, or says nothing, has had its round."""
    for said in ([("grep", {"pattern": "Ana"})], ""):
        answer = ask(memory, ScriptedModel([said, "Porto"]))
        assert ("rounds", "", 1) == (answer.end, answer.text, answer.effort.rounds)


def test_the_embedded_model_answers(memory: Memory) -> None:
    """Without a store it says that nothing is known, and of options it takes one."""
    registry = build_registry()
    chosen = {"model": registry.make("model", "memkit/extractive"), "harness": registry.make("harness", "none")}
    agent = registry.make("searcher", "agent", **chosen)

    assert asyncio.run(agent.answer(memory, QUESTION)).text.startswith("(a) Lisbon.")
    assert asyncio.run(agent.answer(memory, Question("q", "Where?"))).text.startswith("No information available")


@pytest.mark.parametrize("role", get_args(Role))
@pytest.mark.parametrize("layout", get_args(Layout))
def test_misfit(role: Role, layout: Layout) -> None:
    """The harness `none` fits a search without a store alone."""
    assert ((role, layout) == ("search", "none")) == (NoTools().misfit(role, layout) is None)


@pytest.mark.parametrize("name", build_registry().names("harness"))
def test_no_other_harness_fits(name: str) -> None:
    """Every harness with tools says why it does not serve a memory without a store."""
    registry = build_registry(accept_unsandboxed=True)

    assert (name == "none") == (registry.make("harness", name).misfit("search", "none") is None)
