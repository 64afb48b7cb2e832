"""A model's provider on this machine: a real HTTP server that replies from a script, well or badly.

It speaks OpenAI's chat completions (`/v1/chat/completions`) and as much of Anthropic's messages
(`/v1/messages`) as a tool loop needs, without streaming.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from memkit.testing.replies import Asked, Drops, Fails, Raw, Reply, Says, Script, render

__all__ = ["Asked", "Drops", "Fails", "LoopbackServer", "Raw", "Reply", "Says", "Script"]

HOST = "127.0.0.1"
LIFETIME = 300.0
"""Seconds after which a server that nobody stopped stops by itself."""
LARGEST_BODY = 64 * 1024 * 1024
"""Bytes of a request."""
MOST_REQUESTS = 100_000
"""Requests a server keeps; it refuses any more."""
_PATHS = ("/chat/completions", "/messages")
_IDLE = 30.0


class LoopbackServer:
    """Serves while it is entered with `with`, and keeps every request in `asked`.

    >>> with LoopbackServer(["In Porto."]) as server:  # doctest: +SKIP
    ...     registry.make("model", "litellm", {"api_base": server.openai}, model="openai/any")

    A script that has run out is answered with status 400, which no client tries again.
    """

    def __init__(self, script: Script, *, lifetime: float = LIFETIME) -> None:
        self.asked: list[Asked] = []
        self._next = script if callable(script) else _in_order(script)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._http = _Server((HOST, 0), _Handler)
        self._http.loopback = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._timer = threading.Timer(lifetime, self.stop)
        self._timer.daemon = True

    @property
    def url(self) -> str:
        """The `api_base` of the Anthropic protocol."""
        return f"http://{HOST}:{self._http.server_address[1]}"

    @property
    def openai(self) -> str:
        """The `api_base` of the OpenAI protocol."""
        return f"{self.url}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop serving; a reply that is still waiting is dropped. Safe to call again."""
        with self._lock:
            if self._stopped.is_set():
                return
            self._stopped.set()
        self._timer.cancel()
        if self._thread.is_alive():
            self._http.shutdown()
        self._http.server_close()

    def reply(self, asked: Asked) -> tuple[Reply, int]:
        """Keep a request and give what the script says to it, with the request's number from 1."""
        with self._lock:
            if len(self.asked) >= MOST_REQUESTS:
                return Fails(400, f"more than {MOST_REQUESTS} requests", "too_many_requests"), len(self.asked)
            self.asked.append(asked)
            return self._next(asked), len(self.asked)

    def wait(self, seconds: float) -> bool:
        """Wait, and say whether the server still serves."""
        return not self._stopped.wait(seconds) if seconds else not self._stopped.is_set()


def _in_order(script: Any) -> Callable[[Asked], Reply]:
    replies = iter(script)
    return lambda _: next(replies, Fails(400, "the script has run out", "script_over"))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    loopback: LoopbackServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news; anything else is a bug of the script, and printed."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = _IDLE
    server: _Server

    def do_POST(self) -> None:
        """Answer one request."""
        length = int(self.headers.get("content-length") or 0)
        if length > LARGEST_BODY or not self.path.partition("?")[0].endswith(_PATHS):
            self.close_connection = True
            self._send(413 if length > LARGEST_BODY else 404, b"{}")
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path.partition("?")[0], headers, json.loads(self.rfile.read(length)), self.client_address[1])
        reply, number = self.server.loopback.reply(asked)
        said = Says(reply) if isinstance(reply, str) else reply
        if not self.server.loopback.wait(said.delay) or isinstance(said, Drops):
            self.close_connection = True
        elif isinstance(said, Raw):
            self._send(200, said.body)
        else:
            status, later = (said.status, said.retry_after) if isinstance(said, Fails) else (200, None)
            self._send(status, json.dumps(render(said, asked, number)).encode(), later)

    def _send(self, status: int, body: bytes, retry_after: float | str | None = None) -> None:
        self.send_response_only(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        if retry_after is not None:
            self.send_header("retry-after", str(retry_after))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name http.server gives it
        """Say nothing: what was asked is in `asked`."""
