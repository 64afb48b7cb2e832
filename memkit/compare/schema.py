"""The JSON Schema of `compare.yaml`, made from its records: for editors, and for whoever writes specs by program.

What depends on the installed parts, on labels or on the data is beyond a schema; `memkit compare --dry-run` checks all.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from memkit.compare import spec
from memkit.compare.amounts import AMOUNT, SECONDS, TOKENS, read_seconds, read_tokens
from memkit.compare.judging import BY_SCORE, OPTION

Schema = dict[str, Any]
EXTENDS = (
    "Another spec, relative to this file. What this one says goes before it: maps key by key, lists and parts whole."
)
SCALARS: Mapping[Any, Schema] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
}
_AMOUNTS: Mapping[Callable[..., Any], Schema] = {
    read_tokens: {"type": "string", "pattern": f"^{AMOUNT}\\s?({'|'.join(TOKENS)})$", "examples": ["20M"]},
    read_seconds: {"type": "string", "pattern": f"^{AMOUNT}\\s?({'|'.join(SECONDS)})?$", "examples": ["2h"]},
}


def spec_schema() -> Schema:
    """The schema of a whole spec, draft 2020-12."""
    definitions: dict[str, Schema] = {}
    whole = _record(spec.Spec, definitions)
    judge = _type(spec.Use, definitions)
    properties = {**whole["properties"], "judge": {"anyOf": [_judge_by_score(judge), *judge["anyOf"]]}}
    properties["extends"] = {"type": "string", "minLength": 1, "description": EXTENDS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A comparison of memories: compare.yaml",
        **whole,
        "properties": properties,
        "required": [],
        # What one spec lacks, the one it extends may say.
        "anyOf": [{"required": ["extends"]}, _whole(whole["required"], properties, definitions)],
        "$defs": definitions,
    }


def _whole(required: list[str], properties: Mapping[str, Schema], definitions: dict[str, Schema]) -> Schema:
    """What a spec that extends no other must say, which its maps then need not demand themselves."""
    demanded = {}
    for name, schema in properties.items():
        record = definitions.get(schema.get("$ref", "").rpartition("/")[2], {})
        if lacking := record.pop("required", None):
            demanded[name] = {"required": lacking}
    return {"required": required, "properties": demanded}


def _judge_by_score(judge: Schema) -> Schema:
    """A judge said by what it judges."""
    part = {"anyOf": judge["anyOf"]}
    return {
        "type": "object",
        "properties": dict.fromkeys(sorted(BY_SCORE), part) | {OPTION: {"anyOf": [*judge["anyOf"], {"const": False}]}},
        "required": ["correctness"],
        "additionalProperties": False,
    }


def _record(cls: Any, definitions: dict[str, Schema]) -> Schema:
    hints = get_type_hints(cls)
    properties, required = {}, []
    for attribute in attrs.fields(cls):
        name = attribute.metadata.get("key", attribute.name)
        properties[name] = _field(attribute, hints[attribute.name], definitions)
        if attribute.default is attrs.NOTHING:
            required.append(name)
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if described := _described(cls):
        schema["description"] = described
    return schema | ({"required": required} if required else {})


def _field(attribute: Any, hint: Any, definitions: dict[str, Schema]) -> Schema:
    schema = _type(hint, definitions)
    if amount := _AMOUNTS.get(attribute.metadata.get("read")):
        schema = {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, amount, SCALARS[type(None)]]}
    return _limited(schema, attribute.validator)


def _limited(schema: Schema, validator: Any) -> Schema:
    """`schema` with what a validator of ours, or of attrs, asks for beside the type."""
    limits: dict[Any, Schema] = {
        spec._filled: {"minItems": 1},  # noqa: SLF001 - the records' own validators
        spec._distinct: {"uniqueItems": True},  # noqa: SLF001
        spec._file_name: {"pattern": r"^[A-Za-z0-9][A-Za-z0-9._-]*$", "maxLength": spec.NAME_CHARACTERS},  # noqa: SLF001
        spec._label: {"pattern": r"^[^\u0000-\u001f\u007f]*$", "maxLength": spec.LABEL_CHARACTERS},  # noqa: SLF001
    }
    if validator is None:
        return schema
    if inspect.isfunction(validator):
        return {**schema, **limits[validator]}
    for inner in getattr(validator, "_validators", ()) or filter(None, (getattr(validator, "validator", None),)):
        schema = _limited(schema, inner)
    words = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum"}
    word = words.get(getattr(validator, "compare_op", ""))
    return {**schema, word: validator.bound} if word else schema


def _type(hint: Any, definitions: dict[str, Schema]) -> Schema:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in SCALARS:
        return dict(SCALARS[hint])
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return _either([_type(one, definitions) for one in arguments])
    if origin is list:
        return {"type": "array", "items": _type(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(arguments[1], definitions)}
    if hint.__name__ not in definitions:
        definitions[hint.__name__] = {}
        definitions[hint.__name__] = _record(hint, definitions)
    reference = {"$ref": f"#/$defs/{hint.__name__}"}
    return {"anyOf": [{"type": "string"}, reference]} if hasattr(hint, "from_text") else reference


def _either(options: list[Schema]) -> Schema:
    """One of the options; scalar types together, so that limits stand beside them."""
    kinds = [option["type"] for option in options if option.keys() == {"type"}]
    if len(kinds) == len(options):
        return {"type": kinds}
    first, *_ = options
    return {**first, "type": [first["type"], "null"]} if first.get("type") == "array" else {"anyOf": options}


def _described(cls: Any) -> str:
    return " ".join((inspect.getdoc(cls) or "").split()).replace("`", "")
