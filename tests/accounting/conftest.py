"""Calls to work out costs of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from memkit.accounting.call import Call
from memkit.records import Message, Request, ToolSpec, Usage


@pytest.fixture
def make_call() -> Callable[..., Call]:
    """Makes a call that sends the messages, of one conversation with one model unless told otherwise."""

    def make(
        messages: Sequence[Message],
        usage: Usage,
        *,
        billed: bool = True,
        model: str = "openai/gpt-4.1",
        conversation: str = "c",
        tools: tuple[ToolSpec, ...] = (),
    ) -> Call:
        return Call(
            key="k",
            role="search",
            model=model,
            usage=usage,
            billed=billed,
            seconds=2.0,
            retries=1,
            conversation=conversation,
            index=0,
            request=Request(tuple(messages), "search", tools),
        )

    return make
