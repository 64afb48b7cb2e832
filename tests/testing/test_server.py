"""The loopback server behaves, and misbehaves, as it is told; asked here over plain HTTP."""

from __future__ import annotations

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any
from urllib.parse import urlsplit

import pytest

from memkit.records import Usage
from memkit.testing import server as module
from memkit.testing.server import Asked, Drops, Fails, LoopbackServer, Raw, Says

OPENAI, ANTHROPIC = "/v1/chat/completions", "/v1/messages"


def post(server: LoopbackServer, path: str = OPENAI, body: Any = None) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of one request on a connection of its own."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
    try:
        connection.request("POST", path, json.dumps(body or {"model": "m", "messages": []}))
        reply = connection.getresponse()
        return reply.status, reply.read(), {name.lower(): value for name, value in reply.getheaders()}
    finally:
        connection.close()


def test_replies_come_in_order() -> None:
    """Each request gets the next reply; a script that has run out says so with a status nobody tries again."""
    with LoopbackServer(["One.", "Two."]) as server:
        said = [json.loads(post(server)[1]) for _ in range(2)]
        status, body, _ = post(server)

    assert ["One.", "Two."] == [reply["choices"][0]["message"]["content"] for reply in said]
    assert (400, "script_over") == (status, json.loads(body)["error"]["code"])


def test_a_script_may_be_a_function() -> None:
    """A function of the request may decide."""

    def script(asked: Asked) -> str:
        return str(asked.body["messages"][-1]["content"]).upper()

    with LoopbackServer(script) as server:
        reply = json.loads(post(server, body={"messages": [{"content": "echo"}]})[1])

    assert "ECHO" == reply["choices"][0]["message"]["content"]


def test_requests_are_kept() -> None:
    """Path, headers and body of every request are there to look at."""
    with LoopbackServer(["One.", "Two."]) as server:
        post(server, OPENAI, {"model": "a"})
        post(server, ANTHROPIC + "?beta=true", {"model": "b"})

    seen = [(asked.path, asked.protocol, asked.body) for asked in server.asked]
    assert [(OPENAI, "openai", {"model": "a"}), (ANTHROPIC, "anthropic", {"model": "b"})] == seen
    assert {"identity"} == {asked.headers["accept-encoding"] for asked in server.asked}


@pytest.mark.parametrize("path", [OPENAI, ANTHROPIC])
def test_calls_keep_what_was_scripted(path: str) -> None:
    """Tool calls go out with ids of their own, in the form of the protocol, text arguments as they stand."""
    calls = [("view", {"path": "/memories"}), ("grep", '{"pattern": ')]
    with LoopbackServer([Says("Look.", calls)]) as server:
        body = json.loads(post(server, path)[1])

    if path == OPENAI:
        found = body["choices"][0]["message"]["tool_calls"]
        assert [("view", '{"path": "/memories"}'), ("grep", '{"pattern": ')] == [
            (call["function"]["name"], call["function"]["arguments"]) for call in found
        ]
    else:
        found = [block for block in body["content"] if block["type"] == "tool_use"]
        assert calls == [(block["name"], block["input"]) for block in found]
    assert 2 == len({call["id"] for call in found})


def test_usage_may_be_missing() -> None:
    """No usage, no block; an unknown count, no field."""
    partial = Usage(uncached=None, cache_read=None, cache_write=None, output=7, reasoning=None)
    with LoopbackServer([Says("x", usage=None), Says("x", usage=partial)]) as server:
        none, some = (json.loads(post(server, ANTHROPIC)[1]) for _ in range(2))

    assert ("usage" in none, {"output_tokens": 7}) == (False, some["usage"])


def test_failures() -> None:
    """Errors have their status, header and form; raw bytes go out as they are; a drop is no reply at all."""
    with LoopbackServer([Fails(429, "Slow.", "rate", retry_after=7), Fails(500), Raw(b"{nope"), Drops()]) as server:
        status, body, headers = post(server)
        assert (429, "7", "Slow.") == (status, headers["retry-after"], json.loads(body)["error"]["message"])
        status, body, headers = post(server, ANTHROPIC)
        assert (500, "error", False) == (status, json.loads(body)["type"], "retry-after" in headers)
        assert (200, b"{nope") == post(server)[:2]
        with pytest.raises(http.client.RemoteDisconnected):
            post(server)


def test_only_what_it_speaks() -> None:
    """Another address is not found, and not kept."""
    with LoopbackServer(["One."]) as server:
        assert 404 == post(server, "/v1/embeddings")[0]

    assert [] == server.asked


def test_many_at_once() -> None:
    """64 requests are taken in while none is answered yet; stopping drops them all."""

    def dropped(_: int) -> bool:
        try:
            post(server)
        except (http.client.RemoteDisconnected, ConnectionResetError):
            return True
        return False

    with LoopbackServer(lambda _: Says("Late.", delay=60)) as server, ThreadPoolExecutor(64) as pool:
        waiting = [pool.submit(dropped, number) for number in range(64)]
        while len(server.asked) < 64:
            sleep(0.01)
        server.stop()

    assert [True] * 64 == [one.result() for one in waiting]


def test_connections_stay_open() -> None:
    """One connection carries many requests."""
    with LoopbackServer(["One.", Fails(429), "Three."]) as server:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
        statuses = []
        for _ in range(3):
            connection.request("POST", OPENAI, "{}")
            reply = connection.getresponse()
            reply.read()
            statuses.append(reply.status)
        connection.close()

    assert ([200, 429, 200], 1) == (statuses, len({asked.port for asked in server.asked}))


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bodies that are too large are refused unread, and so are requests beyond the most it keeps."""
    monkeypatch.setattr(module, "MOST_REQUESTS", 1)
    with LoopbackServer(lambda _: "One.") as server:
        assert [200, 400] == [post(server)[0] for _ in range(2)]
        monkeypatch.setattr(module, "LARGEST_BODY", 1)
        assert 413 == post(server)[0]

    assert 1 == len(server.asked)


def test_it_stops_by_itself() -> None:
    """A server that nobody stops has gone when its lifetime is over, and listens to this machine alone until then."""
    server = LoopbackServer(["One."], lifetime=0.2).__enter__()
    assert "127.0.0.1" == urlsplit(server.url).hostname
    while True:
        try:
            post(server)
        except ConnectionRefusedError:
            break
        except (ConnectionError, http.client.HTTPException):
            continue

    assert not server.wait(0)
    server.stop()


def test_stopping_what_never_started() -> None:
    """A server that was never entered can be stopped all the same."""
    LoopbackServer(["One."]).stop()
