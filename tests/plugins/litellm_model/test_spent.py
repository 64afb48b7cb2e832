"""The tokens a reply took, in both conventions of counting, through the real litellm."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from memkit import Request, Usage
from memkit.testing.replies import render
from memkit.testing.server import Asked, Raw, Says

UNKNOWN = Usage(uncached=None, cache_read=None, cache_write=None, output=None, reasoning=None)
both = pytest.mark.parametrize("protocol", ["openai", "anthropic"])


def openai(usage: Any, message: dict[str, Any] | None = None) -> Raw:
    """A chat completion with this usage block."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": "Yes.", **(message or {})},
    }
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return Raw(json.dumps(body).encode())


@both
@pytest.mark.parametrize(
    "usage",
    [
        Usage(uncached=20, output=7),
        Usage(uncached=20, cache_read=900, output=7),
        Usage(uncached=20, cache_read=900, cache_write=50, output=7),
        Usage(uncached=0, cache_read=900, output=7),
        Usage(uncached=20, cache_write=50, output=7),
    ],
)
def test_both_conventions_give_the_same(serve: Callable[..., Any], ask: Request, protocol: str, usage: Usage) -> None:
    """Cached tokens are counted once, whether the prompt's count holds them (OpenAI) or not (Anthropic)."""
    assert usage == serve([Says("Yes.", usage=usage)], protocol).complete(ask).usage


def test_the_raw_counts_differ() -> None:
    """The two protocols do say it differently, so the test above compares what it claims to."""
    says = Says("Yes.", usage=Usage(uncached=20, cache_read=900, cache_write=50, output=7))
    ours, theirs = (render(says, Asked(path, {}, {}), 1)["usage"] for path in ("/v1/chat/completions", "/v1/messages"))

    assert (970, 900) == (ours["prompt_tokens"], ours["prompt_tokens_details"]["cached_tokens"])
    assert {
        "input_tokens": 20,
        "cache_read_input_tokens": 900,
        "cache_creation_input_tokens": 50,
        "output_tokens": 7,
    } == theirs


def test_reasoning_is_part_of_the_output(serve: Callable[..., Any], ask: Request) -> None:
    """Tokens of reasoning are a count inside the output."""
    usage = Usage(uncached=20, output=70, reasoning=50)

    assert usage == serve([Says("Yes.", usage=usage)]).complete(ask).usage


def test_reasoning_is_not_estimated(serve: Callable[..., Any], ask: Request) -> None:
    """Of a model that thought and did not say how much, the reasoning is unknown; Anthropic's do not say."""
    served = serve([Says("Yes.", thinking="Let me think about it.")], "anthropic")

    assert Usage(uncached=20, output=7, reasoning=None) == served.complete(ask).usage


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (None, UNKNOWN),
        ({}, UNKNOWN),
        ({"prompt_tokens": 20}, Usage(uncached=20, output=None, reasoning=None)),
        (
            {"completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 900}},
            Usage(uncached=None, cache_read=900, cache_write=None, output=7, reasoning=None),
        ),
        (
            {"completion_tokens": 7},
            Usage(uncached=None, cache_read=None, cache_write=None, output=7, reasoning=None),
        ),
        ({"prompt_tokens": 20, "completion_tokens": 7}, Usage(uncached=20, output=7, reasoning=None)),
        (
            {"prompt_tokens": 20, "completion_tokens": 7, "prompt_tokens_details": None},
            Usage(uncached=20, output=7, reasoning=None),
        ),
        (
            {"prompt_tokens": 20, "completion_tokens": 7, "cache_read_input_tokens": 900},
            Usage(uncached=20, cache_read=900, output=7, reasoning=None),
        ),
    ],
)
def test_what_is_not_said_is_unknown(serve: Callable[..., Any], ask: Request, usage: Any, expected: Usage) -> None:
    """A missing count is None and never 0; a prompt counted without cached parts is one that was billed whole."""
    assert expected == serve([openai(usage)]).complete(ask).usage


def test_an_empty_reply_without_usage(serve: Callable[..., Any], ask: Request) -> None:
    """A reply of nothing may have taken nothing to write, but without a usage block that is not known."""
    assert UNKNOWN == serve([Says("", usage=None)]).complete(ask).usage
    assert 0 == serve([Says("", usage=Usage(uncached=20, output=0))]).complete(ask).usage.output


def test_missing_usage_in_the_other_protocol(serve: Callable[..., Any], ask: Request) -> None:
    """Counts missing from a usage block of Anthropic's are unknown too."""
    unknown = Usage(uncached=None, cache_read=None, cache_write=None, output=7, reasoning=None)

    assert Usage(None, None, None, 7, 0) == serve([Says("Yes.", usage=unknown)], "anthropic").complete(ask).usage
