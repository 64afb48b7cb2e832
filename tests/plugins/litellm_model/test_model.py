"""Calls of providers' models through the real litellm, to a server on this machine that behaves and misbehaves."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any

import pytest
from attrs import evolve

from memkit import (
    Completion,
    ContentRefused,
    ContextOverflow,
    Message,
    ModelError,
    PermanentModelError,
    Request,
    ToolCall,
    ToolSpec,
    TransientModelError,
    Usage,
)
from memkit.testing.server import Drops, Fails, Raw, Says
from memkit_plugins.litellm_model.model import ProviderModel

PROTOCOLS = ("openai", "anthropic")
both = pytest.mark.parametrize("protocol", PROTOCOLS)
VIEW = ToolSpec("view", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})


@both
def test_text(serve: Callable[..., Any], ask: Request, protocol: str) -> None:
    """A reply of text comes back as it was said, with what it took."""
    served = serve(["In Porto. 小梅 🐕"], protocol)

    expected = Completion(Message("assistant", "In Porto. 小梅 🐕"), Usage(uncached=20, output=7))
    assert expected == served.complete(ask)


@both
def test_parallel_calls_there_and_back(serve: Callable[..., Any], ask: Request, protocol: str) -> None:
    """Several calls in one reply keep names, arguments and order; their results go back, each under its own id."""
    calls = [("view", {"path": "/memories/a.md"}), ("view", {"path": "/memories/b.md"})]
    served = serve([Says("Let me look.", calls), "Done."], protocol)
    request = evolve(ask, tools=(VIEW,))

    reply = served.complete(request)
    assert ("Let me look.", "tool_calls") == (reply.message.content, reply.finish)
    assert calls == [(call.name, json.loads(call.arguments)) for call in reply.message.tool_calls]

    ids = [call.id for call in reply.message.tool_calls]
    results = (
        Message("tool", "The kite is red.", tool_call_id=ids[0]),
        Message("tool", "The path /memories/b.md does not exist.", tool_call_id=ids[1], is_error=True),
    )
    assert (
        "Done." == served.complete(evolve(request, messages=(*ask.messages, reply.message, *results))).message.content
    )
    sent = json.dumps(served.asked[1].body["messages"])
    assert [1, 1] == [sent.count("The kite is red."), sent.count("b.md does not exist.")]
    assert [2, 2] == [sent.count(id_) for id_ in ids]


def test_everything_chosen_is_sent(serve: Callable[..., Any], ask: Request) -> None:
    """Model, tools, cap, temperature, seed, reasoning effort and key reach the provider; the role stays here."""
    served = serve(["Yes."], temperature=0.25, seed=7, reasoning_effort="low")
    served.complete(evolve(ask, tools=(VIEW,), max_output_tokens=99))

    sent = served.asked[0]
    assert {
        "model": "loopback",
        "messages": [{"role": "system", "content": "Answer."}, {"role": "user", "content": "Where is the kite?"}],
        "tools": [
            {
                "type": "function",
                "function": {"name": "view", "description": "Read a file.", "parameters": dict(VIEW.parameters)},
            }
        ],
        "max_tokens": 99,
        "temperature": 0.25,
        "seed": 7,
        "reasoning_effort": "low",
    } == {key: value for key, value in sent.body.items() if key != "stream"}
    assert "Bearer loopback-openai-key-1" == sent.headers["authorization"]


def test_the_request_decides_before_the_options(serve: Callable[..., Any], ask: Request) -> None:
    """Temperature and seed of a request come before those of the model."""
    served = serve(["Yes."], temperature=0.25, seed=7)
    served.complete(evolve(ask, temperature=0.0, seed=0))

    assert (0.0, 0) == (served.asked[0].body["temperature"], served.asked[0].body["seed"])


def test_the_cap_is_the_models_own_at_most(serve: Callable[..., Any], ask: Request) -> None:
    """A reply is never asked to be longer than the model can make it, which providers refuse."""
    served = serve(["Yes."], model="openai/gpt-4o")
    served.complete(evolve(ask, max_output_tokens=32_768))

    assert 16_384 == served.asked[0].body["max_tokens"]


def test_what_a_model_does_not_take_is_named_once(
    serve: Callable[..., Any], ask: Request, caplog: pytest.LogCaptureFixture
) -> None:
    """A chosen parameter that litellm drops is left out, and said so in one warning."""
    served = serve(["Yes.", "Yes."], "anthropic", seed=7, temperature=0.5)
    with caplog.at_level(logging.WARNING):
        served.complete(ask)
        served.complete(ask)

    assert ["anthropic/loopback does not take seed: calls go without it"] == caplog.messages
    assert {(False, 0.5)} == {("seed" in sent.body, sent.body["temperature"]) for sent in served.asked}


def test_signed_thinking_goes_back(serve: Callable[..., Any], ask: Request) -> None:
    """Thinking that the provider signed is sent back, untouched, before the calls it led to."""
    served = serve([Says(calls=[("view", {})], thinking="Look first."), "Done."], "anthropic")
    request = evolve(ask, tools=(VIEW,))
    reply = served.complete(request)
    result = Message("tool", "Empty.", tool_call_id=reply.message.tool_calls[0].id)
    served.complete(evolve(request, messages=(*ask.messages, reply.message, result)))

    sent = served.asked[1].body["messages"][1]["content"]
    assert {"type": "thinking", "thinking": "Look first.", "signature": "signature_1"} == sent[0]
    assert ["thinking", "tool_use"] == [block["type"] for block in sent]


@both
@pytest.mark.parametrize("arguments", ['{"path": ', '"{\\"path\\": \\"x\\"}"', "[1]", "", "null", "{} {}"])
def test_bad_arguments_do_not_end_the_conversation(
    serve: Callable[..., Any], ask: Request, protocol: str, arguments: str
) -> None:
    """Whatever a model wrote as arguments is kept as it is, and goes back to the provider as an object."""
    served = serve([Says(calls=[("no such tool!", arguments)]), "Done."], protocol)
    request = evolve(ask, tools=(VIEW,))
    reply = served.complete(request)
    if protocol == "openai":
        assert [("no such tool!", arguments)] == [(call.name, call.arguments) for call in reply.message.tool_calls]

    call = ToolCall("c1", "no such tool!", arguments)
    past = (Message("assistant", "", (call,)), Message("tool", "Not so.", tool_call_id="c1", is_error=True))
    assert "Done." == served.complete(evolve(request, messages=(*ask.messages, *past))).message.content
    sent = served.asked[1].body["messages"]
    given = (
        json.loads(sent[2]["tool_calls"][0]["function"]["arguments"])
        if protocol == "openai"
        else sent[1]["content"][0]["input"]
    )
    assert isinstance(given, dict)


@both
@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Says(""), ("", "stop")),
        (Says("It was in", finish="length"), ("It was in", "length")),
        (Says("Look", calls=[("view", {})], finish="length"), ("Look", "tool_calls")),
    ],
)
def test_how_replies_end(
    serve: Callable[..., Any], ask: Request, protocol: str, reply: Says, expected: tuple[str, str]
) -> None:
    """An empty reply is a reply; one that met the cap says so; one with calls is about its calls."""
    done = serve([reply], protocol).complete(evolve(ask, tools=(VIEW,)))

    assert expected == (done.message.content, done.finish)


OVERFLOWS = [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Your input exceeds the context window of this model.",
    "Please reduce the length of the messages or completion.",
]
FAILURES: list[tuple[Any, type[ModelError]]] = [
    (Fails(429, "Slow down."), TransientModelError),
    (Fails(500), TransientModelError),
    (Fails(503, "Overloaded."), TransientModelError),
    (Fails(529, "Overloaded.", "overloaded_error"), TransientModelError),
    (Fails(408), TransientModelError),
    (Raw(b'{"id": "x", "choi'), TransientModelError),
    (Raw(b""), TransientModelError),
    (Raw(b"<html>Bad gateway</html>"), TransientModelError),
    (Raw(b'{"id": "x", "object": "chat.completion", "choices": [], "content": []}'), TransientModelError),
    (Drops(), TransientModelError),
    (Says("Late.", delay=3), TransientModelError),
    (Fails(400, "Unknown field.", "invalid_request_error"), PermanentModelError),
    (Fails(401, "Wrong key.", "invalid_api_key"), PermanentModelError),
    (Fails(403, "Not for you."), PermanentModelError),
    (Fails(404, "No such model.", "model_not_found"), PermanentModelError),
    (Fails(429, "You exceeded your current quota.", "insufficient_quota"), PermanentModelError),
    (Fails(413, "Request exceeds the maximum size", "request_too_large"), ContextOverflow),
    *[(Fails(400, said, "invalid_request_error"), ContextOverflow) for said in OVERFLOWS],
    (Fails(400, "Rejected as a result of our safety system.", "content_policy_violation"), ContentRefused),
    (Says(finish="content_filter"), ContentRefused),
]


@both
@pytest.mark.parametrize(("reply", "kind"), FAILURES, ids=lambda value: str(value)[:60])
def test_failures_are_typed(
    serve: Callable[..., Any], ask: Request, protocol: str, reply: Any, kind: type[ModelError]
) -> None:
    """Each failure is of the type that says what to do about it; only what may pass is tried again."""
    served = serve([reply] * 3, protocol, retries=1, timeout=0.4)
    with pytest.raises(ModelError) as caught:
        served.complete(ask)

    assert isinstance(caught.value, kind)
    assert (2 if kind is TransientModelError else 1) == len(served.asked)
    assert str(caught.value).startswith(f"{protocol}/loopback: ")
    assert [] == [word for word in ("Traceback", "litellm.", "\n", "loopback-openai-key") if word in str(caught.value)]


@both
def test_after_retries_all_is_well(serve: Callable[..., Any], ask: Request, protocol: str) -> None:
    """A call that failed for a time gives its reply, says how often it was tried, and is billed once."""
    script = [Fails(429), Fails(500), Drops(), Raw(b"{"), Says("In Porto.")]

    done = serve(script, protocol).complete(ask)

    assert ("In Porto.", Usage(uncached=20, output=7), 4) == (done.message.content, done.usage, done.retries)


@both
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_kept(serve: Callable[..., Any], ask: Request, protocol: str, status: int) -> None:
    """The provider's own time to wait is waited, and is in the error when there are no more attempts."""
    served = serve([Fails(status, retry_after=0.5), "Yes."], protocol)
    started = perf_counter()
    served.complete(ask)
    waited = perf_counter() - started

    assert waited >= 0.5
    with pytest.raises(TransientModelError) as caught:
        serve([Fails(status, retry_after=7)], protocol, retries=0).complete(ask)
    assert 7.0 == caught.value.retry_after


