"""A reply that fits the schema is one that a loop can go on with, whatever the tools."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memkit import Memory, ToolSpec, read_tools, write_tools
from memkit.testing.strategies import arguments, texts
from memkit_plugins.local_model.schema import MOST_CALLS, reply_schema

LINKED = ToolSpec(
    "file/notes~2",
    "Files notes.",
    {
        "type": "object",
        "properties": {"note": {"$ref": "#/$defs/note"}},
        "required": ["note"],
        "$defs": {
            "note": {"type": "object", "properties": {"under": {"$ref": "#/$defs/note"}, "id": {"type": "integer"}}}
        },
    },
)
"""A tool whose schema refers to itself."""


def validator(tools: list[ToolSpec]) -> Draft202012Validator:
    """What tells whether a reply fits the schema of these tools, which is itself a valid one."""
    schema = reply_schema(tools)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def fits(tools: list[ToolSpec], reply: Any) -> bool:
    """Whether a reply fits the schema of these tools."""
    return bool(validator(tools).is_valid(reply))


def call(tool: ToolSpec, values: Any) -> dict[str, Any]:
    """A call as a reply writes it."""
    return {"name": tool.name, "arguments": values}


def kinds(depth: int = 2) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas of a parameter."""
    plain = st.sampled_from(
        (
            {"type": "string"},
            {"type": "integer", "minimum": 0},
            {"type": "number"},
            {"type": "boolean"},
            {"enum": ["a", 1, None]},
            {},
        )
    )
    if not depth:
        return plain
    return plain | st.builds(lambda items: {"type": "array", "items": items}, kinds(depth - 1)) | objects(depth - 1)


@st.composite
def objects(draw: st.DrawFn, depth: int = 2) -> dict[str, Any]:
    """Schemas of an object, closed or open."""
    properties = draw(st.dictionaries(texts(max_size=8), kinds(depth), max_size=3))
    required = draw(st.sets(st.sampled_from(sorted(properties)))) if properties else set()
    closed = {"additionalProperties": False} if draw(st.booleans()) else {}
    return {"type": "object", "properties": properties, "required": sorted(required), **closed}


tool_lists = st.lists(
    st.builds(ToolSpec, texts(max_size=12), texts(), objects() | st.just({})),
    min_size=1,
    max_size=3,
    unique_by=lambda tool: tool.name,
)


@given(tool_lists, st.data())
def test_calls_of_granted_tools_fit(tools: list[ToolSpec], data: st.DataObject) -> None:
    """Any one to eight calls with arguments that fit their tools."""
    chosen = data.draw(st.lists(st.sampled_from(tools), min_size=1, max_size=MOST_CALLS))
    calls = [call(tool, data.draw(arguments(tool.parameters))) for tool in chosen]

    assert fits(tools, {"calls": calls})


@given(tool_lists, texts())
def test_an_answer_fits(tools: list[ToolSpec], answer: str) -> None:
    """Any text, alone."""
    assert fits(tools, {"answer": answer})
    assert not fits(tools, {"answer": answer, "calls": []})


@given(tool_lists, texts(max_size=12))
def test_nothing_else_fits(tools: list[ToolSpec], name: str) -> None:
    """No call of another tool, none with arguments that are no object, no empty list, none too many, no bare text."""
    first = tools[0]
    others = [ToolSpec(name, "", {})] if name not in {tool.name for tool in tools} else []
    wrong = [{"calls": [call(tool, {})]} for tool in others] + [
        {"calls": [call(first, "text")]},
        {"calls": [{"name": first.name}]},
        {"calls": [{**call(first, {}), "more": 1}]},
        {"calls": []},
        {"calls": [call(ToolSpec(first.name, "", {}), {})] * (MOST_CALLS + 1)},
        {},
        name,
        [],
    ]

    form = validator(tools)

    assert [False] * len(wrong) == [form.is_valid(reply) for reply in wrong]


def test_arguments_that_do_not_fit_are_refused() -> None:
    """Each tool's own schema holds for its own calls."""
    view = ToolSpec("view", "", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})
    count = ToolSpec("count", "", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})

    assert fits([view, count], {"calls": [call(view, {"path": "/memories"}), call(count, {"n": 2})]})
    assert not fits([view, count], {"calls": [call(view, {"n": 2})]})
    assert not fits([view, count], {"calls": [call(count, {"n": "2"})]})


def test_references_still_lead_somewhere() -> None:
    """A schema that refers to its own parts means the same where it is kept."""
    other = ToolSpec("other", "", {"type": "object", "$defs": {"note": {"type": "string"}}})

    assert fits([other, LINKED], {"calls": [call(LINKED, {"note": {"under": {"under": {"id": 1}}}})]})
    assert not fits([other, LINKED], {"calls": [call(LINKED, {"note": {"under": {"under": {"id": "one"}}}})]})
    assert not fits([other, LINKED], {"calls": [call(LINKED, {"note": "text"})]})


def test_our_own_tools(sample: Memory) -> None:
    """The real tools compose to plain JSON, and the request's own records stay as they are."""
    tools = [tool.spec for tool in (*read_tools(sample.store), *write_tools(sample.store))]
    before = json.dumps([tool.parameters for tool in tools])

    assert {"$defs", "anyOf"} == json.loads(json.dumps(reply_schema(tools))).keys()
    assert before == json.dumps([tool.parameters for tool in tools])
