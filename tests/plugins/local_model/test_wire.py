"""Messages to the chat the library takes, and what it gives back to replies."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import ContextOverflow, Message, PermanentModelError, Request, ToolCall, ToolSpec, Usage
from memkit.testing.samples import SURROGATE
from memkit.testing.strategies import texts
from memkit.testing.suites.model import assert_reply
from memkit_plugins.local_model.wire import RULES, Said, read_failure, read_reply, read_usage, write_messages

VIEW = ToolSpec("view", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
GREP = ToolSpec("grep", "Find lines.", {"type": "object", "properties": {"pattern": {"type": "string"}}})
SYSTEM = Message("system", "You answer.")
ASK = Message("user", "Where is the kite?")
COUNTS = {"prompt_tokens": 30, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 25}}


def asked(*messages: Message, tools: tuple[ToolSpec, ...] = (VIEW, GREP)) -> Request:
    """A request with these messages."""
    return Request(messages or (SYSTEM, ASK), "search", tools)


def said(reply: Any, finish: str = "stop") -> Said:
    """What the library gave: text, or data as its JSON."""
    return Said(reply if isinstance(reply, str) else json.dumps(reply), finish, COUNTS)


def called(*calls: tuple[str, str, str]) -> Message:
    """An assistant's message with calls as (id, tool, arguments)."""
    return Message("assistant", "", tuple(ToolCall(*call) for call in calls))


def test_without_tools_messages_are_as_they_are() -> None:
    """No rules are told and replies are plain text."""
    request = asked(SYSTEM, ASK, Message("assistant", "In Porto."), Message("user", "Sure?"), tools=())

    assert [
        {"role": "system", "content": "You answer."},
        {"role": "user", "content": "Where is the kite?"},
        {"role": "assistant", "content": "In Porto."},
        {"role": "user", "content": "Sure?"},
    ] == write_messages(request)


def test_tools_are_told_after_the_system_message() -> None:
    """The rules, and each tool with its description and schema."""
    system, user = write_messages(asked())

    assert {"role": "user", "content": "Where is the kite?"} == user
    assert system["content"].startswith(f"You answer.\n\n{RULES}\n- view: Read a file.\n  {{")
    assert system["content"].endswith(
        '- grep: Find lines.\n  {"type": "object", "properties": {"pattern": {"type": "string"}}}'
    )


def test_calls_are_told_in_the_form_they_are_asked_for() -> None:
    """Past calls are JSON of the same form, broken arguments are text, and results share one message."""
    calls = called(("call_1", "view", '{"path": "/memories/é"}'), ("call_2", "grep", "{broken"))
    results = (
        Message("tool", "none", tool_call_id="call_1"),
        Message("tool", "not JSON", tool_call_id="call_2", is_error=True),
    )
    chat = write_messages(asked(SYSTEM, ASK, calls, *results, Message("assistant", "No."), Message("user", "Again.")))

    told = {"calls": [{"name": "view", "arguments": {"path": "/memories/é"}}, {"name": "grep", "arguments": "{broken"}]}
    assert [
        {"role": "assistant", "content": json.dumps(told, ensure_ascii=False)},
        {"role": "user", "content": "Result of view:\nnone\n\nResult of grep:\nnot JSON"},
        {"role": "assistant", "content": '{"answer": "No."}'},
        {"role": "user", "content": "Again."},
    ] == chat[2:]


@given(st.lists(st.tuples(st.sampled_from(("system", "user", "assistant", "tool")), texts() | st.just(SURROGATE))))
def test_any_messages_make_a_chat(given_: list[tuple[Any, str]]) -> None:
    """One system message first, then no role twice in a row, all of it text that can be sent."""
    chat = write_messages(asked(*(Message(role, text) for role, text in given_)))
    roles = [message["role"] for message in chat]

    assert "system" == roles[0]
    assert all(one != other for one, other in pairwise(roles))
    assert "system" not in roles[1:]
    assert json.dumps(chat, ensure_ascii=False).encode()


