"""The arguments of a tool call: from the text a model wrote to values that fit the tool's schema.

Models quote numbers, encode twice, and send null for what they leave out. What can be read in one way only
is read; anything else is a ToolError that says what to send.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias

from memkit.errors import ToolError
from memkit.records import ToolSpec

Schema: TypeAlias = Mapping[str, Any]

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_WORDS = {"string": "text", "integer": "a whole number", "boolean": "true or false", "array": "a list"}
_LARGEST_EXACT = 2.0**53
"""Every whole number up to here is exact as a float; a float above may not be the number that was meant."""


class _Unfit(Exception):
    """A value that cannot be read as its schema's type."""


def parse_arguments(text: str) -> dict[str, Any]:
    """The JSON object that `text` is (no text: no arguments), also when it was encoded twice. Raises ToolError."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
        if isinstance(value, str):
            value = json.loads(value)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ToolError(
            "The arguments hold half of a surrogate pair, which is not a character; send the text without it."
        ) from None
    except (ValueError, RecursionError) as error:
        where = f" ({error})" if isinstance(error, json.JSONDecodeError) else ""
        raise ToolError(f"The arguments are not valid JSON{where}; {_EXAMPLE}.") from None
    if not isinstance(value, dict):
        raise ToolError(f"The arguments are JSON but not an object; {_EXAMPLE}.")
    return value


_EXAMPLE = 'send one JSON object that maps each parameter to its value, such as {"path": "/memories"}'


def fit_arguments(spec: ToolSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """`arguments` with each value of the type that `spec.parameters` gives it.

    A null for an optional parameter leaves it out. Raises one ToolError with every fault and the
    parameters there are.
    """
    properties: Mapping[str, Schema] = spec.parameters.get("properties", {})
    required = spec.parameters.get("required", ())
    faults = [_unknown(key, properties) for key in arguments if key not in properties]
    fitted = {}
    for key, schema in properties.items():
        if arguments.get(key) is None:
            if key in required:
                faults.append(f"{key!r} is missing")
            continue
        try:
            fitted[key] = _fit(arguments[key], schema)
        except _Unfit:
            faults.append(f"{key!r} must be {_words(schema)}, not {_shown(arguments[key])}")
    if faults:
        takes = ", ".join(_usage(key, schema, key in required) for key, schema in properties.items())
        raise ToolError(f"{spec.name} was not run: {'; '.join(faults)}. It takes {takes or 'no parameters'}.")
    return fitted


def _fit(value: Any, schema: Schema) -> Any:
    match schema.get("type"):
        case "string":
            fits = isinstance(value, str)
        case "integer":
            value, fits = _fit_integer(value)
        case "boolean":
            value = {"true": True, "false": False}.get(value.lower(), value) if isinstance(value, str) else value
            fits = isinstance(value, bool)
        case "array":
            value, fits = _fit_array(value, schema.get("items", {}))
        case _:
            fits = True
    if not fits:
        raise _Unfit
    return value


def _fit_integer(value: Any) -> tuple[Any, bool]:
    if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
        return int(value), True
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return int(value), True
    return value, isinstance(value, int) and not isinstance(value, bool)


def _fit_array(value: Any, items: Schema) -> tuple[Any, bool]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return value, False
    if not isinstance(value, list):
        return value, False
    return [_fit(item, items) for item in value], True


def _unknown(key: str, properties: Mapping[str, Schema]) -> str:
    near = get_close_matches(key, properties, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"there is no parameter {_shown(key)}{hint}"


def _usage(key: str, schema: Schema, required: bool) -> str:  # noqa: FBT001
    return f"{key} ({_words(schema)}{'' if required else ', optional'})"


def _words(schema: Schema) -> str:
    word = _WORDS.get(schema.get("type", ""), "a value")
    inner = schema.get("items", {}).get("type")
    return f"a list, each {_WORDS.get(inner, 'a value')}" if word == "a list" and inner else word


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
