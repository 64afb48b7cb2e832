"""Foldering moves files and does nothing else, whatever the agent tries."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memkit import (
    Case,
    ContentRefused,
    Limits,
    Memory,
    Model,
    PermanentModelError,
    Registry,
    StoreError,
    build_memory,
    build_registry,
    managed_steps,
    snapshot,
)
from memkit.testing.samples import CHAT
from memkit.testing.scripted import Reply, ScriptedModel
from memkit_plugins.foldered.builder import Foldered
from memkit_plugins.foldered.folding import moves


def move(old: str, new: str) -> tuple[str, dict[str, str]]:
    """A call that moves a file or folder of the store."""
    return "rename", {"old_path": f"/memories/{old}", "new_path": f"/memories/{new}"}


def make_memory(path: Path) -> Memory:
    """An empty memory."""
    return Memory.create(path, builder="foldered", plugin="tests 0", layout="foldered")


def build(memory: Memory, model: Model, case: Case | None = None, limits: Limits = Limits()) -> None:
    """Build the memory of the sample chat, or of another stream."""
    stream = case.stream if case else CHAT
    asyncio.run(build_memory(memory, Foldered(model, limits), stream.units))


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return make_memory(tmp_path / "memory")


@pytest.fixture
def verbatim(tmp_path: Path) -> dict[str, bytes]:
    """The files as they are when nothing was moved."""
    memory = make_memory(tmp_path / "verbatim")
    build(memory, ScriptedModel(["I leave all as it is."]))
    return snapshot(memory.store)


def names(files: dict[str, bytes]) -> dict[str, bytes]:
    """The contents by the names of the files."""
    return {path.rpartition("/")[2]: data for path, data in files.items()}


def test_files_move_and_stay_the_same(memory: Memory, verbatim: dict[str, bytes]) -> None:
    """Each file is where the agent put it, byte for byte what it was; the agent has three tools."""
    calls = [move("session_01.md", "kites/session_01.md"), move("session_02.md", "dogs/session_02.md")]
    model = ScriptedModel([calls, "Done."])
    build(memory, model)

    assert ["/memories/dogs/session_02.md", "/memories/kites/session_01.md", "/memories/session_03.md"] == (
        memory.store.paths()
    )
    assert names(verbatim) == names(snapshot(memory.store))
    assert ["view", "grep", "rename"] == [tool.name for tool in model.requests[0].tools]
    assert ["folders for 3 units"] == [step.name for step in managed_steps(memory)]
    assert [] == [entry.name for entry in memory.path.iterdir() if entry.name.startswith(".folding")]


def test_a_folder_may_be_renamed(memory: Memory, verbatim: dict[str, bytes]) -> None:
    """An afterthought about a folder's name is no change of its files."""
    build(memory, ScriptedModel([[move("session_01.md", "a/session_01.md")], [move("a", "kites/bought")], "Done."]))

    assert "/memories/kites/bought/session_01.md" in memory.store.paths()
    assert names(verbatim) == names(snapshot(memory.store))