def test_calls_are_read() -> None:
    """Each call gets an id that goes on from the last one, also where calls before were left out."""
    request = asked(SYSTEM, ASK, called(("call_7", "view", "{}"), ("x", "view", "{}")))
    calls = [{"name": "grep", "arguments": {"pattern": "é"}}, {"name": "view", "arguments": {}}]
    reply = read_reply(said({"calls": calls}), request)

    assert "tool_calls" == reply.finish
    assert (
        ToolCall("call_8", "grep", json.dumps({"pattern": "é"})),
        ToolCall("call_9", "view", "{}"),
    ) == reply.message.tool_calls
    assert Usage(uncached=5, cache_read=25, output=7) == reply.usage


def test_an_answer_is_read() -> None:
    """The text alone, with what cannot be written replaced."""
    assert Message("assistant", "In Porto.") == read_reply(said({"answer": "In Porto."}), asked()).message
    assert "half of a pair: ?" == read_reply(said({"answer": SURROGATE}), asked()).message.content


def test_text_is_text_without_tools() -> None:
    """Nothing is read into a reply when no form was asked for."""
    text = '{"answer": "x"}'

    assert text == read_reply(said(text), asked(tools=())).message.content


@given(texts(), st.data())
def test_a_cut_answer_is_what_there_is_of_it(text: str, data: st.DataObject) -> None:
    """Cut anywhere, the answer is a beginning of the whole one, and the reply says that it was cut."""
    whole = json.dumps({"answer": text}, ensure_ascii=data.draw(st.booleans()))
    begins = len('{"answer": "')
    reply = read_reply(said(whole[: data.draw(st.integers(begins, len(whole) - 1))], "length"), asked())

    assert "length" == reply.finish
    assert text.startswith((reply.message.content, reply.message.content.removesuffix("?")))


def test_cut_calls_are_text() -> None:
    """Calls that break off are not made."""
    cut = '{"calls": [{"name": "view", "arguments": {"path": "/mem'
    reply = read_reply(said(cut, "length"), asked())

    assert (cut, (), "length") == (reply.message.content, reply.message.tool_calls, reply.finish)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | texts(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(("calls", "name", "arguments", "answer")), inner)
        ),
    )
    | texts(),
    st.sampled_from(("stop", "length")),
)
def test_any_text_is_a_reply(reply: Any, finish: str) -> None:
    """Whatever a library without constraints would give: a reply that a loop can go on with."""
    request = asked()

    assert_reply(read_reply(said(reply, finish), request), request)


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        (COUNTS, Usage(uncached=5, cache_read=25, output=7)),
        ({"prompt_tokens": 30, "completion_tokens": 7}, Usage(uncached=None, cache_read=None, output=7)),
        ({}, Usage(uncached=None, cache_read=None, output=None)),
        ({"prompt_tokens": True, "completion_tokens": -1}, Usage(uncached=None, cache_read=None, output=None)),
    ],
)
def test_usage(counts: dict[str, Any], usage: Usage) -> None:
    """The prompt's count includes what came from the cache; what is not said is unknown."""
    assert usage == read_usage(Said("x", "stop", counts))


def test_thinking_is_counted_by_nobody() -> None:
    """The library does not say how much of the output was thinking."""
    assert None is read_usage(Said("x", "stop", COUNTS, thought=True)).reasoning


def test_failures() -> None:
    """Too long is an error of its own; anything else would fail again."""
    overflow = read_failure({"type": "exceed_context_size_error", "message": "9 exceeds 8"}, "memkit/local")
    other = read_failure({"type": "invalid_request_error", "message": "no"}, "memkit/local")

    assert (ContextOverflow, "memkit/local: the messages do not fit the model's window: 9 exceeds 8") == (
        type(overflow),
        str(overflow),
    )
    assert (PermanentModelError, "memkit/local: the library does not accept the request: no") == (
        type(other),
        str(other),
    )
