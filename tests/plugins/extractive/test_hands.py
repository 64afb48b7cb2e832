"""Both ways to reach a store read and change it alike."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from memkit import Memory, Message, Registry, Tool
from memkit.runtime.loop import run_loop
from memkit.testing.scripted import ScriptedModel
from memkit_plugins.extractive.hands import ByShell, ByTools, Call, Hands, Page, hands_for

TEXT = '---\nname: a\ndescription: b\n---\n\n# A\n\n- one\'s "fact" [S1T1]\n'


@pytest.fixture(params=["center", "shell"])
def reach(request: pytest.FixtureRequest, registry: Registry, tmp_path: Path) -> tuple[Hands, Sequence[Tool], Memory]:
    """Hands, the tools they use, and the memory behind them."""
    try:
        harness = registry.make("harness", request.param)
    except Exception as error:  # noqa: BLE001 - whatever keeps the sandbox from being made
        pytest.skip(f"no shell here: {error}")
    memory = Memory.create(tmp_path / "memory", builder="b", plugin="p", layout="tree")
    hands = hands_for({"bash"} if request.param == "shell" else {"view", "grep", "create", "insert", "delete"})
    assert hands is not None
    return hands, harness.tools("manage", memory), memory


def call(tools: Sequence[Tool], *calls: Call) -> list[Message]:
    """What comes back."""
    messages = (Message("system", "s"), Message("user", "u"))
    done = asyncio.run(run_loop(ScriptedModel([list(calls), "Done."]), messages, tools, role="manage"))
    return [message for message in done.messages if message.role == "tool"]


def test_making_adding_and_removing(reach: tuple[Hands, Sequence[Tool], Memory]) -> None:
    """A file is made with its folder, grows at its end, and goes."""
    hands, tools, memory = reach
    path = "/memories/people/o'ana müller.md"
    made, added = call(tools, hands.create(path, TEXT), hands.append(path, 8, "- two $HOME `x` [S1T2]\n"))

    assert hands.succeeded(made)
    assert hands.succeeded(added)
    assert TEXT + "- two $HOME `x` [S1T2]\n" == memory.store.read(path)
    listing, count, absent, found = call(
        tools, hands.survey(), hands.count(path), hands.count("/memories/none.md"), hands.find(["[S1T2]", "[S9T9]"])
    )
    assert [path] == hands.listed(listing)
    assert (9, None) == (hands.counted(count), hands.counted(absent))
    assert "[S1T2]" in found.content
    assert "[S9T9]" not in found.content
    (gone,) = call(tools, hands.delete(path))
    assert hands.succeeded(gone)
    assert [] == memory.store.paths()


def test_reading_by_pages(reach: tuple[Hands, Sequence[Tool], Memory]) -> None:
    """A long file comes in pages that join to the whole."""
    hands, tools, memory = reach
    rows = tuple(f"[S1T{n}] Ana: turn {n} {'word ' * 20}".rstrip() for n in range(1, 400))
    memory.store.create("/memories/a.md", "\n".join(rows) + "\n")
    read: list[str] = []
    first: int | None = 1
    while first:
        (result,) = call(tools, hands.show("/memories/a.md", first))
        page = hands.page(first, result)
        assert page.whole
        read += page.rows
        first = page.following

    assert rows == tuple(read)


def test_a_line_too_long_is_not_whole(reach: tuple[Hands, Sequence[Tool], Memory]) -> None:
    """What is shown in part is never taken for all there is."""
    hands, tools, memory = reach
    memory.store.create("/memories/a.md", "[S1T1] Ana: " + "word " * 20_000 + "\n")
    (result,) = call(tools, hands.show("/memories/a.md", 1))

    assert not hands.page(1, result).whole


def test_a_change_that_failed(reach: tuple[Hands, Sequence[Tool], Memory]) -> None:
    """Removing what is not there has not succeeded; nor has what is unknown."""
    hands, tools, _ = reach
    (result,) = call(tools, hands.delete("/memories/none.md"))

    assert not hands.succeeded(result)
    assert not hands.succeeded(None)
    assert Page((), None, whole=False) == hands.page(1, None)
    assert ([], None) == (hands.listed(None), hands.counted(None))


def test_which_hands() -> None:
    """A shell where there is one, else the memory tool's commands, else none."""
    assert isinstance(hands_for({"bash"}), ByShell)
    assert isinstance(hands_for({"view", "grep", "create", "insert", "delete", "bm25_search"}), ByTools)
    assert None is hands_for({"view", "grep", "rename"})
