from __future__ import annotations

import asyncio
from pathlib import Path
from typing import get_args

import pytest

from memkit.memory import Memory
from memkit.plugins import build_registry
from memkit.prompts import compose
from memkit.records import Answer, Citation, Layout, Question
from memkit.runtime.limits import Limits
from memkit.testing.scripted import ScriptedModel
from memkit.tools.guide import tool_guide
from memkit.tools.read import read_tools
from memkit_plugins.agent.searcher import PROMPTS, Agent

QUESTION = Question("q", "Where does Ana live?", gold="SECRET GOLD", options=("Lisbon", "Porto"))


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A memory of one file."""
    memory = Memory.create(tmp_path / "memory", builder="verbatim", plugin="agent-memkit 0", layout="flat")
    memory.store.create("/memories/a.md", "---\nname: a\ndescription: About Ana\n---\n[S1T1] Ana: I live in Porto.\n")
    return memory


def ask(memory: Memory, model: ScriptedModel, **options: Limits) -> Answer:
    """The agent's answer to the question, with the tools of `center`."""
    harness = build_registry().make("harness", "center")
    return asyncio.run(Agent(model, harness, **options).answer(memory, QUESTION))


def test_it_searches_and_cites(memory: Memory) -> None:
    """The reply is the answer, its citations are found in it, and what the tools gave is on record."""
    said = "Porto [/memories/a.md:L5]."
    answer = ask(memory, ScriptedModel([[("grep", {"pattern": "live"})], said]))

    assert (said, "answered") == (answer.text, answer.end)
    assert (Citation("/memories/a.md", (5, 5)),) == answer.citations
    assert ["[S1T1]"] == [str(locator) for locator in answer.effort.served]
    assert (2, 1) == (answer.effort.rounds, answer.effort.tool_calls)


def test_what_the_model_is_told(memory: Memory) -> None:
    """The prompt of the layout, the question with its options, the tools of the harness; never the gold."""
    model = ScriptedModel(["Porto."])
    ask(memory, model)

    (request,) = model.requests
    guide = tool_guide("search", read_tools(memory.store))
    assert compose(PROMPTS["flat"], tools=guide).text == request.messages[0].content
    assert "Where does Ana live?" in request.messages[1].content
    assert "(a) Lisbon\n(b) Porto\n" in request.messages[1].content
    assert ["view", "grep", "toc", "section_read"] == [tool.name for tool in request.tools]
    assert "SECRET GOLD" not in str(request)


def test_layouts() -> None:
    """It searches every store, and guesses without one; an event ledger is not for it."""
    layouts = build_registry().part("searcher", "agent").layouts
    assert {*get_args(Layout)} - {"ledger"} == layouts == PROMPTS.keys()


@pytest.mark.parametrize("layout", PROMPTS)
def test_every_layout_has_its_prompt(layout: Layout) -> None:
    """Each prompt is there and takes its tools."""
    values = {} if layout == "none" else {"tools": "Tools."}

    assert compose(PROMPTS[layout], **values).text


def test_limits_end_it(memory: Memory) -> None:
    """The caps are an option of the agent."""
    script = [[("grep", {"pattern": "a"})]] * 3
    answer = ask(memory, ScriptedModel(list(script)), limits=Limits(rounds=2))

    assert ("rounds", "", 2) == (answer.end, answer.text, answer.effort.rounds)


def test_registration() -> None:
    """Made by name, with limits as options."""
    registry = build_registry()
    harness, model = registry.make("harness", "center"), registry.make("model", "memkit/extractive")
    made = registry.make("searcher", "agent", {"limits": {"rounds": 3}}, model=model, harness=harness)

    assert Agent(model, harness, Limits(rounds=3)) == made
