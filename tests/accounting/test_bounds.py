"""The perfect-cache floor and the no-cache ceiling, worked by hand and for any usage."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from memkit.accounting.bounds import Bounds, bounds, call_bounds, computed
from memkit.accounting.call import Call
from memkit.records import Message, Request, ToolCall, ToolSpec, Usage

SYSTEM, ASK = Message("system", "You search."), Message("user", "Where is the kite?")
FIRST = Message("assistant", "", (ToolCall("1", "grep", '{"pattern": "kite"}'),))
RESULT = Message("tool", "[S1T1] Ana: the kite is red.", tool_call_id="1")
SECOND = Message("assistant", "", (ToolCall("2", "view", '{"path": "/memories/a.md"}'),))
PAGE = Message("tool", "# Kites\n\nThe kite hangs in the hall.", tool_call_id="2")
GREP = ToolSpec("grep", "Find lines.", {"type": "object"})


def test_three_calls_by_hand(make_call: Callable[..., Call]) -> None:
    """A conversation that only grows: each call's floor is what the one before did not send.

    Inputs 100, 150, 230 with 0, 96, 128 read from the cache and 0, 4, 0 written to it; outputs 20, 30, 50.
    Floor: 100 + (150 - 100) + (230 - 150) = 230 new tokens, 100 + 150 = 250 from the cache.
    Ceiling: 100 + 150 + 230 = 480. Computed: floor 230 + 100 = 330, ceiling 580,
    measured (100 + 50 + 102) + 4 + 100 = 356. Share: (580 - 356) / (580 - 330) = 224 / 250.
    """
    calls = [
        make_call((SYSTEM, ASK), Usage(100, 0, 0, 20, 5)),
        make_call((SYSTEM, ASK, FIRST, RESULT), Usage(50, 96, 4, 30, 0)),
        make_call((SYSTEM, ASK, FIRST, RESULT, SECOND, PAGE), Usage(102, 128, 0, 50, 10)),
    ]
    found = bounds(calls)

    assert Usage(252, 224, 4, 100, 15) == found.measured
    assert Usage(230, 250, 0, 100, 15) == found.floor
    assert Usage(480, 0, 0, 100, 15) == found.ceiling
    assert (330, 356, 580) == tuple(map(computed, (found.floor, found.measured, found.ceiling)))
    assert 224 / 250 == found.share


def test_a_call_that_dropped_something(make_call: Callable[..., Call]) -> None:
    """After compaction only the messages before the first changed one are shared, in proportion to their tokens.

    By memkit's count the earlier request has 3 tokens of tools and 15 + 7 + 3 of messages, where the
    provider counted 50. The tools and the first message are shared: 50 * 18 // 28 = 32.
    """
    opening = Message("system", " ".join(["kite"] * 15))
    cut = Message("user", "the whole long old result")
    tools = (ToolSpec("grep", "Find lines", {}),)
    calls = [
        make_call(
            (opening, Message("user", " ".join(["red"] * 7)), Message("tool", "one two three")), Usage(50), tools=tools
        ),
        make_call((opening, cut), Usage(41), tools=tools),
    ]

    assert [Usage(50), Usage(9, 32)] == [each.floor for each in call_bounds(calls)]


def test_the_best_earlier_call_counts(make_call: Callable[..., Call]) -> None:
    """The longest prefix with any earlier call is shared, not only that with the last."""
    calls = [
        make_call((SYSTEM, ASK, FIRST, RESULT), Usage(80)),
        make_call((Message("system", "Another."),), Usage(10)),
        make_call((SYSTEM, ASK, FIRST, RESULT, SECOND, PAGE), Usage(120)),
    ]

    assert [Usage(80), Usage(10), Usage(40, 80)] == [each.floor for each in call_bounds(calls)]


@pytest.mark.parametrize(
    "other",
    [{"conversation": "d"}, {"model": "openai/other"}, {"tools": (GREP,)}],
    ids=["conversation", "model", "tools"],
)
def test_nothing_is_shared(make_call: Callable[..., Call], other: dict[str, object]) -> None:
    """Another conversation, another model or other tools share no prefix."""
    calls = [make_call((SYSTEM, ASK), Usage(100)), make_call((SYSTEM, ASK, FIRST, RESULT), Usage(150), **other)]

    assert Usage(250) == bounds(calls).floor


def test_the_same_request_again(make_call: Callable[..., Call]) -> None:
    """Asked again, a request is wholly shared."""
    calls = [make_call((SYSTEM, ASK), Usage(100, output=2)), make_call((SYSTEM, ASK), Usage(100, output=3))]

    assert Usage(100, 100, output=5) == bounds(calls).floor


def test_no_saving_to_have(make_call: Callable[..., Call]) -> None:
    """One call saves nothing, so there is no share of a saving."""
    assert None is bounds([make_call((SYSTEM, ASK), Usage(100))]).share
    assert Bounds() == bounds([])


def test_unknown_tokens(make_call: Callable[..., Call]) -> None:
    """A provider that is silent about a call leaves the bounds and the share unknown, not zero."""
    silent = Usage(None, None, None, None, None)
    found = bounds([make_call((SYSTEM, ASK), silent), make_call((SYSTEM, ASK, FIRST, RESULT), Usage(150))])

    assert Usage(None, None, 0, None, None) == found.floor
    assert Usage(None, 0, 0, None, None) == found.ceiling
    assert None is found.share


@st.composite
def conversations(draw: st.DrawFn) -> list[Call]:
    """Calls whose messages are appended or cut back, with any split of their input by a cache that tells no lies."""
    texts = st.text("abc ", max_size=12)
    messages: list[Message] = [Message("system", draw(texts))]
    calls: list[Call] = []
    for number in range(draw(st.integers(1, 6))):
        keep = draw(st.integers(0, len(messages)))
        messages = [*messages[:keep], *(Message("user", draw(texts)) for _ in range(draw(st.integers(1, 3))))]
        request = Request(tuple(messages), "search")
        total = draw(st.integers(0, 500))
        call = Call("k", "search", "m", Usage(total), True, 0.0, 0, "c", number, request)
        most = call_bounds([*calls, call])[-1].floor.cache_read
        assert most is not None
        read = draw(st.integers(0, most))
        write = draw(st.integers(0, total - read))
        output = draw(st.integers(0, 100))
        usage = Usage(total - read - write, read, write, output, draw(st.integers(0, output)))
        calls.append(evolve(call, usage=usage))
    return calls


@given(conversations())
def test_measured_lies_between(calls: list[Call]) -> None:
    """Floor <= measured <= ceiling, and the share lies in [0, 1], whenever no cache gave more than was sent before."""
    found = bounds(calls)
    low, measured, high = (computed(usage) for usage in (found.floor, found.measured, found.ceiling))

    assert low is not None
    assert measured is not None
    assert high is not None
    assert low <= measured <= high
    assert found.share is None or 0 <= found.share <= 1
    assert found.floor.input == found.measured.input == found.ceiling.input


@given(conversations(), st.data())
def test_bounds_add_up(calls: list[Call], data: st.DataObject) -> None:
    """The bounds of the whole are the sum of the calls', and conversations are independent of each other."""
    others = [evolve(call, conversation="d") for call in data.draw(conversations())]

    assert bounds(calls) + bounds(others) == bounds([*calls, *others])
    assert sum(call_bounds(calls), Bounds()) == bounds(calls)


@given(conversations())
def test_more_calls_never_lower_a_bound(calls: list[Call]) -> None:
    """A call adds to the floor and to the ceiling, never takes away."""
    fewer, all_ = bounds(calls[:-1]), bounds(calls)
    pairs = ((fewer.floor, all_.floor), (fewer.ceiling, all_.ceiling))

    assert all((computed(before) or 0) <= (computed(after) or 0) for before, after in pairs)
