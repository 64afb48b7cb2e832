"""What a loopback server may be told to reply, and how each reply looks in the protocols providers speak."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from attrs import frozen

from memkit.records import Usage

Protocol: TypeAlias = Literal["openai", "anthropic"]
Json: TypeAlias = dict[str, Any]

SPENT = Usage(uncached=20, output=7)
"""What a reply takes unless the script says otherwise."""

_FINISH_ANTHROPIC = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}


@frozen
class Says:
    """A reply with text, calls as (tool, arguments), or both, after `delay` seconds.

    Arguments are data, or text that goes out as it stands. `usage` is written in the protocol's own
    convention: OpenAI counts cached tokens as part of the prompt, Anthropic beside it. A field that
    is None is left out, and so is the whole block when `usage` is None.
    """

    text: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    usage: Usage | None = SPENT
    finish: Literal["stop", "tool_calls", "length", "content_filter"] | None = None
    delay: float = 0.0
    thinking: str = ""


@frozen
class Fails:
    """An error of the provider with an HTTP status; `retry_after` is sent as the header of that name."""

    status: int
    message: str = "The server had an error."
    code: str = "server_error"
    retry_after: float | str | None = None
    delay: float = 0.0


@frozen
class Raw:
    """Bytes that go out as the whole body of a success, valid or not."""

    body: bytes
    delay: float = 0.0


@frozen
class Drops:
    """The connection is closed without a reply."""

    delay: float = 0.0


Reply: TypeAlias = str | Says | Fails | Raw | Drops
"""A text alone stands for `Says` with that text."""


@frozen
class Asked:
    """A request as it came in. Header names are in lower case; `port` is the client's, one for each connection."""

    path: str
    headers: Mapping[str, str]
    body: Json
    port: int = 0

    @property
    def protocol(self) -> Protocol:
        """The protocol the path belongs to."""
        return "anthropic" if self.path.endswith("/messages") else "openai"


Script: TypeAlias = Sequence[Reply] | Callable[[Asked], Reply]
"""Replies in order, or a function of the request."""


def render(reply: Says | Fails, asked: Asked, number: int) -> Json:
    """The body of a reply in the protocol it was asked in; `number` makes its ids unlike those of others."""
    forms: dict[Protocol, Callable[[Says, str, int], Json]] = {"openai": _openai, "anthropic": _anthropic}
    if isinstance(reply, Fails):
        error = {"message": reply.message, "type": reply.code, "code": reply.code}
        return {"error": error} if asked.protocol == "openai" else {"type": "error", "error": error}
    return forms[asked.protocol](reply, str(asked.body.get("model", "")), number)


def _openai(reply: Says, model: str, number: int) -> Json:
    message: Json = {"role": "assistant", "content": reply.text or None}
    if reply.thinking:
        message["reasoning_content"] = reply.thinking
    if reply.calls:
        message["tool_calls"] = [
            {"id": f"call_{number}_{place}", "type": "function", "function": {"name": name, "arguments": _text(given)}}
            for place, (name, given) in enumerate(reply.calls)
        ]
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(reply)}],
        **({"usage": _openai_usage(reply.usage)} if reply.usage else {}),
    }


def _openai_usage(usage: Usage) -> Json:
    prompt: Json = {"cached_tokens": usage.cache_read}
    if usage.cache_write:
        prompt["cache_write_tokens"] = usage.cache_write
    counts = {"prompt_tokens": usage.input, "completion_tokens": usage.output}
    return {
        **_known(counts),
        "total_tokens": sum(count or 0 for count in counts.values()),
        "prompt_tokens_details": _known(prompt),
        "completion_tokens_details": _known({"reasoning_tokens": usage.reasoning}),
    }


def _anthropic(reply: Says, model: str, number: int) -> Json:
    blocks: list[Json] = []
    if reply.thinking:
        blocks.append({"type": "thinking", "thinking": reply.thinking, "signature": f"signature_{number}"})
    if reply.text:
        blocks.append({"type": "text", "text": reply.text})
    blocks += [
        {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": given}
        for place, (name, given) in enumerate(reply.calls)
    ]
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks,
        "stop_reason": _FINISH_ANTHROPIC[_finish(reply)],
        "stop_sequence": None,
        **({"usage": _anthropic_usage(reply.usage)} if reply.usage else {}),
    }


def _anthropic_usage(usage: Usage) -> Json:
    return _known(
        {
            "input_tokens": usage.uncached,
            "cache_read_input_tokens": usage.cache_read,
            "cache_creation_input_tokens": usage.cache_write,
            "output_tokens": usage.output,
        }
    )


def _finish(reply: Says) -> str:
    return reply.finish or ("tool_calls" if reply.calls else "stop")


def _text(given: Any) -> str:
    return given if isinstance(given, str) else json.dumps(given)


def _known(counts: Mapping[str, int | None]) -> Json:
    return {name: count for name, count in counts.items() if count is not None}
