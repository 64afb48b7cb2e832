"""Models that count, and requests to send them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import field, mutable

from memkit.calls.store import CallStore
from memkit.errors import ModelError
from memkit.records import Completion, Message, Request, ToolCall, ToolSpec, Usage


@mutable
class Counting:
    """Numbers its replies, after `seconds`; `errors` are raised first."""

    name: str = "openai/gpt-4.1"
    seconds: float = 0.0
    errors: list[ModelError] = field(factory=list)
    requests: list[Request] = field(factory=list)

    async def complete(self, request: Request) -> Completion:
        """The next number."""
        self.requests.append(request)
        number = len(self.requests)
        await asyncio.sleep(self.seconds)
        if self.errors:
            raise self.errors.pop(0)
        calls = (ToolCall(f"call_{number}", "grep", '{"pattern": "kite \U0001fa81 \ud83d"}'),)
        return Completion(Message("assistant", f"reply {number}", calls), Usage(10, 2, None, 3, 1), "tool_calls", 2)


@pytest.fixture
def make_model() -> Callable[..., Counting]:
    """Makes a counting model."""
    return Counting


@pytest.fixture
def model() -> Counting:
    """A counting model."""
    return Counting()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CallStore]:
    """An empty calls store."""
    with CallStore(tmp_path / "run" / "calls.db") as made:
        yield made


@pytest.fixture
def request_() -> Request:
    """A request with every part: text that no UTF-8 file can hold, tool calls, tools, settings."""
    call = ToolCall("call_1", "view", '{"path": "/memories/a.md"}')
    messages = (
        Message("system", "You search \ud83d."),
        Message("user", "Where is the kite?"),
        Message("assistant", "", (call,)),
        Message("tool", "not found", tool_call_id="call_1", is_error=True),
    )
    return Request(messages, "search", (ToolSpec("view", "Read.", {"type": "object"}),), 100, 0.5, 7)