REFUSED: dict[str, tuple[str, object]] = {
    "another stem": move("session_01.md", "kites/kite-bought.md"),
    "creating": ("create", {"path": "/memories/new.md", "file_text": "x"}),
    "editing": ("str_replace", {"path": "/memories/session_01.md", "old_str": "kite", "new_str": "dog"}),
    "deleting": ("delete", {"path": "/memories/session_01.md"}),
    "over another file": move("session_01.md", "session_02.md"),
    "out of the store": ("rename", {"old_path": "/memories/session_01.md", "new_path": "/tmp/session_01.md"}),
    "the root": move("", "kites"),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_anything_else_is_refused(memory: Memory, verbatim: dict[str, bytes], call: tuple[str, object]) -> None:
    """The agent is told so, and the files are as they were."""
    model = ScriptedModel([[call], "Done."])
    build(memory, model)

    assert verbatim == snapshot(memory.store)
    assert model.requests[1].messages[-1].is_error


def test_a_folder_may_not_swallow_a_name(memory: Memory, verbatim: dict[str, bytes]) -> None:
    """A folder named like a file is a folder all the same."""
    calls = [move("session_01.md", "session_09.md/session_01.md"), move("session_09.md", "kites")]
    build(memory, ScriptedModel([calls, "Done."]))

    assert names(verbatim) == names(snapshot(memory.store))


def test_differences_are_listed() -> None:
    """Lost, new and changed files fail the check, which names them."""
    before = {"/memories/a.md": b"a", "/memories/b.md": b"b"}
    after = {"/memories/x/a.md": b"A", "/memories/c.md": b"c"}

    with pytest.raises(StoreError) as error:
        moves(before, after)
    assert (
        "Foldering may only move files: /memories/b.md is gone; /memories/c.md is new;"
        " /memories/x/a.md has other content." == str(error.value)
    )


def test_a_build_that_fails_leaves_the_verbatim_store(
    memory: Memory, verbatim: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a tool does more than it should, the build fails with the difference and the store is whole."""
    from memkit_plugins.foldered import builder

    honest = builder.folding_tools

    def careless(store: object) -> object:
        store.write("/memories/session_01.md", "gone")  # type: ignore[attr-defined]
        return honest(store)  # type: ignore[arg-type]

    monkeypatch.setattr(builder, "folding_tools", careless)
    with pytest.raises(StoreError, match=r"/memories/session_01\.md has other content"):
        build(memory, ScriptedModel(["Done."]))

    assert verbatim == snapshot(memory.store)
    assert not memory.manifest.ready


ENDED: dict[str, list[Reply]] = {
    "empty": ["", ""],
    "refused": [ContentRefused("no")],
    "rounds": [[("view", {"path": "/memories"})]],
}


@pytest.mark.parametrize("end", ENDED)
def test_an_agent_that_does_nothing(memory: Memory, verbatim: dict[str, bytes], end: str) -> None:
    """A loop that ended early and moved nothing is an error; the next build tries again."""
    with pytest.raises(PermanentModelError, match=rf"ended early \({end}\) and moved nothing"):
        build(memory, ScriptedModel(list(ENDED[end])), limits=Limits(rounds=1 if end == "rounds" else 9))
    assert verbatim == snapshot(memory.store)

    build(memory, ScriptedModel([[move("session_01.md", "kites/session_01.md")], "Done."]))
    assert "/memories/kites/session_01.md" in memory.store.paths()


def test_later_units_are_sorted_too(memory: Memory) -> None:
    """After more sessions the agent comes again, and a folder that it empties is gone."""
    asyncio.run(
        build_memory(
            memory, Foldered(ScriptedModel([[move("session_01.md", "a/session_01.md")], "Done."])), CHAT.units[:1]
        )
    )
    again = [[move("a/session_01.md", "b/session_01.md"), move("session_03.md", "b/session_03.md")], "Done."]
    build(memory, ScriptedModel(again))

    assert ["/memories/b", "/memories/b/session_01.md", "/memories/b/session_03.md", "/memories/session_02.md"] == [
        entry.path for entry in memory.store.entries()
    ]


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Every part that is installed."""
    return build_registry()


def test_the_embedded_model_sorts_the_demo(registry: Registry, tmp_path: Path) -> None:
    """Each session is in a folder named by words, with its bytes unchanged."""
    case: Case = next(iter(registry.make("dataset", "demo").load(None)))
    plain, sorted_ = make_memory(tmp_path / "plain"), make_memory(tmp_path / "sorted")
    build(plain, ScriptedModel(["I leave all as it is."]), case)
    build(sorted_, registry.make("model", "memkit/extractive"), case)

    paths = sorted_.store.paths()
    assert names(snapshot(plain.store)) == names(snapshot(sorted_.store))
    assert {3} == {path.count("/") for path in paths}
    assert 3 == len({path.split("/")[2] for path in paths})
