"""Whole loops of a provider's model over a real memory, through litellm, to a server that follows a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memkit import (
    Answer,
    CallStore,
    Citation,
    ContextOverflow,
    Memory,
    Message,
    Model,
    ModelError,
    PermanentModelError,
    Question,
    RecordedModel,
    TransientModelError,
    Usage,
    bill,
    book_calls,
    build_registry,
    load_prices,
    run_loop,
    write_tools,
)
from memkit.testing.samples import contents, sample_memory
from memkit.testing.server import Asked, Fails, Raw, Says

QUESTION = Question("q", "How much did the red kite cost?", gold="Forty euros")
LOOK = Says("I look in two places.", [("view", {"path": "/memories/people/ana.md"}), ("grep", {"pattern": "kite"})])
ANSWER = "Forty euros [/memories/people/ana.md]."
both = pytest.mark.parametrize("protocol", ["openai", "anthropic"])
ONE_CALL = Usage(uncached=20, output=7)
OVERFLOW = Fails(400, "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """The sample chat as notes in folders."""
    return sample_memory(tmp_path / "memory", "tree")


def search(served: Any, memory: Memory, model: Model | None = None) -> Answer:
    """The agent's answer with the tools of `center`."""
    registry = build_registry()
    used = model or served.model
    searcher = registry.make("searcher", "agent", model=used, harness=registry.make("harness", "center"))
    answer: Answer = asyncio.run(searcher.answer(memory, QUESTION))
    return answer


@both
def test_a_search_with_parallel_calls(serve: Callable[..., Any], memory: Memory, protocol: str) -> None:
    """Two calls in one round: both results reach the model, and the answer, citation and bill are right."""
    served = serve([LOOK, ANSWER], protocol)
    answer = search(served, memory)

    assert (ANSWER, "answered") == (answer.text, answer.end)
    assert (Citation("/memories/people/ana.md"),) == answer.citations
    assert (2, 2, 0) == (answer.effort.rounds, answer.effort.tool_calls, answer.effort.tool_errors)
    assert ONE_CALL + ONE_CALL == answer.effort.usage
    sent = json.dumps(served.asked[1].body["messages"])
    assert [True, True] == [text in sent for text in ("bought in Porto for forty euros", "sold to M")]


@both
def test_a_scripted_build(serve: Callable[..., Any], memory: Memory, protocol: str) -> None:
    """A managing model writes through the tools: several files in one round, then an edit of one."""
    file = "---\nname: {0}\ndescription: About {0}\n---\n[S1T1] {0}\n"
    made = [
        ("create", {"path": f"/memories/new/{name}.md", "file_text": file.format(name)}) for name in ("kites", "dogs")
    ]
    edit = ("str_replace", {"path": "/memories/new/dogs.md", "old_str": "[S1T1]", "new_str": "[S2T1]"})
    served = serve([Says(calls=made), Says(calls=[edit]), "Filed."], protocol)
    done = asyncio.run(run_loop(served.model, (Message("user", "File it."),), write_tools(memory.store), role="manage"))

    assert ("Filed.", "answered", 0) == (done.text, done.end, done.effort.tool_errors)
    stored = {path: text.decode() for path, text in contents(memory.store).items() if "/new/" in path}
    assert {
        "/memories/new/dogs.md": file.format("dogs").replace("[S1T1]", "[S2T1]"),
        "/memories/new/kites.md": file.format("kites"),
    } == stored


@both
def test_bad_calls_are_told_and_mended(serve: Callable[..., Any], memory: Memory, protocol: str) -> None:
    """An unknown tool and unreadable arguments come back to the model as errors; what was encoded twice is read."""
    twice = json.dumps(json.dumps({"path": "/memories/people/ana.md"}))
    calls = [("no_such_tool", {}), ("view", '{"path": '), ("view", json.loads(twice))]
    answer = search(serve([Says(calls=calls), ANSWER], protocol), memory)

    results = [message for message in answer.messages if message.role == "tool"]
    assert (ANSWER, "answered", [True, True, False]) == (answer.text, answer.end, [one.is_error for one in results])
    assert results[0].content.startswith("There is no tool 'no_such_tool'; the tools are: ")
    assert (3, 2, ONE_CALL + ONE_CALL) == (
        answer.effort.tool_calls,
        answer.effort.tool_errors,
        answer.effort.usage,
    )


