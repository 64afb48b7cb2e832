"""Compaction keeps a long loop within the window, and touches nothing that it must not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from attrs import field, mutable
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import ContextOverflow
from memkit.records import Completion, Message, Request, ToolCall, ToolSpec, Usage
from memkit.runtime.context import Context, Dropped, message_tokens
from memkit.runtime.limits import Limits
from memkit.runtime.loop import Transcript, run_loop
from memkit.testing.scripted import ScriptedModel
from memkit.tokens import count_tokens

LONG = "word " * 400
"""About 400 tokens."""
SYSTEM, ASK = Message("system", "You manage. " * 20), Message("user", "Context: " + "fact " * 100)


def rounds(*sizes: int) -> list[Message]:
    """The start of a loop and a round of one call for each result of so many words."""
    messages = [SYSTEM, ASK]
    for number, size in enumerate(sizes):
        call = ToolCall(f"c{number}", "view", json.dumps({"path": f"/memories/{number}.md"}))
        messages += [Message("assistant", "", (call,)), Message("tool", "word " * size, tool_call_id=f"c{number}")]
    return messages


def test_nothing_is_dropped_below_the_budget() -> None:
    """A request that fits is sent as it is."""
    context = Context(rounds(50, 50, 50), 10_000)
    context.fit()

    assert (rounds(50, 50, 50), []) == (context.messages, context.dropped)


def test_the_oldest_results_go_first() -> None:
    """Results become a line that names the call, until the request is well below its budget."""
    context = Context(rounds(400, 400, 400, 400), 1_800)
    context.fit()

    contents = [message.content for message in context.messages if message.role == "tool"]
    assert (
        '[dropped to make room: the result of view {"path": "/memories/0.md"}, 401 tokens; call again if you need it]'
        == contents[0]
    )
    assert [LONG, LONG] == contents[2:]
    assert Dropped("view", '{"path": "/memories/0.md"}', 401) == context.dropped[0]


@given(st.lists(st.integers(0, 600), max_size=12), st.integers(1, 4_000))
def test_what_must_stay_stays(sizes: list[int], budget: int) -> None:
    """System, user and the last two rounds are never touched, every call keeps its result, and what fits is left."""
    context = Context(rounds(*sizes), budget)
    context.fit()
    before = rounds(*sizes)

    assert before[:2] == context.messages[:2]
    assert before[-4:] == context.messages[-4:]
    assert all(message in before for message in context.messages if message.role != "tool")
    assert [call.id for message in context.messages for call in message.tool_calls] == [
        message.tool_call_id for message in context.messages if message.role == "tool"
    ]
    assert sum(map(message_tokens, context.messages)) <= max(budget, sum(map(message_tokens, before)))
    assert (before == context.messages) == (not context.dropped)
    if sum(map(message_tokens, before)) <= budget:
        assert before == context.messages


def test_fitting_again_drops_no_notice() -> None:
    """What was dropped is not dropped again."""
    context = Context(rounds(400, 400, 400, 400), 1_200)
    context.fit()
    held = list(context.messages)
    context.fit()

    assert (held, 2) == (context.messages, len(context.dropped))


def test_whole_rounds_go_when_their_calls_are_too_much() -> None:
    """Old calls are removed with their results, and the first round says how many."""
    context = Context(rounds(*[5] * 40), 800)
    context.fit()

    gone = 40 - sum(bool(message.tool_calls) for message in context.messages)
    assert f"[dropped to make room: this result and {gone} rounds that followed it]" == context.messages[3].content
    assert gone == sum(dropped.call for dropped in context.dropped) > 0
    assert rounds(*[5] * 40)[-4:] == context.messages[-4:]


@mutable
class Reader:
    """A model that reads a file a round and refuses what is over its window; it counts as we do."""

    window: int
    rounds: int
    sizes: list[int] = field(factory=list)
    name: str = "reader"

    async def complete(self, request: Request) -> Completion:
        specs = count_tokens(
            json.dumps([[tool.name, tool.description, dict(tool.parameters)] for tool in request.tools])
        )
        size = sum(map(message_tokens, request.messages)) + specs + request.max_output_tokens
        if size > self.window:
            raise ContextOverflow(f"{size} tokens are over {self.window}")
        self.sizes.append(size)
        if len(self.sizes) == self.rounds:
            return Completion(Message("assistant", "Done."), Usage(size, output=1))
        call = ToolCall(f"c{len(self.sizes)}", "view", json.dumps({"path": f"/memories/{len(self.sizes)}.md"}))
        return Completion(Message("assistant", "", (call,)), Usage(size, output=10), "tool_calls")


class View:
    """A tool with a long result."""

    spec = ToolSpec("view", "Read.", {"type": "object", "properties": {"path": {"type": "string"}}})

    async def __call__(self, arguments: object) -> str:
        return f"[S1T1] {arguments}\n{LONG}"


def loop(model: Reader | ScriptedModel, limits: Limits, messages: Sequence[Message] = (SYSTEM, ASK)) -> Transcript:
    """Run the model over the tool as a manager."""
    return asyncio.run(run_loop(model, messages, (View(),), role="manage", limits=limits))


def test_sixty_rounds_never_overflow_a_small_window() -> None:
    """A management run of 60 rounds reads six times its window, ends by itself, and its record has everything."""
    model = Reader(window=4_000, rounds=60)
    done = loop(model, Limits(rounds=60, reply_tokens=32_768, context_tokens=4_000))

    assert ("answered", 60) == (done.end, done.effort.rounds)
    assert max(model.sizes) <= 4_000
    assert len(done.dropped) >= 50
    assert [LONG in message.content for message in done.messages if message.role == "tool"] == [True] * 59


def test_a_provider_that_counts_more_is_given_less() -> None:
    """An overflow by the provider's own count drops more and asks again; nothing is lost from the record."""
    model = Reader(window=3_500, rounds=20)
    done = loop(model, Limits(rounds=20, reply_tokens=500, context_tokens=8_000))

    assert ("answered", 20) == (done.end, done.effort.rounds)


def test_an_overflow_that_nothing_can_mend_is_raised() -> None:
    """When the question alone is too long, the caller learns it."""
    with pytest.raises(ContextOverflow):
        loop(Reader(window=200, rounds=2), Limits(context_tokens=8_000))


def test_a_reply_takes_half_of_the_window_at_most() -> None:
    """The cap of a reply leaves room for what it replies to."""
    model = ScriptedModel(["Done."])
    loop(model, Limits(reply_tokens=32_768, context_tokens=10_000))

    assert 5_000 == model.requests[0].max_output_tokens