def test_giving_up_says_how_often(serve: Callable[..., Any], ask: Request) -> None:
    """The error after the last attempt is one sentence with the provider's own words."""
    with pytest.raises(TransientModelError) as caught:
        serve([Fails(500, "Disk\x1b[31m full.\nReally.")] * 3, retries=2).complete(ask)

    expected = "openai/loopback: the provider failed: Disk [31m full. Really.; gave up after 3 attempts"
    assert expected == str(caught.value)


@both
def test_keys_stay_out_of_errors(serve: Callable[..., Any], ask: Request, protocol: str) -> None:
    """A provider that repeats the key it was given does not get it into a log."""
    key, other = f"loopback-{protocol}-key-1", "sk-proj-1234567890abcdefgh"
    with pytest.raises(PermanentModelError) as caught:
        serve([Fails(401, f"Wrong key: {key}, not {other}.")], protocol).complete(ask)

    said = str(caught.value)
    assert said.startswith(f"{protocol}/loopback: the provider does not accept the key: Wrong key: [redacted], not ")
    assert [] == [secret for secret in (key, other) if secret in said]


def test_a_missing_key_is_named(serve: Callable[..., Any], ask: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key the error says which variable to set, and nothing is sent."""
    served = serve(["Yes."])
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(PermanentModelError) as caught:
        served.complete(ask)

    assert ("openai/loopback: there is no key; set OPENAI_API_KEY", []) == (str(caught.value), served.asked)


def test_an_unknown_provider_is_named(ask: Request) -> None:
    """A misspelt provider is said to be unknown, with the nearest name."""
    with pytest.raises(PermanentModelError) as caught:
        asyncio.run(ProviderModel("antropic/claude").complete(ask))

    expected = "antropic/claude: litellm knows no provider called 'antropic'; did you mean 'anthropic'?"
    assert expected == str(caught.value)


def test_surrogates_are_sent_as_question_marks(serve: Callable[..., Any], ask: Request) -> None:
    """Half a surrogate pair, which no encoding has, ends no call."""
    served = serve(["Yes."])
    served.complete(evolve(ask, messages=(Message("user", "half: \ud83d"),)))

    assert "half: ?" == served.asked[0].body["messages"][0]["content"]


def test_ids_are_made_unique(serve: Callable[..., Any], ask: Request) -> None:
    """Calls without an id, or with one that was given before, get ids of their own."""
    calls = [{"id": id_, "type": "function", "function": {"name": "view", "arguments": "{}"}} for id_ in ("a", "a", "")]
    choice = {"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": calls}}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    served = serve([Raw(json.dumps(body).encode())])
    past = (Message("assistant", "", (ToolCall("a", "view", "{}"),)), Message("tool", "Empty.", tool_call_id="a"))

    reply = served.complete(evolve(ask, messages=(*ask.messages, *past), tools=(VIEW,)))

    ids = [call.id for call in reply.message.tool_calls]
    assert 3 == len({*ids} - {"a", ""})
