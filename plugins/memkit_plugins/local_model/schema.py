"""The JSON Schema of a reply: calls of the granted tools, or the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from memkit import ToolSpec

Schema: TypeAlias = dict[str, Any]

CALLS, NAME, ARGUMENTS, ANSWER = "calls", "name", "arguments", "answer"
MOST_CALLS = 8
"""Calls in one reply: a small model that begins to repeat itself would else go on to the end of its window."""


def reply_schema(tools: Sequence[ToolSpec]) -> Schema:
    """The schema that a reply has to fit when these tools, at least one, are granted.

    Each tool's own schema stands under `$defs`, with its references led there.
    """
    places = [f"tool{number}" for number in range(len(tools))]
    forms = [
        _object({NAME: {"const": tool.name}, ARGUMENTS: {"$ref": f"#/$defs/{place}"}})
        for tool, place in zip(tools, places, strict=True)
    ]
    calls = {"type": "array", "items": {"anyOf": forms}, "minItems": 1, "maxItems": MOST_CALLS}
    return {
        "anyOf": [_object({CALLS: calls}), _object({ANSWER: {"type": "string"}})],
        "$defs": {
            place: {"type": "object", **_moved(tool.parameters, f"#/$defs/{place}")}
            for tool, place in zip(tools, places, strict=True)
        },
    }


def _object(properties: Schema) -> Schema:
    """An object of exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _moved(schema: Any, root: str) -> Any:
    """`schema` with each reference into itself led to where it is kept, at `root`."""
    if isinstance(schema, Mapping):
        return {
            key: root + value[1:]
            if key == "$ref" and isinstance(value, str) and value.startswith("#")
            else _moved(value, root)
            for key, value in schema.items()
        }
    if isinstance(schema, list | tuple):
        return [_moved(item, root) for item in schema]
    return schema
