"""Between memkit's records and the chat messages litellm takes and gives."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from typing import Any, Literal, TypeAlias

from memkit import Completion, ContentRefused, Message, Request, ToolCall, ToolSpec, TransientModelError
from memkit_plugins.litellm_model.spent import read_usage

Json: TypeAlias = dict[str, Any]
Finish: TypeAlias = Literal["stop", "tool_calls", "length"]

_BAD_NAME = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64
"""Characters of a tool's name that every provider takes back."""


def write_messages(messages: Sequence[Message]) -> list[Json]:
    """Chat messages in OpenAI's form, which litellm turns into the provider's."""
    return [_write(message) for message in messages]


def write_tools(tools: Sequence[ToolSpec]) -> list[Json]:
    """Tools in OpenAI's form."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                # A copy: litellm edits schemas to suit a provider.
                "parameters": json.loads(json.dumps(tool.parameters, default=dict)),
            },
        }
        for tool in tools
    ]


def read_reply(response: Any, request: Request, who: str) -> Completion:
    """The completion that a response of litellm's holds.

    Raises ContentRefused where the provider held the answer back, and TransientModelError for a
    response without a message.
    """
    choice = next(iter(getattr(response, "choices", None) or ()), None)
    message = getattr(choice, "message", None)
    if choice is None or message is None:
        raise TransientModelError(f"{who}: the reply holds no message")
    if choice.finish_reason == "content_filter" or (getattr(message, "refusal", None) and not message.content):
        raise ContentRefused(f"{who}: the provider held the answer back")
    calls = _read_calls(message.tool_calls or (), request)
    content = message.content or ""
    thought = bool(getattr(message, "thinking_blocks", None) or getattr(message, "reasoning_content", None))
    usage = read_usage(getattr(response, "usage", None), said=bool(content or calls or thought), thought=thought)
    finish: Finish = "tool_calls" if calls else "length" if choice.finish_reason == "length" else "stop"
    return Completion(Message("assistant", content, calls, opaque=_opaque(message)), usage, finish)


def _write(message: Message) -> Json:
    written: Json = {"role": message.role, "content": _encodable(message.content)}
    if message.tool_call_id:
        written["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        written["content"] = written["content"] or None
        written["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": _name(call.name), "arguments": _object(call)}}
            for call in message.tool_calls
        ]
    if message.opaque:
        written |= json.loads(message.opaque)
    return written


def _encodable(text: str) -> str:
    """Half of a surrogate pair cannot be sent."""
    return text.encode(errors="replace").decode()


def _name(name: str) -> str:
    """A name the provider takes back: a model may have made up one that it does not."""
    return _BAD_NAME.sub("_", name)[:_LONGEST_NAME] or "_"


def _object(call: ToolCall) -> str:
    """The arguments as a JSON object, which providers demand of a past call whatever the model wrote."""
    value: Any = call.arguments
    for _ in range(2):  # some models encode twice
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            break
        if isinstance(value, dict):
            return json.dumps(value)
        if not isinstance(value, str):
            break
    return json.dumps({"unreadable": call.arguments} if call.arguments.strip() else {})


def _read_calls(calls: Sequence[Any], request: Request) -> tuple[ToolCall, ...]:
    taken = {call.id for message in request.messages for call in message.tool_calls}
    read: list[ToolCall] = []
    for call in calls:
        read.append(ToolCall(_own_id(call.id or "", taken), call.function.name or "", call.function.arguments or ""))
        taken.add(read[-1].id)
    return tuple(read)


def _own_id(given: str, taken: AbstractSet[str]) -> str:
    """An id that no other call has: some providers give none, or the same again."""
    if given and given not in taken:
        return given
    return next(name for n in count(1) if (name := f"{given or 'call'}_{n}") not in taken)


def _opaque(message: Any) -> str:
    """Signed thinking: Anthropic's models refuse a conversation with calls from which it was left out."""
    blocks = getattr(message, "thinking_blocks", None)
    return json.dumps({"thinking_blocks": blocks}) if blocks else ""
