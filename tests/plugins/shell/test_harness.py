"""The harness `shell` and its tool."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

from memkit import Layout, Memory, Role, Tool, ToolError
from memkit_plugins.shell import shell
from memkit_plugins.shell.caps import DEFAULT_CAPS
from memkit_plugins.shell.copies import Copy
from memkit_plugins.shell.harness import Shell
from memkit_plugins.shell.sandbox import choose_box
from memkit_plugins.shell.tool import COMMAND_BYTES


@pytest.fixture
def harness(sandboxed: None) -> Shell:
    """The harness with a sandbox."""
    return Shell(choose_box())


def call(tool: Tool, *commands: str) -> list[Any]:
    """The results of commands that are run together, errors among them."""

    async def together() -> list[Any]:
        return await asyncio.gather(*(tool({"command": command}) for command in commands), return_exceptions=True)

    return asyncio.run(together())


@pytest.mark.parametrize(
    ("role", "layout", "reason"),
    [
        ("manage", "tree", None),
        ("search", "tree", None),
        ("search", "flat", None),
        ("search", "chunks", "a chunk store has no folders to navigate"),
        ("manage", "chunks", "a chunk store has no folders to navigate"),
        ("execute", "tree", "an executor acts in its environment, not on the store"),
    ],
)
def test_misfit(harness: Shell, role: Role, layout: Layout, reason: str | None) -> None:
    """It serves as Center does, with the same reasons."""
    assert reason == harness.misfit(role, layout)


@pytest.mark.parametrize(("role", "writes"), [("manage", True), ("search", False)])
def test_tools(harness: Shell, memory: Memory, role: Role, writes: bool) -> None:  # noqa: FBT001
    """One tool; a manager's calls keep their order."""
    tools: Sequence[Any] = harness.tools(role, memory)

    assert [("bash", ["command"], writes)] == [
        (tool.spec.name, tool.spec.parameters["required"], tool.writes) for tool in tools
    ]


def test_search_cannot_write(harness: Shell, memory: Memory) -> None:
    """A searcher finds the store read-only, and may write elsewhere."""
    memory.store.write("/memories/a.md", "one\n")
    (tool,) = harness.tools("search", memory)
    (text,) = call(tool, "echo x > a.md; rm a.md; cp a.md /tmp && cat /tmp/a.md")

    assert "[exit code 0]" == text.partition("\n")[0]
    assert "Read-only file system" in text
    assert text.endswith("\none")
    assert {"/memories/a.md": "one\n"} == {path: memory.store.read(path) for path in memory.store.paths()}


