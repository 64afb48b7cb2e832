"""Calls from many event loops are made in one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from memkit import Request
from memkit_plugins.litellm_model.home import at_home


async def where() -> tuple[int, int]:
    """The thread and the loop a coroutine runs in."""
    return threading.get_ident(), id(asyncio.get_running_loop())


def test_every_caller_gets_the_same_loop() -> None:
    """Loops that come and go share the one that stays, which is none of theirs."""
    homes = {asyncio.run(at_home(where())) for _ in range(3)}

    assert 1 == len(homes)
    assert threading.get_ident() not in {thread for thread, _ in homes}


def test_errors_come_back() -> None:
    """What is raised there is raised here."""

    async def fail() -> None:
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        asyncio.run(at_home(fail()))


def test_cancelling_here_cancels_there() -> None:
    """A caller that gives up leaves nothing running."""
    ended = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def give_up() -> None:
        async with asyncio.timeout(0.1):
            await at_home(wait())

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    assert ended.wait(10)


def test_connections_outlive_the_callers_loop(serve: Callable[..., Any], ask: Request) -> None:
    """Searches one after another, each in a loop of its own, do not leave a connection behind each time."""
    served = serve(lambda _: "Yes.")
    for _ in range(10):
        served.complete(ask)

    assert 1 == len({asked.port for asked in served.asked})
