"""A recorded model pays once, replays exactly, and says what it did."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from memkit.accounting.bills import bill
from memkit.accounting.call import Call
from memkit.accounting.prices import PriceTable
from memkit.accounting.rows import call_rows
from memkit.calls.booking import book_calls, conversation_of
from memkit.calls.keys import address
from memkit.calls.recorded import RecordedModel
from memkit.calls.store import CallStore
from memkit.errors import (
    ContentRefused,
    ContextOverflow,
    ModelError,
    PermanentModelError,
    TransientModelError,
    UserError,
)
from memkit.records import Completion, Message, Request, Usage
from memkit.runtime.limits import Limits
from memkit.runtime.loop import Transcript, run_loop
from memkit.store.files import Store
from memkit.testing.scripted import ScriptedModel
from memkit.testing.suites.model import ModelSuite
from memkit.tools.read import read_tools
from memkit_plugins.extractive.model import Extractive


class TestRecordedExtractive(ModelSuite):
    """A recorded model is a model, at its first reply and at a replayed one."""

    @pytest.fixture(autouse=True)
    def _calls(self, tmp_path: Path) -> Any:
        with CallStore(tmp_path / "calls.db") as self.calls:
            yield

    def make(self) -> RecordedModel:
        """Records the embedded model."""
        return RecordedModel(Extractive(), self.calls)


def ask(model: RecordedModel, *requests: Request) -> tuple[list[Completion], list[Call]]:
    """The replies to requests sent one after the other, and what was booked."""

    async def main() -> tuple[list[Completion], list[Call]]:
        with book_calls() as booking:
            replies = [await model.complete(request) for request in requests]
        return replies, booking.calls

    return asyncio.run(main())


def test_a_hit_pays_nothing(store: CallStore, make_model: Callable[..., Any], request_: Request) -> None:
    """Asked again, by another object and another role, the reply is the recorded one, booked but not billed."""
    inner = make_model()
    first, booked = ask(RecordedModel(inner, store), request_)
    again, rebooked = ask(RecordedModel(inner, store), evolve(request_, role="manage"))

    assert first == again
    assert 1 == len(inner.requests)
    (paid,), (free,) = booked, rebooked
    key, name = address(inner.name, {}, request_, 0).key, inner.name
    conversation = conversation_of(name, request_)
    assert Call(key, "search", name, Usage(10, 2, None, 3, 1), True, paid.seconds, 2, conversation, 0, request_) == paid
    assert (False, "manage", paid.usage, paid.seconds, 2) == (
        free.billed,
        free.role,
        free.usage,
        free.seconds,
        free.retries,
    )


def test_attempts_are_samples(store: CallStore, make_model: Callable[..., Any], request_: Request) -> None:
    """Another attempt or other options ask the model again; each is replayed as itself."""
    inner = make_model()
    models = [RecordedModel(inner, store, attempt=n) for n in (0, 1)]
    models.append(RecordedModel(inner, store, options={"effort": "high"}))
    first = [ask(model, request_)[0] for model in models]

    assert first == [ask(model, request_)[0] for model in models]
    assert 3 == len(inner.requests) == len({reply.message.content for (reply,) in first})


@pytest.mark.parametrize("error", [ContentRefused, TransientModelError, PermanentModelError, ContextOverflow])
def test_errors_are_not_recorded(
    store: CallStore, make_model: Callable[..., Any], request_: Request, error: type[ModelError]
) -> None:
    """An error passes through and leaves no record and no claim: the next who asks gets a new reply."""
    model = RecordedModel(make_model(errors=[error("no")]), store)
    with pytest.raises(error, match="no"):
        ask(model, request_)

    assert 0 == len(store)
    with CallStore(store.path) as other:
        assert None is other.claim(address(model.name, {}, request_, 0).key)
        other.release(address(model.name, {}, request_, 0).key)
    (reply,), (call,) = ask(model, request_)
    assert ("reply 2", True) == (reply.message.content, call.billed)


def test_offline(store: CallStore, make_model: Callable[..., Any], request_: Request) -> None:
    """Offline, what is on record is replayed, and the model is never asked."""
    inner = make_model()
    recorded, _ = ask(RecordedModel(inner, store), request_)
    replayed, _ = ask(RecordedModel(inner, store, offline=True), request_)

    assert recorded == replayed
    assert 1 == len(inner.requests)


def test_an_offline_miss_names_the_call(store: CallStore, make_model: Callable[..., Any]) -> None:
    """A call that is not on record is named by role, model, its last message and its key."""
    inner = make_model()
    request = Request(
        (Message("user", "Where did Ana buy\n the red kite that she flew on the beach in the summer?"),), "search"
    )
    with pytest.raises(PermanentModelError) as caught:
        ask(RecordedModel(inner, store, offline=True), request)

    key = address(inner.name, {}, request, 0).key
    assert (
        "no reply is on record for the search call to openai/gpt-4.1 after 'Where did Ana buy the red kite that she"
        f" flew on the beach ...' (key {key[:12]}); run online to make it"
    ) == str(caught.value)
    assert [] == inner.requests


def test_equal_calls_at_once(store: CallStore, make_model: Callable[..., Any], request_: Request) -> None:
    """Equal calls at the same time are made and billed once, and all booked."""
    inner = make_model(seconds=0.02)
    model = RecordedModel(inner, store)

    async def main() -> tuple[list[Completion], list[Call]]:
        with book_calls() as booking:
            replies = await asyncio.gather(*(model.complete(request_) for _ in range(5)))
        return replies, booking.calls

    replies, calls = asyncio.run(main())

    assert [replies[0]] * 5 == replies
    assert 1 == len(inner.requests)
    assert [False] * 4 + [True] == sorted(call.billed for call in calls)


def test_without_a_store(make_model: Callable[..., Any], request_: Request) -> None:
    """Without a store each call is made and billed, and booked all the same."""
    replies, calls = ask(RecordedModel(make_model(), None), request_, request_)

    assert ["reply 1", "reply 2"] == [reply.message.content for reply in replies]
    assert [True, True] == [call.billed for call in calls]


def test_a_cancelled_call_is_given_up(store: CallStore, make_model: Callable[..., Any], request_: Request) -> None:
    """A caller that is cancelled leaves no claim behind."""
    model = RecordedModel(make_model(seconds=30), store)

    async def main() -> None:
        await asyncio.wait_for(model.complete(request_), 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    with CallStore(store.path) as other:
        assert None is other.claim(address(model.name, {}, request_, 0).key)


def test_a_store_that_fails_ends_the_work(store: CallStore, make_model: Callable[..., Any], request_: Request) -> None:
    """A reply that cannot be recorded is not passed on: work that is not on record would be paid for twice."""
    store._connection.execute("PRAGMA max_page_count = 1")
    big = evolve(request_, messages=(Message("user", "x" * 1_000_000),))

    with pytest.raises(UserError, match=r"calls\.db cannot be used: database or disk is full; mend that and run again"):
        ask(RecordedModel(make_model(), store), big)


def test_patience_with_another_process(
    store: CallStore, make_model: Callable[..., Any], request_: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has had a call for too long is named."""
    monkeypatch.setattr("memkit.calls.recorded.PATIENCE_SECONDS", -1.0)
    model = RecordedModel(make_model(), store)
    with CallStore(store.path) as other:
        other.claim(address(model.name, {}, request_, 0).key)
        with pytest.raises(TransientModelError, match=r"process \d+ has been making the same call for 0 s"):
            ask(model, request_)


