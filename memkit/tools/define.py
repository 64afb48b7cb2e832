"""Tools from typed functions: the signature gives the JSON Schema, a prompt file gives the words."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from memkit.contracts import Tool
from memkit.errors import PromptError
from memkit.prompts import tool_texts
from memkit.records import ToolSpec

Function: TypeAlias = Callable[..., Awaitable[str] | str]
"""What does the work of a tool: keyword arguments in, text for the model out."""

_TYPES = {str: "string", int: "integer", bool: "boolean"}


@frozen(eq=False)
class FunctionTool:
    """A tool that calls `function`. `writes` marks one that changes the store, so that its calls keep their order."""

    spec: ToolSpec
    function: Function = field(repr=False)
    writes: bool = False

    async def __call__(self, arguments: Mapping[str, Any]) -> str:
        """Call the function and wait for it where it is asynchronous."""
        result = self.function(**arguments)
        return await result if inspect.isawaitable(result) else result


def define_tool(name: str, function: Function, *, writes: bool = False) -> Tool:
    """A tool called `name` that runs `function`, described by the prompt `tools/<name>`.

    Parameters may be str, int, bool, lists of these, and any of them `| None`.
    Raises TypeError for another type, and PromptError when the prompt is missing or describes other
    parameters than the function has.
    """
    description, parameter_texts = tool_texts(name)
    return FunctionTool(ToolSpec(name, description, _schema(name, function, parameter_texts)), function, writes)


def _schema(name: str, function: Function, texts: Mapping[str, str]) -> dict[str, Any]:
    hints = typing.get_type_hints(function)
    properties: dict[str, Any] = {}
    required = []
    for parameter in inspect.signature(function).parameters.values():
        schema = _type_schema(hints[parameter.name])
        schema["description"] = texts.get(parameter.name, "")
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        elif parameter.default is not None:
            schema["default"] = parameter.default
        properties[parameter.name] = schema
    _check_texts(name, properties.keys(), texts)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _type_schema(hint: Any) -> dict[str, Any]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        inner = [part for part in typing.get_args(hint) if part is not types.NoneType]
        if len(inner) == 1:
            return _type_schema(inner[0])
    elif typing.get_origin(hint) is list:
        return {"type": "array", "items": _type_schema(typing.get_args(hint)[0])}
    elif hint in _TYPES:
        return {"type": _TYPES[hint]}
    raise TypeError(f"a tool parameter cannot be {hint}; use str, int, bool, a list of these, or one of them | None")


def _check_texts(name: str, parameters: typing.AbstractSet[str], texts: Mapping[str, str]) -> None:
    bare = sorted(parameter for parameter in parameters if not texts.get(parameter))
    stray = sorted(texts.keys() - parameters)
    if bare or stray:
        raise PromptError(
            f"prompt 'tools/{name}': parameters without a description {bare}, descriptions without one {stray}"
        )
