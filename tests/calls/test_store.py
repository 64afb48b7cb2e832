"""What is recorded comes back; what is broken is said."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from memkit.calls.keys import address
from memkit.calls.recorded import RecordedModel
from memkit.calls.store import CallStore, Holder, Recorded
from memkit.errors import UserError
from memkit.records import Completion, Message, Request, ToolCall, Usage

REPLY = Completion(Message("assistant", "in Porto"), Usage(3, None, 0, 2, 1), "length", 2)


def at_(number: int) -> Any:
    """The address of some request."""
    return address("m", {}, Request((Message("user", f"question {number}"),), "search"), 0)


def test_a_call_comes_back(store: CallStore, request_: Request) -> None:
    """Reply, usage, finish, retries, seconds and request are kept, through another opening of the file."""
    at = address("m", {}, request_, 0)
    assert None is store.claim(at.key)
    recorded = store.record(at, REPLY, 1.5)

    with CallStore(store.path) as other:
        assert Recorded(REPLY, 1.5) == recorded == other.find(at.key) == other.claim(at.key)
        assert request_ == other.request(at.key)
        assert 1 == len(other)


def test_what_is_not_on_record(store: CallStore) -> None:
    """An unknown key has no reply and no request."""
    assert (None, None, 0) == (store.find("x"), store.request("x"), len(store))


def test_shared_messages_are_kept_once(store: CallStore) -> None:
    """A long conversation takes room for each of its messages once, not once a call."""
    messages: tuple[Message, ...] = ()
    for number in range(10):
        messages = (*messages, Message("user", f"{number}" * 1000))
        store.record(address("m", {}, Request(messages, "search"), 0), REPLY, 0.0)

    with closing(sqlite3.connect(store.path)) as connection:
        bodies = connection.execute("SELECT sum(length(body)) FROM parts").fetchone()[0]
    assert 10 * 1000 < bodies < 11 * 1000


def test_claims(store: CallStore) -> None:
    """A claim keeps other openings away until it is released or the call recorded; its owner may take it again."""
    key = at_(0).key
    with CallStore(store.path) as other:
        assert (None, None) == (store.claim(key), store.claim(key))
        assert isinstance(other.claim(key), Holder)
        other.release(key)
        assert isinstance(other.claim(key), Holder)
        store.release(key)
        assert None is other.claim(key)


def test_secrets_stay_off_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret of request, options or reply is in any file; the caller gets what a replay gets."""
    secrets = ["hunter2-hunter2", "sk-proj-Ab12Cd34Ef56Gh78"]
    monkeypatch.setenv("MY_API_KEY", secrets[0])
    both = " and ".join(secrets)
    request = Request((Message("user", f"the keys are {both}"),), "search")
    at = address("m", {"base": f"http://x?key={secrets[0]}", "api_key": secrets[1]}, request, 0)
    reply = Completion(Message("assistant", both, (ToolCall("1", "grep", f'{{"pattern": "{both}"}}'),)), Usage())
    with CallStore(tmp_path / "calls.db") as store:
        recorded = store.record(at, reply, 0.0)
        bytes_ = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        found, asked = store.find(at.key), store.request(at.key)

    assert [] == [secret for secret in secrets if secret.encode() in bytes_]
    assert recorded == found
    assert "[redacted] and [redacted]" == recorded.completion.message.content
    assert '{"pattern": "[redacted] and [redacted]"}' == recorded.completion.message.tool_calls[0].arguments
    assert asked == evolve(request, messages=(Message("user", "the keys are [redacted] and [redacted]"),))


@pytest.mark.parametrize("column", ["completion = '{}'", "completion = 'x'", "completion = '[]'"])
def test_a_reply_that_does_not_read_back(store: CallStore, column: str) -> None:
    """A broken record is called damage, with the mend; it is neither skipped nor half used."""
    store.record(at_(0), REPLY, 0.0)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute(f"UPDATE calls SET {column}")

    with pytest.raises(UserError, match=r"calls\.db is damaged \(a record does not read back: .*; move it away"):
        store.find(at_(0).key)


@pytest.mark.parametrize("change", ["UPDATE calls SET request = '[]'", "DELETE FROM parts"])
def test_a_request_that_does_not_read_back(store: CallStore, change: str) -> None:
    """The same holds for requests."""
    store.record(at_(0), REPLY, 0.0)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute(change)

    with pytest.raises(UserError, match=r"calls\.db is damaged \(a record does not read back: "):
        store.request(at_(0).key)


def test_broken_pages(tmp_path: Path) -> None:
    """Pages overwritten by something else are called damage, never returned as data."""
    path = tmp_path / "calls.db"
    with CallStore(path) as store:
        for number in range(200):
            store.record(at_(number), REPLY, 0.0)
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))

    with pytest.raises(UserError, match=r"calls\.db is damaged \(.*\); move it away"), CallStore(path) as store:
        store.find(at_(7).key)


def test_many_threads(store: CallStore, make_model: Callable[..., Any]) -> None:
    """Threads with an event loop each, on one opening and on several, make each call once and all get its reply."""
    made = [make_model(seconds=0.01), make_model(seconds=0.01)]
    requests = [Request((Message("user", f"{number}"),), "search") for number in range(10)]
    start = threading.Barrier(8)

    async def ask(stores: list[CallStore], number: int) -> list[Completion]:
        model = RecordedModel(made[number % 2], stores[number % 2])
        return await asyncio.gather(*(model.complete(request) for request in requests))

    with CallStore(store.path) as other:

        def work(number: int) -> list[Completion]:
            start.wait()
            return asyncio.run(ask([store, other], number))

        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(work, range(8)))

    assert [replies[0]] * 8 == replies
    assert 10 == len(made[0].requests) + len(made[1].requests) == len(store)
