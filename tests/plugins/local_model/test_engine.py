"""One model a process, one call at a time; what the library does is played by a stand-in for it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import field, mutable

from memkit import ContextOverflow, PermanentModelError
from memkit_plugins.local_model.engine import STREAMED, Engine, Loading, engine, threads
from memkit_plugins.local_model.wire import Said

SMALL, LARGE = Loading(Path("a.gguf"), 512), Loading(Path("a.gguf"), 1024)
USAGE = {"prompt_tokens": 3, "completion_tokens": 2}


def piece(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """A chunk of a reply as the library gives it."""
    return {"choices": [{"finish_reason": finish, "delta": delta}]}


PIECES = [
    piece(role="assistant", content=None),
    piece(content="In "),
    piece(content="Porto."),
    piece("stop"),
    {"choices": [], "usage": USAGE},
]


@mutable
class Library:
    """Stands in for the library: replies with `pieces`, and keeps what was loaded, asked, and asked at once."""

    pieces: list[Any] = field(factory=lambda: list(PIECES))
    failure: Exception | None = None
    loaded: list[Loading] = field(factory=list)
    bodies: list[Any] = field(factory=list)
    at_once: int = 0
    most_at_once: int = 0
    wait: Callable[[], object] = lambda: None

    def load(self, loading: Loading) -> Library:
        self.loaded.append(loading)
        return self

    def handle_chat_completions(self, body: Any, take: Callable[[Any], bool]) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.bodies.append(body)
        self.wait()
        try:
            if self.failure:
                raise self.failure
            for one in self.pieces:
                if take(one):
                    return
        finally:
            self.at_once -= 1


def ask(library: Library) -> Said:
    """One call of a new engine."""
    return asyncio.run(Engine(library.load).ask(SMALL, {"messages": []}, "memkit/local"))


def test_a_reply_is_joined() -> None:
    """Text, end and counts of all the pieces."""
    library = Library()

    assert Said("In Porto.", "stop", USAGE) == ask(library)
    assert [{"messages": [], **STREAMED}] == library.bodies


def test_thinking_is_no_part_of_the_text() -> None:
    """What a model thinks is left out, and that it did is known."""
    library = Library([piece(reasoning_content="Hm."), piece(content="Yes."), piece("stop"), {"usage": USAGE}])

    assert Said("Yes.", "stop", USAGE, thought=True) == ask(library)


@pytest.mark.parametrize(
    ("library", "error"),
    [
        (Library([{"error": {"type": "exceed_context_size_error", "message": "long"}}]), ContextOverflow),
        (Library([{"error": {"code": 500, "message": "broken"}}]), PermanentModelError),
        (Library(failure=ValueError("schema")), PermanentModelError),
        (Library(failure=RuntimeError("JSON")), PermanentModelError),
        (Library([]), PermanentModelError),
    ],
)
def test_failures_are_typed(library: Library, error: type[Exception]) -> None:
    """Whatever the library reports, raises or leaves out is a ModelError with the model's name."""
    with pytest.raises(error) as caught:
        ask(library)

    assert str(caught.value).startswith("memkit/local: ")


def test_calls_are_made_one_by_one() -> None:
    """Asked by two event loops in two threads, many calls at once: loaded once, and never two at a time."""
    library = Library()
    shared = Engine(library.load)

    async def many() -> list[Said]:
        return await asyncio.gather(*(shared.ask(SMALL, {"n": n}, "x") for n in range(20)))

    replies: list[Said] = []
    workers = [threading.Thread(target=lambda: replies.extend(asyncio.run(many()))) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert [Said("In Porto.", "stop", USAGE)] * 40 == replies
    assert ([SMALL], 1, 40) == (library.loaded, library.most_at_once, len(library.bodies))


def test_one_model_at_a_time() -> None:
    """Another window is another loading, and the first is let go of."""
    library = Library()
    shared = Engine(library.load)
    for loading in (SMALL, SMALL, LARGE, SMALL):
        asyncio.run(shared.ask(loading, {}, "x"))

    assert [SMALL, LARGE, SMALL] == library.loaded


def test_a_failed_loading_is_tried_again() -> None:
    """An error of loading is that of the call; the next call loads anew."""
    library = Library()
    faults = [PermanentModelError("x cannot be loaded")]

    def load(loading: Loading) -> Any:
        if faults:
            raise faults.pop()
        return library.load(loading)

    shared = Engine(load)
    with pytest.raises(PermanentModelError, match="cannot be loaded"):
        asyncio.run(shared.ask(SMALL, {}, "x"))

    assert "In Porto." == asyncio.run(shared.ask(SMALL, {}, "x")).text


def test_cancelled_it_stops() -> None:
    """A call that nobody waits for ends at the next piece, one in the queue never starts, the next is served."""
    started, going = threading.Event(), threading.Event()
    library = Library(wait=lambda: (started.set(), going.wait()))
    shared = Engine(library.load)

    async def cancel() -> Said:
        running = asyncio.create_task(shared.ask(SMALL, {"n": 1}, "x"))
        await asyncio.to_thread(started.wait)
        queued = asyncio.create_task(shared.ask(SMALL, {"n": 2}, "x"))
        await asyncio.sleep(0)
        for task in (running, queued):
            task.cancel()
        assert [True, True] == [
            isinstance(one, asyncio.CancelledError)
            for one in await asyncio.gather(running, queued, return_exceptions=True)
        ]
        going.set()
        return await shared.ask(SMALL, {"n": 3}, "x")

    assert "In Porto." == asyncio.run(cancel()).text
    assert [1, 3] == [body["n"] for body in library.bodies]


def test_one_core_is_left_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread fewer than there are cores to use, and one at the least."""
    counts = []
    for cores in (1, 2, 8):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: set(range(cores)), raising=False)
        counts.append(threads())

    assert [1, 1, 7] == counts


def test_a_process_has_one_engine() -> None:
    """Every model object shares it."""
    assert engine() is engine()
