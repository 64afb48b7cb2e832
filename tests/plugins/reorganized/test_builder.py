"""The organizing agent works in passes until one changes nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

import pytest
from attrs import evolve

from memkit import (
    Case,
    ConfigError,
    ContentRefused,
    Harness,
    Memory,
    Model,
    PermanentModelError,
    Registry,
    TransientModelError,
    build_memory,
    build_registry,
    compose,
    managed_steps,
    measure_kept,
)
from memkit.testing.samples import CHAT, RUN
from memkit.testing.scripted import Reply, ScriptedModel
from memkit_plugins.reorganized.builder import KEEP, Reorganized

NOTE = "---\nname: {}\ndescription: A note\n---\n\n- a kite [S1T1]\n"


def create(name: str) -> list[tuple[str, dict[str, str]]]:
    """A round that makes a file."""
    return [("create", {"path": f"/memories/{name}.md", "file_text": NOTE.format(name)})]


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Every part that is installed."""
    return build_registry()


@pytest.fixture
def center(registry: Registry) -> Harness:
    """The file tools."""
    made: Harness = registry.make("harness", "center")
    return made


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return Memory.create(tmp_path / "memory", builder="reorganized", plugin="tests 0", layout="tree")


def build(
    memory: Memory, center: Harness, model: Model, mode: Literal["preserve", "condense"] = "preserve", passes: int = 5
) -> None:
    """Build the memory of the sample chat."""
    asyncio.run(build_memory(memory, Reorganized(model, center, mode, passes), CHAT.units))


@pytest.mark.parametrize("mode", ["preserve", "condense"])
def test_what_the_organizer_is_told(memory: Memory, center: Harness, mode: Literal["preserve", "condense"]) -> None:
    """The paragraph of its mode and not the other; which pass it is."""
    model = ScriptedModel(["All is well."])
    build(memory, center, model, mode)

    system, ask = (message.content for message in model.requests[0].messages)
    other = {"preserve": "condense", "condense": "preserve"}[mode]
    assert (True, False) == (compose(KEEP[mode]).text in system, compose(KEEP[other]).text in system)
    assert compose("roles/ask-organize", number="1", passes="5").text == ask


def test_passes_go_on_until_one_changes_nothing(memory: Memory, center: Harness) -> None:
    """Two passes that change something, and one that does not."""
    script: list[Reply] = [create("a"), "One.", create("b"), "Two.", "Nothing to do."]
    model = ScriptedModel(script)
    build(memory, center, model)

    assert ([], 5) == (model.script, len(model.requests))
    assert [f"pass {n} over 3 units" for n in (1, 2, 3)] == [step.name for step in managed_steps(memory)]
    assert memory.manifest.ready


def test_passes_are_bounded(memory: Memory, center: Harness) -> None:
    """An organizer that never rests is stopped."""
    model = ScriptedModel([create("a"), "One.", create("b"), "Two."])
    build(memory, center, model, passes=2)

    assert 2 == len(managed_steps(memory))


def test_a_change_that_is_taken_back_is_none(memory: Memory, center: Harness) -> None:
    """Stores are compared, not calls."""
    model = ScriptedModel([create("a"), [("delete", {"path": "/memories/a.md"})], "As it was."])
    build(memory, center, model)

    assert 1 == len(managed_steps(memory))


def test_after_an_error_it_goes_on_with_the_next_pass(memory: Memory, center: Harness) -> None:
    """A pass that was finished is not paid for again."""
    with pytest.raises(TransientModelError):
        build(memory, center, ScriptedModel([create("a"), "One.", TransientModelError("busy")]))
    model = ScriptedModel(["Nothing to do."])
    build(memory, center, model)

    assert compose("roles/ask-organize", number="2", passes="5").text == model.requests[0].messages[1].content


def test_an_organizer_that_does_nothing(memory: Memory, center: Harness) -> None:
    """A pass that ended early without a change is an error, not a reorganized store; the transcripts stay."""
    with pytest.raises(PermanentModelError, match=r"pass 1 over 3 units changed nothing and ended early \(refused\)"):
        build(memory, center, ScriptedModel([ContentRefused("no")]))

    assert ["/memories/session_01.md", "/memories/session_02.md", "/memories/session_03.md"] == memory.store.paths()
    assert not memory.manifest.ready


def test_a_mode_that_is_none(registry: Registry) -> None:
    """The modes are listed to who misspells one."""
    with pytest.raises(ConfigError, match="must be one of 'preserve', 'condense'"):
        registry.make("builder", "reorganized", {"mode": "keep"}, model=ScriptedModel([]), harness=None)


@pytest.mark.parametrize("harness", ["center", "center+bm25"])
@pytest.mark.parametrize(("mode", "all_of_it"), [("preserve", True), ("condense", False)])
def test_the_embedded_model_reorganizes_the_demo(
    registry: Registry,
    tmp_path: Path,
    harness: str,
    mode: str,
    all_of_it: bool,  # noqa: FBT001
) -> None:
    """No transcript is left, labels and references are true, and preserve keeps every locator."""
    case: Case = next(iter(registry.make("dataset", "demo").load(None)))
    memory = embedded(registry, tmp_path / "memory", case, harness, mode)

    files = {path: memory.store.read(path) for path in memory.store.paths()}
    kept = measure_kept(case.stream.units, files)
    assert {"people", "topics"} == {path.split("/")[2] for path in files}
    assert all_of_it == (kept.locators.kept == kept.locators.total)
    assert ((), ()) == (kept.frontmatter, kept.references)
    assert 2 == len(managed_steps(memory))


def test_the_embedded_model_reorganizes_a_trajectory(registry: Registry, tmp_path: Path) -> None:
    """Every step is kept, those with several lines too."""
    memory = embedded(registry, tmp_path / "memory", Case(RUN, ()), "center", "preserve")
    files = {path: memory.store.read(path) for path in memory.store.paths()}

    assert 3 == measure_kept(RUN.units, files).locators.kept
    assert "The bin is empty. It is closed. [step 2]" in files["/memories/actions.md"]


def test_what_the_embedded_model_cannot_read_whole_stays(registry: Registry, tmp_path: Path) -> None:
    """A line too long to be shown is never lost: its file stays as it is."""
    run = evolve(RUN, steps=(evolve(RUN.steps[0], observation="word " * 2_000), *RUN.steps[1:]))
    memory = embedded(registry, tmp_path / "memory", Case(run, ()), "center", "preserve")

    assert {"/memories/step_0000.md", "/memories/actions.md"} == set(memory.store.paths())


def embedded(registry: Registry, path: Path, case: Case, harness: str, mode: str) -> Memory:
    """A memory reorganized by the embedded model; the passes end by themselves."""
    chosen = {"model": registry.make("model", "memkit/extractive"), "harness": registry.make("harness", harness)}
    builder = registry.make("builder", "reorganized", {"mode": mode}, **chosen)
    memory = Memory.create(path, builder="reorganized", plugin="tests 0", layout=builder.layout)
    asyncio.run(build_memory(memory, builder, case.stream.units))
    return memory
