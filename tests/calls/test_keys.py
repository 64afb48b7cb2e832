"""A key knows everything that can change a reply, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import given
from hypothesis import strategies as st

from memkit.calls.keys import address, completion_data, completion_from, request_from
from memkit.records import Completion, Message, Request, ToolCall, ToolSpec, Usage

CHANGES: dict[str, Any] = {
    "messages": (Message("user", "Where is the kite"),),
    "tools": (),
    "max_output_tokens": 101,
    "temperature": None,
    "seed": 8,
    "repeat": 1,
}


def key(request: Request, *, model: str = "m", options: dict[str, Any] | None = None, attempt: int = 0) -> str:
    """The key of a request."""
    return address(model, options or {}, request, attempt).key


def test_every_field_is_covered() -> None:
    """A field that requests gain one day must be put into the key, or listed here as left out."""
    assert {*CHANGES, "role"} == {attribute.name for attribute in fields(Request)}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_the_key(request_: Request, name: str) -> None:
    """Each thing the model sees is part of the key."""
    assert key(request_) != key(evolve(request_, **{name: CHANGES[name]}))


def test_model_options_and_attempt_change_the_key(request_: Request) -> None:
    """Another model, option or attempt is another call."""
    keys = {
        key(request_),
        key(request_, model="n"),
        key(request_, attempt=1),
        key(request_, options={"effort": "high"}),
        key(request_, options={"effort": "low"}),
    }

    assert 5 == len(keys)


@pytest.mark.parametrize(
    "change",
    [
        {"is_error": False},
        {"tool_call_id": "x"},
        {"role": "user"},
        {"content": ""},
        {"tool_calls": (ToolCall("", "", ""),)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_part_of_a_message_counts(request_: Request, change: dict[str, Any]) -> None:
    """Messages that differ in anything are different."""
    messages = (*request_.messages[:-1], evolve(request_.messages[-1], **change))

    assert key(request_) != key(evolve(request_, messages=messages))


def test_what_does_not_change_the_key(request_: Request) -> None:
    """The role, transport settings, the order of options and 1 for 1.0 do not matter."""
    one = key(evolve(request_, temperature=1), options={"a": 1, "b": 2})
    other = key(
        evolve(request_, temperature=1.0, role="manage"),
        options={
            "b": 2,
            "a": 1,
            "timeout": 3,
            "retries": 4,
            "max_concurrency": 5,
            "first_wait": 6,
            "api_key": "x",
            "prompt_cache": False,
        },
    )

    assert one == other


def test_the_key_stays(request_: Request) -> None:
    """The address does not move between versions: what was recorded is found, and not paid for again."""
    simple = Request((Message("user", "hi"),), "search")

    assert "6607815745c04c2c7e0029f30909d9d15da3afd230dd353a55b74a3c945bf294" == key(simple)
    assert "77fce6498814ad9255f187f39e7e2d3fbbef18d52af0770be96f75d85ae03f4c" == key(
        request_, model="openai/gpt-4.1", options={"x": 1}, attempt=2
    )


def test_parts_make_the_request_again(request_: Request) -> None:
    """Head and parts hold the whole request."""
    at = address("m", {}, request_, 0)

    assert request_ == request_from(at.head, at.parts)


@given(st.text(), st.text(), st.lists(st.builds(ToolCall, st.text(), st.text(), st.text()), max_size=3), st.booleans())
def test_round_trips(content: str, other: str, calls: list[ToolCall], flag: bool) -> None:  # noqa: FBT001
    """Any message comes back from its parts and from a recorded completion, and only equal ones share a key."""
    message = Message("assistant", content, tuple(calls), other, flag)
    request = Request((message, Message("user", other)), "search", (ToolSpec(content, other, {"a": [content]}),))
    at = address(other, {}, request, 0)
    completion = Completion(message, Usage(1, None, 2, 3, 0), "length", 3)

    assert request == request_from(at.head, at.parts)
    assert completion == completion_from(completion_data(completion))
    assert (content == other) == (key(request) == key(evolve(request, messages=(message, Message("user", content)))))
