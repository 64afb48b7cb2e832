"""What the embedded model reads: the demo as memories, and exchanges with real tools over them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from memkit import (
    Builder,
    Case,
    Harness,
    Memory,
    Message,
    Registry,
    Tool,
    ToolCall,
    build_memory,
    build_registry,
    compose,
    render_options,
    run_loop,
)
from memkit.testing.scripted import ScriptedModel
from memkit_plugins.extractive.reading import Exchange, read_exchange

Call = tuple[str, dict[str, Any]]
Read = Callable[..., Exchange]


@pytest.fixture(scope="session")
def registry() -> Registry:
    """Every part that is installed."""
    return build_registry()


@pytest.fixture(scope="session")
def demo(registry: Registry) -> Case:
    """The demo's conversation with its questions."""
    (case,) = registry.make("dataset", "demo").load(None)
    return cast("Case", case)


@pytest.fixture(scope="session")
def memories(registry: Registry, demo: Case, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Memory]:
    """The demo as each builder that needs no model makes it."""
    built = {}
    for name in ("verbatim", "chunk-bm25"):
        builder: Builder = registry.make("builder", name)
        path: Path = tmp_path_factory.mktemp("memories") / name
        memory = Memory.create(path, builder=name, plugin="tests 0", layout=builder.layout)
        asyncio.run(build_memory(memory, builder, demo.stream.units))
        built[name] = memory.frozen()
    return built


@pytest.fixture(scope="session")
def read(registry: Registry) -> Read:
    """A function that calls tools of a harness over a memory, a list of calls a round, and reads the exchange back."""

    def exchange(memory: Memory, harness: str, *rounds: Sequence[Call], question: str = "where?") -> Exchange:
        made: Harness = registry.make("harness", harness)
        return read_exchange(converse(made.tools("search", memory), *rounds, question=question))

    return exchange


def converse(tools: Sequence[Tool], *rounds: Sequence[Call], question: str) -> tuple[Message, ...]:
    """The messages of a loop in which a model makes these calls."""
    model = ScriptedModel([*rounds, "done"])
    done = asyncio.run(run_loop(model, ask(question), tools, role="search"))
    return done.messages[:-1]


def ask(question: str, options: Sequence[str] = ()) -> tuple[Message, ...]:
    """The question as a searcher puts it."""
    text = compose("roles/ask", question=question, options=render_options(options)).text
    return Message("system", "You search."), Message("user", text)


def tool_calls(*calls: Call) -> tuple[ToolCall, ...]:
    """Calls as a model writes them."""
    return tuple(ToolCall(f"call_{n}", name, json.dumps(arguments)) for n, (name, arguments) in enumerate(calls))