@both
@pytest.mark.parametrize(
    ("script", "end", "text", "replies"),
    [
        ([Says(""), ANSWER], "answered", ANSWER, 2),
        ([Says(""), Says("")], "empty", "", 2),
        ([Says("Forty eu", finish="length")], "tokens", "Forty eu", 1),
        ([Says("", finish="content_filter")], "refused", "", 0),
        ([Fails(400, "Rejected as a result of our safety system.", "content_policy_violation")], "refused", "", 0),
        ([LOOK, Fails(400, "It has violated our usage policy.", "invalid_request_error")], "refused", "", 1),
        ([Fails(429, retry_after=0), Fails(500), Raw(b"{"), ANSWER], "answered", ANSWER, 1),
        ([LOOK, Fails(500), ANSWER], "answered", ANSWER, 2),
        ([LOOK, LOOK, LOOK, OVERFLOW, ANSWER], "answered", ANSWER, 4),
    ],
)
def test_how_loops_end(
    serve: Callable[..., Any], memory: Memory, protocol: str, script: list[Any], end: str, text: str, replies: int
) -> None:
    """Each misbehaviour of a provider has its own end; none loses what was said, or bills more than the replies."""
    served = serve(script, protocol)
    answer = search(served, memory)

    assert (end, text) == (answer.end, answer.text)
    assert (ONE_CALL,) * replies == answer.effort.model_calls
    assert len(script) == len(served.asked)


@both
@pytest.mark.parametrize(
    ("script", "error"),
    [
        ([LOOK, *[Fails(500)] * 3], TransientModelError),
        ([LOOK, *[Says("Late.", delay=3)] * 3], TransientModelError),
        ([LOOK, Fails(401, "Wrong key.", "invalid_api_key")], PermanentModelError),
        ([LOOK, OVERFLOW], ContextOverflow),
    ],
)
def test_how_loops_fail(
    serve: Callable[..., Any],
    memory: Memory,
    tmp_path: Path,
    protocol: str,
    script: list[Any],
    error: type[ModelError],
) -> None:
    """What no attempt mends leaves the loop as the error of its type; run again, only that call is made, and paid."""
    served = serve([*script, ANSWER], protocol, retries=2, timeout=0.4)
    with CallStore(tmp_path / "calls.db") as store:
        recorded = RecordedModel(served.model, store)
        with pytest.raises(error), book_calls() as failed:
            search(served, memory, recorded)
        assert len(script) == len(served.asked)
        with book_calls() as mended:
            answer = search(served, memory, recorded)

    assert (ANSWER, "answered", len(script) + 1) == (answer.text, answer.end, len(served.asked))
    first, second = (bill(booking.rows(), load_prices()) for booking in (failed, mended))
    assert (1, 1, ONE_CALL) == (first.calls, first.billed_calls, first.billed)
    assert (2, 1, ONE_CALL, ONE_CALL + ONE_CALL) == (second.calls, second.billed_calls, second.billed, second.usage)


@both
def test_missing_usage_makes_the_sum_unknown(serve: Callable[..., Any], memory: Memory, protocol: str) -> None:
    """One call whose tokens are not known makes those of the search unknown, not smaller."""
    silent = Usage(uncached=None, cache_read=None, cache_write=None, output=None, reasoning=None)
    answer = search(serve([LOOK, Says(ANSWER, usage=silent)], protocol), memory)

    assert (ANSWER, "answered") == (answer.text, answer.end)
    assert ONE_CALL == answer.effort.model_calls[0]
    assert (None, None) == (answer.effort.usage.input, answer.effort.usage.output)


def test_a_limited_provider_gets_fewer_calls_at_once(serve: Callable[..., Any], memory: Memory) -> None:
    """A provider that bears two calls at once is soon asked no more, and every search gets its answer."""
    served: Any = None
    last = [0]

    def script(asked: Asked) -> Any:
        last[0] += 1
        return Fails(429, "Slow down.") if last[0] <= 4 else ANSWER

    served = serve(script, max_concurrency=8)

    async def searches() -> list[Answer]:
        registry = build_registry()
        searcher = registry.make("searcher", "agent", model=served.model, harness=registry.make("harness", "center"))
        return await asyncio.gather(*(searcher.answer(memory, QUESTION) for _ in range(12)))

    assert ["answered"] * 12 == [answer.end for answer in asyncio.run(searches())]
    assert 16 == len(served.asked)
