"""Between memkit's records and the chat messages of the library: tool calls travel as JSON text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, Literal, TypeAlias

from attrs import frozen

from memkit import (
    Completion,
    ContextOverflow,
    Message,
    ModelError,
    PermanentModelError,
    Request,
    ToolCall,
    ToolSpec,
    Usage,
)
from memkit_plugins.local_model.schema import ANSWER, ARGUMENTS, CALLS, MOST_CALLS, NAME

Json: TypeAlias = dict[str, Any]

RULES = f"""\
You can call tools. Each of your replies is one JSON object, of one of two forms:
{{"{CALLS}": [{{"{NAME}": "a tool", "{ARGUMENTS}": {{}}}}]}}
{{"{ANSWER}": "your final text"}}
The first calls tools, up to {MOST_CALLS} at once; their results are the next message. The second ends the task: send \
it when you know enough, and only then.

The tools, each with the JSON Schema of its arguments:"""
"""Told after the system message when tools are granted; a model's own template for tools is not used, since small
models often have none."""

_CALL_ID = re.compile(r"call_([0-9]{1,15})")
_CUT_ANSWER = re.compile(rf'\s*\{{\s*"{ANSWER}"\s*:\s*"(.*)', re.DOTALL)
_LONGEST_ESCAPE = 6
"""Characters of `\\uXXXX`."""
_OVERFLOW = "exceed_context_size_error"


@frozen
class Said:
    """What the library gave for one call: the text, how it ended, its own counts, and whether the model thought."""

    text: str
    finish: str
    usage: Mapping[str, Any]
    thought: bool = False


def write_messages(request: Request) -> list[Json]:
    """The chat: one system message at the most, then user and assistant in turn, as every chat template takes it."""
    system = [message.content for message in request.messages if message.role == "system"]
    if request.tools:
        system.append("\n".join((RULES, *map(_describe, request.tools))))
    names = {call.id: call.name for message in request.messages for call in message.tool_calls}
    rest = [_write(message, request, names) for message in request.messages if message.role != "system"]
    told = [("system", "\n\n".join(system))] if system else []
    turns = [(role, "\n\n".join(text for _, text in turn)) for role, turn in groupby(rest, key=lambda pair: pair[0])]
    return [{"role": role, "content": encodable(text)} for role, text in (*told, *turns)]


def read_reply(said: Said, request: Request) -> Completion:
    """The completion that a reply is: calls where it fits that form, and text otherwise.

    A reply cut at the cap is text: what there is of the answer, or the calls as far as they were written.
    """
    usage = read_usage(said)
    finish: Literal["stop", "length"] = "length" if said.finish == "length" else "stop"
    match _read_object(said.text) if request.tools else None:
        case {"calls": [*calls]} if calls and all(_is_call(call, request.tools) for call in calls):
            return Completion(Message("assistant", "", _number(calls, request.messages)), usage, "tool_calls")
        case {"answer": str(answer)}:
            text = answer
        case None if request.tools:
            text = _cut_answer(said.text)
        case _:
            text = said.text
    return Completion(Message("assistant", encodable(text)), usage, finish)


def read_usage(said: Said) -> Usage:
    """The library's own counts; its prompt count includes what the cache held, and it writes none at a price."""
    prompt, output = _count(said.usage, "prompt_tokens"), _count(said.usage, "completion_tokens")
    cached = _count(said.usage.get("prompt_tokens_details") or {}, "cached_tokens")
    return Usage(
        uncached=None if prompt is None or cached is None else max(prompt - cached, 0),
        cache_read=cached,
        output=output,
        reasoning=None if said.thought else 0,
    )


def read_failure(error: Any, who: str) -> ModelError:
    """The error of memkit's for what the library reports of a call."""
    message = str(error.get("message") if isinstance(error, Mapping) else error).strip() or "no reason given"
    if isinstance(error, Mapping) and error.get("type") == _OVERFLOW:
        return ContextOverflow(f"{who}: the messages do not fit the model's window: {message}")
    return PermanentModelError(f"{who}: the library does not accept the request: {message}")


def encodable(text: str) -> str:
    """`text` without halves of surrogate pairs, which cannot be sent."""
    return text.encode(errors="replace").decode()


def _describe(tool: ToolSpec) -> str:
    return f"- {tool.name}: {tool.description}\n  {_compact(tool.parameters)}"


def _write(message: Message, request: Request, names: Mapping[str, str]) -> tuple[str, str]:
    """The role and text of one message; `names` are the tools by the ids of their calls."""
    if message.role == "tool":
        return "user", f"Result of {names.get(message.tool_call_id, 'a call')}:\n{message.content}"
    if message.role != "assistant" or not request.tools:
        return message.role, message.content
    if not message.tool_calls:
        return message.role, _compact({ANSWER: message.content})
    calls = [{NAME: call.name, ARGUMENTS: _read(call.arguments)} for call in message.tool_calls]
    return message.role, _compact({CALLS: calls})


def _read(arguments: str) -> Any:
    """Past arguments as data, or as the text they are when that is no JSON."""
    with suppress(ValueError, RecursionError):
        return json.loads(arguments)
    return arguments


def _read_object(text: str) -> Json | None:
    with suppress(ValueError, RecursionError):
        data = json.loads(text)
        if isinstance(data, dict):
            return data
    return None


def _is_call(call: Any, tools: Sequence[ToolSpec]) -> bool:
    return (
        isinstance(call, dict)
        and call.keys() == {NAME, ARGUMENTS}
        and any(call[NAME] == tool.name for tool in tools)
        and isinstance(call[ARGUMENTS], dict)
    )


def _cut_answer(text: str) -> str:
    """The text of an answer whose JSON breaks off, or else `text`."""
    if match := _CUT_ANSWER.fullmatch(text):
        for lost in range(min(_LONGEST_ESCAPE, len(match[1]) + 1)):
            with suppress(ValueError):
                return str(json.loads(f'"{match[1][: len(match[1]) - lost]}"', strict=False))
    return text


def _number(calls: Sequence[Json], messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """The calls under ids that go on from the last one; not from their count, since old rounds may be left out."""
    ids = [call.id for message in messages for call in message.tool_calls]
    last = max((int(match[1]) for one in ids if (match := _CALL_ID.fullmatch(one))), default=0)
    return tuple(
        ToolCall(f"call_{number}", call[NAME], json.dumps(call[ARGUMENTS]))
        for number, call in enumerate(calls, last + 1)
    )


def _count(block: Mapping[str, Any], name: str) -> int | None:
    value = block.get(name)
    return value if type(value) is int and value >= 0 else None


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, default=dict)
