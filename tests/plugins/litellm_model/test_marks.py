"""Prompts are cached by providers that must be asked to: what they are sent, and what it comes to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from memkit import Memory, Message, Question, Request, ToolCall, ToolSpec, Usage, build_registry
from memkit.testing.samples import sample_memory
from memkit.testing.server import Asked, Says
from memkit_plugins.litellm_model.marks import MARK, must_be_asked
from memkit_plugins.litellm_model.switches import load

VIEW = ToolSpec("view", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
CALLS = (ToolCall("c1", "view", '{"path": "/memories/a.md"}'), ToolCall("c2", "view", '{"path": "/memories/b.md"}'))
ROUND = (
    Message("assistant", "I look.", CALLS),
    Message("tool", "The kite is red.", tool_call_id="c1"),
    Message("tool", "It was bought in Porto.", tool_call_id="c2"),
)
MOST_MARKS = 4
"""Of a request to Anthropic ("Prompt caching"); a fifth is refused."""
LOOK_BACK = 20
"""Blocks before a mark in which Anthropic finds the end of an earlier one."""


@pytest.fixture
def in_a_loop(ask: Request) -> Request:
    """A request with a tool, after one round."""
    return evolve(ask, messages=(*ask.messages, *ROUND), tools=(VIEW,))


def text(said: str, *, marked: bool = False) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": said, **({"cache_control": MARK} if marked else {})}


def result(call: str, said: str, *, marked: bool = False) -> dict[str, Any]:
    """A block with a tool's result."""
    block = {"type": "tool_result", "tool_use_id": call, "content": said}
    return {**block, **({"cache_control": MARK} if marked else {})}


def blocks(asked: Asked) -> list[Any]:
    """Everything a provider counts into a prompt's prefix, in its order: tools, system prompt, messages."""
    body = asked.body
    said = [[message["role"], block] for message in body["messages"] for block in message["content"]]
    return [*body["tools"], *body["system"], *said]


def prefixes(asked: Asked) -> list[str]:
    """The prompt up to each mark, as a provider compares it: without the marks."""
    whole = blocks(asked)
    marked = [place for place, block in enumerate(whole, 1) if "cache_control" in json.dumps(block)]
    return [json.dumps(whole[:place]).replace(f', "cache_control": {json.dumps(MARK)}', "") for place in marked]


def test_the_request_body(serve: Callable[..., Any], in_a_loop: Request) -> None:
    """Marked are the system prompt, where the last request ended, and the end of this one; nothing else."""
    served = serve(["Done."], "anthropic")
    served.complete(in_a_loop)

    body = served.asked[0].body
    assert [text("Answer.", marked=True)] == body["system"]
    uses = [{"type": "tool_use", "id": call.id, "name": "view", "input": json.loads(call.arguments)} for call in CALLS]
    results = [result("c1", "The kite is red."), result("c2", "It was bought in Porto.", marked=True)]
    assert [
        {"role": "user", "content": [text("Where is the kite?", marked=True)]},
        {"role": "assistant", "content": [text("I look."), *uses]},
        {"role": "user", "content": results},
    ] == body["messages"]
    assert "cache_control" not in json.dumps(body["tools"])


@pytest.mark.parametrize(
    ("protocol", "tools", "options"),
    [("anthropic", (VIEW,), {"prompt_cache": False}), ("anthropic", (), {}), ("openai", (VIEW,), {})],
    ids=["not wanted", "sent once", "caches by itself"],
)
def test_requests_without_marks(
    serve: Callable[..., Any], in_a_loop: Request, protocol: str, tools: Any, options: dict[str, Any]
) -> None:
    """Nothing is marked when switched off, for a request that no other will extend, or where no mark is needed."""
    served = serve(["Done."], protocol, **options)
    served.complete(evolve(in_a_loop, tools=tools))

    assert "cache_control" not in json.dumps(served.asked[0].body)


def test_an_empty_text_is_not_marked(serve: Callable[..., Any], ask: Request) -> None:
    """A mark on nothing, which the provider refuses, is left out."""
    served = serve(["Done."], "anthropic")
    served.complete(
        evolve(ask, messages=(*ask.messages, ROUND[0], *(evolve(one, content=" ") for one in ROUND[1:])), tools=(VIEW,))
    )

    assert 2 == len(prefixes(served.asked[0]))


def test_a_growing_conversation_reads_its_own_prefix(serve: Callable[..., Any], tmp_path: Path) -> None:
    """Each request of a loop is marked where the one before it ended, however many calls a round has."""
    memory: Memory = sample_memory(tmp_path / "memory", "tree")
    many = Says(calls=[("grep", {"pattern": str(number)}) for number in range(LOOK_BACK + 5)])
    served = serve([many, Says(calls=[("view", {"path": "/memories"})]), many, "In Porto."], "anthropic")
    registry = build_registry()
    searcher = registry.make("searcher", "agent", model=served.model, harness=registry.make("harness", "center"))
    assert "In Porto." == asyncio.run(searcher.answer(memory, Question("q", "Where?", gold="Porto"))).text

    seen = [prefixes(asked) for asked in served.asked]
    assert [2, 3, 3, 3] == [len(marks) for marks in seen]
    assert [before[-1] for before in seen[:-1]] == [after[-2] for after in seen[1:]]
    assert {seen[0][0]} == {marks[0] for marks in seen}
    assert max(len(marks) for marks in seen) <= MOST_MARKS
    assert len(blocks(served.asked[1])) - len(blocks(served.asked[0])) > LOOK_BACK


def test_the_bill_of_a_cached_conversation(serve: Callable[..., Any], in_a_loop: Request) -> None:
    """Anthropic counts what it read and wrote beside the input; each token is billed in one class, once."""
    first, second = Usage(20, 0, 900, 7), Usage(4, 900, 150, 9)
    served = serve([Says("One.", usage=first), Says("Two.", usage=second)], "anthropic")

    assert [first, second] == [served.complete(in_a_loop).usage for _ in range(2)]
    assert [920, 1054] == [first.input, second.input]


@pytest.mark.parametrize(
    "name",
    [
        "anthropic/claude-sonnet-4-5",
        "anthropic/of-tomorrow",
        "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "vertex_ai/claude-sonnet-4-5",
        "openrouter/anthropic/claude-sonnet-4.5",
    ],
)
def test_who_must_be_asked(name: str) -> None:
    """Claude models wherever they take marks."""
    model, provider, _, _ = load().get_llm_provider(name)

    assert must_be_asked(load(), provider, model)


@pytest.mark.parametrize(
    "name",
    [
        "bedrock/converse/anthropic.claude-3-haiku-20240307-v1:0",  # takes no marks
        "vertex_ai/gemini-2.5-pro",  # a mark would make litellm create a cache that is billed by the hour
        "openai/gpt-4o",
        "openai/claude-sonnet-4-5",
    ],
)
def test_who_is_not_asked(name: str) -> None:
    """Models that cache by themselves, or not at all."""
    model, provider, _, _ = load().get_llm_provider(name)

    assert not must_be_asked(load(), provider, model)
