"""A model at a loopback server, in either protocol, with keys that are no keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from attrs import frozen

from memkit import Completion, Message, Request
from memkit.testing.server import Asked, LoopbackServer
from memkit_plugins.litellm_model.model import ProviderModel


@frozen
class Served:
    """A model and the server it calls."""

    model: ProviderModel
    server: LoopbackServer

    @property
    def asked(self) -> list[Asked]:
        """What the server was asked."""
        return self.server.asked

    def complete(self, request: Request) -> Completion:
        """One reply, in an event loop of its own."""
        return asyncio.run(self.model.complete(request))


@pytest.fixture
def ask() -> Request:
    """A question without tools."""
    return Request((Message("system", "Answer."), Message("user", "Where is the kite?")), "search")


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Served]]:
    """`serve(script, protocol="openai", **options)` starts a server and makes a model with hardly any waits."""
    monkeypatch.setenv("OPENAI_API_KEY", "loopback-openai-key-1")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "loopback-anthropic-key-1")
    with ExitStack() as servers:

        def start(script: Any, protocol: str = "openai", **options: Any) -> Served:
            server = servers.enter_context(LoopbackServer(script))
            base = server.openai if protocol == "openai" else server.url
            given = {"model": f"{protocol}/loopback", "first_wait": 0.001, "api_base": base, **options}
            return Served(ProviderModel(**given), server)

        yield start