def test_search_sees_changes(harness: Shell, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One copy serves until the store changes, whoever changes it."""
    made = []
    of = Copy.of
    monkeypatch.setattr(Copy, "of", lambda store: made.append(store) or of(store))
    (tool,) = harness.tools("search", memory)
    memory.store.write("/memories/a.md", "one")
    first = call(tool, "cat a.md", "cat a.md")
    memory.store.write("/memories/a.md", "two")
    second = call(*harness.tools("search", memory), "cat a.md")

    assert ["[exit code 0]\none"] * 2 == first
    assert ["[exit code 0]\ntwo"] == second
    assert 2 == len(made)


def test_nothing_is_kept_between_commands(harness: Shell, memory: Memory) -> None:
    """No file in /tmp, variable or process outlives a command."""
    (tool,) = harness.tools("search", memory)
    call(tool, "echo x > /tmp/x; export X=1; sleep 100 &")

    assert ["[exit code 0]\n0"] == call(tool, 'ls -A /tmp; echo "$X$(pgrep sleep)" | tr -d "\\n"; ls -A /tmp | wc -l')


def test_conflict(harness: Shell, memory: Memory) -> None:
    """When someone else writes while a command runs, the model is told and the store holds what they wrote."""
    (tool,) = harness.tools("manage", memory)

    async def both() -> list[Any]:
        running = asyncio.gather(tool({"command": "echo mine > a.md; sleep 1"}), return_exceptions=True)
        await asyncio.sleep(0.5)
        memory.store.write("/memories/a.md", "theirs")
        return await running

    (refusal,) = asyncio.run(both())

    assert isinstance(refusal, ToolError)
    assert (
        "[exit code 0; nothing was stored: someone else changed the memory while the command ran; look again and"
        " repeat it]"
    ) == str(refusal)
    assert "theirs" == memory.store.read("/memories/a.md")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("a\0b", "The command has a NUL character; leave it out."),
        ("a\ud83d", "The command has half of a surrogate pair, which is not a character; leave it out."),
        ("x" * (COMMAND_BYTES + 1), "The command is longer than 100,000 bytes; do it in several."),
    ],
    ids=["NUL", "surrogate", "long"],
)
def test_impossible_command(harness: Shell, memory: Memory, command: str, message: str) -> None:
    """What cannot be handed to bash is refused in words."""
    (refusal,) = call(*harness.tools("manage", memory), command)

    assert (ToolError, message) == (type(refusal), str(refusal))


def test_longest_command(harness: Shell, memory: Memory) -> None:
    """The longest command that is taken is one the kernel takes."""
    command = "echo x #" + "y" * (COMMAND_BYTES - 8)

    assert ["[exit code 0]\nx"] == call(*harness.tools("manage", memory), command)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("echo out; echo err >&2; exit 3", "[exit code 3]\nout\nerr"),
        ("no-such-program", "[exit code 127]\n/bin/bash: line 1: no-such-program: command not found"),
        ("kill -9 $$", "[exit code 137, SIGKILL]"),
        ("if", "[exit code 2]\n/bin/bash: -c: line 2: syntax error: unexpected end of file"),
        ("", "[exit code 0]"),
        ("cat; echo '$HOME'", "[exit code 0]\n$HOME"),
        ("printf 'a b\\n' > x.md; awk '{print $2}' x.md", "[exit code 0; stored: 1 created]\nb"),
    ],
)
def test_result(harness: Shell, memory: Memory, command: str, text: str) -> None:
    """Our line says how the command ended; its output follows, errors in their places."""
    (found,) = call(*harness.tools("manage", memory), command)

    assert text.partition(" from ")[0] == found.partition(" from ")[0]


def test_cancelled(harness: Shell, memory: Memory) -> None:
    """A call that is given up is ended at once, and stores nothing."""
    (tool,) = harness.tools("manage", memory)

    async def cancel() -> None:
        running = asyncio.ensure_future(tool({"command": "echo x > a.md; sleep 20"}))  # type: ignore[arg-type]
        await asyncio.sleep(0.5)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    started = time.monotonic()
    asyncio.run(cancel())

    assert time.monotonic() - started < 15
    assert [] == memory.store.paths()


def test_sandbox_that_breaks(harness: Shell, memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    """A sandbox that stops working between calls is an error of the call; nothing runs without it."""
    broken = Shell(evolve(harness.box, bwrap="/bin/false"), DEFAULT_CAPS)
    with caplog.at_level(logging.WARNING):
        (refusal,) = call(*broken.tools("manage", memory), "echo x > a.md")

    assert "The sandbox failed to run the command; nothing was stored." == str(refusal)
    assert [] == memory.store.paths()


def test_registering_is_light() -> None:
    """Loading the plugin and registering it imports neither the store nor the sandbox."""
    heavy = ("memkit.tools", "memkit.store", "memkit_plugins.shell.sandbox")
    code = (
        "import sys; from memkit import Registry; from memkit_plugins import shell\n"
        f"shell.memkit_register(Registry()); print([name for name in sys.modules if name.startswith({heavy})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (0, "", "[]\n") == (done.returncode, done.stderr, done.stdout)


def test_factory_is_described() -> None:
    """`memkit plugins` shows the first line of the factory's docstring."""
    assert "One bash tool over a private copy of the store, in a sandbox." == (shell.__doc__ or "").partition("\n")[0]
