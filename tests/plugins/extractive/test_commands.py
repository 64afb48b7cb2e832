"""The search moves as bash commands."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import Case, Harness, Memory, Message, Registry, Transcript, UserError, compose, render_options, run_loop
from memkit.testing.strategies import texts
from memkit_plugins.extractive.commands import read_command, write_command
from memkit_plugins.extractive.model import Extractive

numbers = st.integers(1, 10**6)
calls = st.one_of(
    st.builds(lambda pattern, most: ("grep", {"pattern": f"(?i){pattern}", "max_results": most}), texts(), numbers),
    st.builds(
        lambda path, lines: ("view", {"path": path, "view_range": lines}),
        texts(),
        st.lists(numbers, min_size=2, max_size=2),
    ),
    st.just(("view", {"path": "/memories"})),
)


@given(calls)
def test_round_trip(call: tuple[str, dict[str, Any]]) -> None:
    """What a command was made from can be read off it, whatever the pattern or path."""
    tool, arguments = write_command(call)

    assert ("bash", call) == (tool, read_command(json.dumps(arguments)))


@pytest.mark.parametrize("arguments", ["", "[]", "{}", '{"command": 3}', '{"command": "ls"}', '{"command": "echo \'"}'])
def test_other_commands(arguments: str) -> None:
    """Commands of others are read as nothing."""
    assert None is read_command(arguments)


@pytest.fixture(scope="session")
def shell(registry: Registry) -> Harness:
    """The harness `shell`; skips where there is no sandbox."""
    try:
        made: Harness = registry.make("harness", "shell")
    except UserError as refusal:
        pytest.skip(str(refusal))
    return made


def search(harness: Harness, memory: Memory, text: str, options: tuple[str, ...]) -> Transcript:
    """The loop of a search."""
    user = compose("roles/ask", question=text, options=render_options(options)).text
    messages = (Message("system", "You search."), Message("user", user))
    return asyncio.run(run_loop(Extractive(), messages, harness.tools("search", memory), role="search"))


def test_shell_finds_what_center_finds(
    shell: Harness, registry: Registry, memories: dict[str, Memory], demo: Case
) -> None:
    """With bash alone it reads the same turns as with view and grep, and gives the same answers, without an error."""
    center: Harness = registry.make("harness", "center")
    for question in demo.questions:
        one, other = (
            search(harness, memories["verbatim"], question.text, question.options) for harness in (center, shell)
        )

        assert (one.end, one.text, 0) == (other.end, other.text, other.effort.tool_errors)
        assert set(one.effort.served) == set(other.effort.served)
        assert one.effort.rounds == other.effort.rounds


def test_dates_come_from_the_listing(shell: Harness, memories: dict[str, Memory]) -> None:
    """The listing tells when each session was, as that of view does."""
    (tool,) = shell.tools("search", memories["verbatim"])
    _, arguments = write_command(("view", {"path": "/memories"}))
    listing = asyncio.run(listed(tool, arguments))

    rows = listing.split("\n")[1:]
    assert len(memories["verbatim"].store.paths()) == len(rows)
    assert all(re.match(r"/memories/\S+\.md — .*\d{4}-\d\d-\d\d", row) for row in rows)


async def listed(tool: Any, arguments: dict[str, Any]) -> str:
    """The result of a call."""
    result: str = await tool(arguments)
    return result
