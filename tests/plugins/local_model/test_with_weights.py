"""The real library with real weights: where MEMKIT_LOCAL_GGUF names a file (docs/how-to/use-a-local-model.md says how).

Nothing is claimed of what the model says: only that it is typed, counted, repeatable and within the form.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest

from memkit import (
    Completion,
    ContextOverflow,
    Limits,
    Memory,
    Message,
    Model,
    PermanentModelError,
    Request,
    ToolSpec,
    read_tools,
    run_loop,
)
from memkit.testing.suites import ModelSuite
from memkit.testing.suites.model import FETCH, REQUESTS
from memkit_plugins.local_model.engine import Loading, engine, load
from memkit_plugins.local_model.model import LocalModel
from memkit_plugins.local_model.weights import MAGIC, named

pytestmark = pytest.mark.skipif(
    not named() or find_spec("xllamacpp") is None,
    reason="MEMKIT_LOCAL_GGUF names no file, or the extra agent-memkit[local] is not installed",
)
LISTING = """
import sys
from memkit import build_registry, open_model
open_model(build_registry(only=["local-model"]), "memkit/local")
print("xllamacpp" in sys.modules)
"""


def complete(model: Model, request: Request) -> Completion:
    """One reply, in an event loop of its own."""
    return asyncio.run(model.complete(request))


@pytest.mark.timeout(1_800)
class TestLocal(ModelSuite):
    def make(self) -> Model:
        return LocalModel(deterministic=True, reply_tokens=24)


@pytest.mark.parametrize("options", [{"deterministic": True}, {"temperature": 0.9, "seed": 5}])
@pytest.mark.parametrize("request_", REQUESTS[:3])
def test_the_same_bytes_whatever_came_between(options: dict[str, float], request_: Request) -> None:
    """A repeatable reply is the same after other calls have filled the cache, and read nothing from it."""
    model = LocalModel(reply_tokens=40, **options)
    first = complete(model, request_)
    complete(LocalModel(reply_tokens=8), request_)
    complete(LocalModel(reply_tokens=8), Request((Message("user", "Of something else?"),), "search"))

    assert first == complete(model, request_)
    assert 0 == first.usage.cache_read


def test_the_cache_is_read_and_counted() -> None:
    """A prompt that begins as the last one did is mostly read from the cache; the counts are whole."""
    ask = REQUESTS[2]
    first = complete(LocalModel(reply_tokens=8), ask).usage
    again = complete(LocalModel(reply_tokens=8), ask).usage

    assert first.input == again.input
    assert (again.cache_read or 0) > (again.uncached or 0) > 0
    assert 8 == again.output


def test_a_search_with_real_tools_ends(sample: Memory) -> None:
    """Rounds of real calls over a real store, and an end that is one of those there are."""
    done = asyncio.run(
        run_loop(
            LocalModel(deterministic=True, reply_tokens=96),
            REQUESTS[1].messages,
            read_tools(sample.store),
            role="search",
            limits=Limits(rounds=3),
        )
    )

    assert done.end in ("answered", "rounds", "tokens")
    assert 1 <= done.effort.rounds <= 3
    assert all(usage.input and usage.output for usage in done.effort.model_calls)
    results = [message for message in done.messages if message.role == "tool"]
    assert done.effort.tool_calls == len(results)


def test_too_long_is_an_overflow() -> None:
    """Messages over the window, by the library's own count, are the error that makes a loop drop old results."""
    ask = Request((Message("user", "word " * 3_000),), "search")

    with pytest.raises(ContextOverflow, match="do not fit the model's window"):
        complete(LocalModel(context_tokens=1024), ask)


def test_many_at_once() -> None:
    """Calls from one event loop are all served, one after another, by the one loaded model."""

    async def many() -> list[Completion]:
        model = LocalModel(deterministic=True, reply_tokens=8)
        return await asyncio.gather(*(model.complete(REQUESTS[0]) for _ in range(4)))

    replies = asyncio.run(many())

    assert [replies[0]] * 4 == replies


def test_a_schema_with_references() -> None:
    """The library takes a composed schema whose parts refer to one another."""
    note = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    linked = ToolSpec(
        "note", "Keep a note.", {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": note}}
    )
    reply = complete(
        LocalModel(deterministic=True, reply_tokens=64), Request(REQUESTS[0].messages, "search", (FETCH, linked))
    )

    assert reply.usage.output


def test_a_schema_the_library_cannot_take() -> None:
    """Its refusal is a typed error with its reason."""
    odd = ToolSpec("odd", "Odd.", {"type": "object", "properties": {"a": {"type": "frob"}}})

    with pytest.raises(PermanentModelError, match=r"^memkit/local: the library does not accept the request: .*frob"):
        complete(LocalModel(), Request(REQUESTS[0].messages, "search", (odd,)))


def test_a_damaged_file(tmp_path: Path) -> None:
    """A file that only begins well is an error with what to try."""
    path = tmp_path / "cut.gguf"
    path.write_bytes(MAGIC + b"\x03\0\0\0" + bytes(64))

    with pytest.raises(PermanentModelError, match="cannot be loaded: it is damaged"):
        load(Loading(path, 512))


def test_nobody_else_may_ask() -> None:
    """The port that the library opens on this machine gives nothing without the key."""
    complete(LocalModel(reply_tokens=1), REQUESTS[0])
    loaded = engine()._loaded
    assert loaded is not None
    refused = {}
    for page in ("/props", "/slots", "/v1/models", "/v1/chat/completions"):
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(loaded[1].listening_address + page, timeout=10)
        refused[page] = caught.value.code
        caught.value.close()

    assert {401} == set(refused.values())


def test_nothing_heavy_before_the_first_call() -> None:
    """Opening the model does not load the library."""
    done = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=False)

    assert (0, "False\n", "") == (done.returncode, done.stdout, done.stderr)
