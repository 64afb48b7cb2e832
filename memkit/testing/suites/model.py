"""What every model promises."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from typing import ClassVar

import pytest
from hypothesis import given

from memkit.contracts import Model
from memkit.errors import ModelError
from memkit.records import Completion, Message, Request, ToolCall, ToolSpec, Usage
from memkit.testing.strategies import texts

FETCH = ToolSpec(
    "view",
    "Read a file.",
    {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "The file."}},
        "required": ["path"],
        "additionalProperties": False,
    },
)
SYSTEM = Message("system", "You answer questions from a memory.")
ASK = Message("user", "Question: Where did Ana buy the red kite?\n\nAnswer it from memory.")
CALLED = Message("assistant", "", (ToolCall("call_1", "view", '{"path": "/memories/session_01.md"}'),))
RESULT = Message(
    "tool",
    "Here's the content of /memories/session_01.md with line numbers:\n     7\t[S1T1] Ana: I bought the kite in Porto.",
    tool_call_id="call_1",
)
REQUESTS = (
    Request((SYSTEM, ASK), "search"),
    Request((SYSTEM, ASK), "search", (FETCH,)),
    Request((SYSTEM, ASK, CALLED, RESULT), "search", (FETCH,)),
    Request((ASK,), "search"),
)
"""A question without tools, with one, after its result, and without a system message."""


class ModelSuite:
    """Subclass and fill in `make`. For a provider's model, replay recorded replies."""

    deterministic: ClassVar[bool] = True
    """Whether the model claims to give the same reply to the same request."""

    def make(self) -> Model:
        """A new model."""
        raise NotImplementedError

    def test_fits_its_contract(self) -> None:
        """It has a name and completes."""
        model = self.make()

        assert isinstance(model, Model)
        assert model.name.strip()

    @pytest.mark.parametrize("request_", REQUESTS)
    def test_the_request_stays_as_it_is(self, request_: Request) -> None:
        """What was asked is not altered by answering."""
        before = deepcopy(request_)
        self._complete(request_)

        assert before == request_

    @pytest.mark.parametrize("request_", REQUESTS)
    def test_replies_are_valid(self, request_: Request) -> None:
        """An assistant's message with text or calls of granted tools, each call with an id of its own."""
        reply = self._complete(request_)

        assert_reply(reply, request_)

    @pytest.mark.parametrize("request_", REQUESTS)
    def test_usage_is_not_negative(self, request_: Request) -> None:
        """Token counts are whole numbers from 0, or None where unknown; thinking is part of the output."""
        usage = self._complete(request_).usage
        counts = (usage.uncached, usage.cache_read, usage.cache_write, usage.output, usage.reasoning)

        assert isinstance(usage, Usage)
        assert all(count is None or (type(count) is int and count >= 0) for count in counts)
        assert usage.output is None or usage.reasoning is None or usage.reasoning <= usage.output

    @pytest.mark.parametrize("request_", REQUESTS)
    def test_the_same_request_gets_the_same_reply(self, request_: Request) -> None:
        """A model that claims to be deterministic repeats itself, usage included."""
        if not self.deterministic:
            pytest.skip("the model does not claim to be deterministic")

        assert self._complete(request_) == self._complete(request_)

    def test_any_text_gets_a_reply(self) -> None:
        """Whatever was said or stored: a valid reply, or a ModelError."""

        @given(texts(), texts())
        def check(asked: str, shown: str) -> None:
            result = Message("tool", shown, tool_call_id="call_1")
            request = Request((SYSTEM, Message("user", asked), CALLED, result), "search", (FETCH,))
            try:
                assert_reply(self._complete(request), request)
            except ModelError as error:
                assert str(error)  # noqa: PT017

        check()

    def _complete(self, request: Request) -> Completion:
        return asyncio.run(self.make().complete(request))


def assert_reply(reply: Completion, request: Request) -> None:
    """The reply is one that a loop can go on with."""
    calls = reply.message.tool_calls
    before = {call.id for message in request.messages for call in message.tool_calls}
    assert "assistant" == reply.message.role
    assert bool(calls) == (reply.finish == "tool_calls")
    assert {call.name for call in calls} <= {tool.name for tool in request.tools}
    assert len(calls) == len({call.id for call in calls} - before - {""})
