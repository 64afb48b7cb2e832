"""The content address of a model call: equal for equal questions to equal models, and unlike otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from attrs import NOTHING, asdict, field, frozen

from memkit.converter import make_converter
from memkit.records import Completion, Message, Request, ToolSpec

TRANSPORT = frozenset({"api_key", "first_wait", "max_concurrency", "prompt_cache", "retries", "timeout"})
"""Options of a model that say how a call travels or is billed, not what the model sees; in no key."""
_converter = make_converter()


@frozen
class Address:
    """Where a call is kept: its key, and the request in parts that calls share.

    `head` is the request with digests in the place of its messages and tools; `parts` has what they stand for.
    """

    key: str
    head: Mapping[str, Any] = field(repr=False)
    parts: Mapping[str, Any] = field(repr=False)


def address(model: str, options: Mapping[str, Any], request: Request, attempt: int) -> Address:
    """The address of a request to a model.

    The key is the SHA-256 of the canonical JSON of the model's name and options (less `TRANSPORT`), the messages,
    tools, output cap, temperature, seed, repeat and attempt. Not of the role: it does not reach the model.
    """
    messages = [_part(_data(message)) for message in request.messages]
    tools = _part([_data(tool) for tool in request.tools])
    head = {
        "model": model,
        "options": {name: value for name, value in options.items() if name not in TRANSPORT},
        "messages": [digest for digest, _ in messages],
        "tools": tools[0],
        "max_output_tokens": request.max_output_tokens,
        "temperature": None if request.temperature is None else float(request.temperature),
        "seed": request.seed,
        "repeat": request.repeat,
        "attempt": attempt,
    }
    return Address(digest_of(head), head, dict((*messages, tools)))


def _data(record: Any) -> Any:
    """A record without what is as by default: a field that memkit adds one day changes no key of before."""
    return asdict(record, filter=lambda attribute, value: attribute.default is NOTHING or value != attribute.default)


def _part(data: Any) -> tuple[str, Any]:
    return digest_of(data), data


def digest_of(data: Any) -> str:
    """SHA-256 of `data` in canonical JSON, in hexadecimal."""
    return sha256(canonical(data).encode()).hexdigest()


def canonical(data: Any) -> str:
    """JSON with sorted keys, no spaces and ASCII alone, so that it also holds half a surrogate pair."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), default=dict)


def request_from(head: Mapping[str, Any], parts: Mapping[str, Any]) -> Request:
    """The request of an address, for people to read: its role is not on record and stands as `search`."""
    return Request(
        messages=tuple(_converter.structure(parts[digest], Message) for digest in head["messages"]),
        role="search",
        tools=tuple(_converter.structure(tool, ToolSpec) for tool in parts[head["tools"]]),
        **{name: head[name] for name in ("max_output_tokens", "temperature", "seed", "repeat")},
    )


def completion_data(completion: Completion) -> Any:
    """A completion as JSON data."""
    return _converter.unstructure(completion)


def completion_from(data: Any) -> Completion:
    """The completion that `completion_data` made `data` of."""
    return _converter.structure(data, Completion)