SCRIPT: list[Any] = [
    [("view", {"path": "/memories"}), ("grep", {"pattern": "kite"})],
    "",
    [("view", {"path": "/memories/a.md"})],
    "In Porto [S1T1].",
]
MESSAGES = (Message("system", "You search."), Message("user", "Where?"))


def test_a_whole_loop_is_replayed(store: CallStore, tmp_path: Path) -> None:
    """A loop with parallel calls and an empty reply runs offline to the same end, for nothing, with the same books.

    The empty reply is asked for again, and on replay the second asking gets the second reply.
    """
    memories = Store.make(tmp_path / "memory" / "memories")
    memories.create("/memories/a.md", "[S1T1] Ana: the kite is from Porto.\n")

    def run(model: RecordedModel) -> tuple[Transcript, list[Call]]:
        with book_calls() as booking:
            done = asyncio.run(run_loop(model, MESSAGES, read_tools(memories), role="search", limits=Limits(rounds=9)))
        return done, booking.calls

    done, calls = run(RecordedModel(ScriptedModel(list(SCRIPT)), store))
    replayed, recalls = run(RecordedModel(ScriptedModel([]), store, offline=True))

    assert ("answered", 4) == (done.end, done.effort.rounds)
    assert (done.messages, done.text, done.end) == (replayed.messages, replayed.text, replayed.end)
    assert done.effort.model_calls == replayed.effort.model_calls
    assert [evolve(call, billed=False) for call in calls] == recalls
    assert [(0, 1), (1, 1), (2, 1), (3, 1)] == [(call.index, int(call.billed)) for call in calls]
    paid, free = (bill(call_rows(each), PriceTable("none", {})) for each in (calls, recalls))
    assert (paid.bounds, Usage(), 0) == (free.bounds, free.billed, free.billed_calls)
    assert Usage(10, 30, output=20) == paid.bounds.floor
