"""The tool-round loop ends as it says, and survives whatever a model sends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import ContentRefused, ToolError, TransientModelError
from memkit.locators import Locator
from memkit.records import Completion, Message, ToolSpec, Usage
from memkit.runtime.limits import Limits
from memkit.runtime.loop import Transcript, run_loop
from memkit.testing.scripted import Reply, ScriptedModel
from memkit.tokens import count_tokens
from memkit.tools.output import CLIPPED

ASK = (Message("system", "You search."), Message("user", "Question: when?"))
PATH = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}


class Shelf:
    """A tool that returns the text under a path."""

    def __init__(self, **texts: str) -> None:
        self.spec = ToolSpec("fetch", "Fetch a text.", PATH)
        self.texts = texts

    async def __call__(self, arguments: object) -> str:
        assert isinstance(arguments, dict)
        try:
            return self.texts[arguments["path"]]
        except KeyError:
            raise ToolError(f"there is no {arguments['path']}") from None


def run(script: Sequence[Reply], *, limits: Limits = Limits(), **texts: str) -> tuple[Transcript, ScriptedModel]:
    """Run a script with a `Shelf` that holds `texts`."""
    model = ScriptedModel(list(script))
    done = asyncio.run(run_loop(model, ASK, (Shelf(**texts),), role="search", limits=limits))
    return done, model


def test_answer_after_calls() -> None:
    """A reply without calls ends the loop and is its text; every call's usage is kept in order."""
    done, model = run([[("fetch", {"path": "a"}), ("fetch", {"path": "b"})], "On Monday."], a="[S1T2] x", b="y")

    assert "answered" == done.end
    assert "On Monday." == done.text
    assert (Usage(uncached=10, output=5),) * 2 == done.effort.model_calls
    assert 2 == done.effort.rounds
    assert 2 == done.effort.tool_calls
    assert ["system", "user", "assistant", "tool", "tool"] == [message.role for message in model.requests[1].messages]


def test_served_evidence() -> None:
    """Locators in tool results are served once each, in order; results without one are not served tokens."""
    done, _ = run([[("fetch", {"path": "a"}), ("fetch", {"path": "b"})], "x"], a="[S1T2] u [S1T1]\n[S1T2]", b="none")

    assert (Locator("S", 1, 2), Locator("S", 1, 1)) == done.effort.served
    assert count_tokens("[S1T2] u [S1T1]\n[S1T2]") == done.effort.served_tokens
    assert done.effort.served_tokens + count_tokens("none") == done.effort.tool_tokens


def test_clipped_lines_are_not_served() -> None:
    """A turn shown in part does not count as evidence that was read."""
    done, _ = run([[("fetch", {"path": "a"})], "x"], a=f"[S1T1] beginning {CLIPPED}9 characters]\n[S1T2] whole")

    assert (Locator("S", 1, 2),) == done.effort.served


def test_failed_calls_serve_nothing() -> None:
    """What an error text happens to name is no evidence."""
    done, _ = run([[("fetch", {"path": "[S9T9]"})], "x"])

    assert () == done.effort.served
    assert 1 == done.effort.tool_errors


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("fetch", "{"),
        ("fetch", "null"),
        ("fetch", "[]"),
        ("fetch", ""),
        ("fetch", '{"path": 3.5}'),
        ("fetch", '{"path": "\\ud83d"}'),
        ("nowhere", "{}"),
        ("", "{}"),
    ],
)
def test_misfit_calls_go_back(name: str, arguments: str) -> None:
    """A call that cannot be done is answered by an error text, and the loop goes on."""
    done, model = run([[(name, arguments)], "done"], a="x")

    result = model.requests[1].messages[-1]
    assert "answered" == done.end
    assert result.is_error
    assert result.content
    assert "Traceback" not in result.content


def test_double_encoded_arguments_are_understood() -> None:
    """Arguments encoded twice mean what they meant before."""
    done, _ = run([[("fetch", '"{\\"path\\": \\"a\\"}"')], "done"], a="[S1T1]")

    assert (Locator("S", 1, 1),) == done.effort.served


def test_empty_reply_is_asked_again_once() -> None:
    """One empty reply costs a round; the second ends the loop without an answer."""
    once, _ = run(["  ", "here"])
    twice, _ = run(["", "\n"])

    assert ("answered", "here", 2) == (once.end, once.text, once.effort.rounds)
    assert ("empty", "", 2) == (twice.end, twice.text, twice.effort.rounds)


def test_round_limit() -> None:
    """A model that never answers is stopped after the rounds it has."""
    done, _ = run([[("fetch", {"path": "a"})]] * 5, limits=Limits(rounds=3), a="x")

    assert ("rounds", "", 3) == (done.end, done.text, done.effort.rounds)


def test_call_limit() -> None:
    """Calls past the cap are not made."""
    done, _ = run([[("fetch", {"path": "a"})] * 3, [("fetch", {"path": "a"})] * 3], limits=Limits(calls=5), a="x")

    assert ("calls", 3) == (done.end, done.effort.tool_calls)


def test_output_limit() -> None:
    """A loop that has written more than its output tokens makes no further calls."""
    done, _ = run([[("fetch", {"path": "a"})]] * 5, limits=Limits(output_tokens=12), a="x")

    assert ("tokens", 3) == (done.end, done.effort.rounds)


def test_reply_cut_by_its_length() -> None:
    """A reply that met its token cap is kept, and the end says so."""
    done, _ = run([Completion(Message("assistant", "half an ans"), Usage(output=9), "length")])

    assert ("tokens", "half an ans") == (done.end, done.text)


def test_unknown_usage_stays_unknown() -> None:
    """A call whose provider reports no usage makes the sum unknown, not zero."""
    done, _ = run([Completion(Message("assistant", "x"), Usage(None, None, None, None, None))])

    assert done.effort.usage.output is None
    assert done.effort.usage.input is None


def test_refusal_is_an_end() -> None:
    """A provider that declines ends the loop as refused."""
    done, _ = run([ContentRefused("no")])

    assert ("refused", "") == (done.end, done.text)


def test_other_model_errors_leave_the_loop() -> None:
    """A failed call is not an answer: it is the caller's to retry or record."""
    with pytest.raises(TransientModelError):
        run([TransientModelError("busy", retry_after=2)])


@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=40)), min_size=1, max_size=4))
def test_no_call_breaks_the_loop(calls: list[tuple[str, str]]) -> None:
    """Whatever names and arguments a model makes up, each gets one answer."""
    done, _ = run([calls, "done"], a="x")

    assert "answered" == done.end
    assert len(calls) == done.effort.tool_calls
