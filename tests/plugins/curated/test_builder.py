"""The curating agent: what it is told, what it may do, and that nothing is done twice."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memkit import (
    MANAGE,
    Case,
    Harness,
    Limits,
    Memory,
    Receipt,
    Registry,
    TransientModelError,
    build_memory,
    build_registry,
    compose,
    managed_steps,
    measure_kept,
    render_unit,
    source_guide,
    tool_guide,
)
from memkit.testing.samples import CHAT, RUN
from memkit.testing.scripted import Reply, ScriptedModel
from memkit_plugins.curated.builder import Curated

FILE = "---\nname: ana\ndescription: Ana and her kite\n---\n\n- bought a red kite [S1T1]\n"
NEW = [("create", {"path": "/memories/people/ana.md", "file_text": FILE})]


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
    return Memory.create(tmp_path / "memory", builder="curated", plugin="tests 0", layout="tree")


def ingest(
    memory: Memory, center: Harness, script: list[Reply], *, chunk_tokens: int = 4_000, limits: Limits = MANAGE
) -> tuple[Receipt, ScriptedModel]:
    """Ingest the first session with a scripted manager."""
    model = ScriptedModel(script)
    builder = Curated(model, center, chunk_tokens, limits)
    return asyncio.run(builder.ingest(memory, CHAT.sessions[0])), model


def test_what_the_manager_is_told(memory: Memory, center: Harness) -> None:
    """The rules for this harness and these locators; instruction and context in two turns; the writing tools."""
    _, model = ingest(memory, center, ["Nothing to keep."])

    (request,) = model.requests
    tools = center.tools("manage", memory)
    unit = CHAT.sessions[0]
    system = compose("roles/manage", tools=tool_guide("manage", tools), source=source_guide(unit))
    assert [
        ("system", system.text),
        ("user", compose("roles/ask-manage", part="session 1, chunk 1 of 1").text),
        ("user", f"<context>\n{render_unit(unit)}\n</context>"),
    ] == [(message.role, message.content) for message in request.messages]
    assert [tool.spec.name for tool in tools] == [tool.name for tool in request.tools]
    assert ("manage", 32_768) == (request.role, request.max_output_tokens)


def test_edits_are_made_through_the_tools(memory: Memory, center: Harness) -> None:
    """What the manager creates is in the store, and the loop is logged."""
    receipt, _ = ingest(memory, center, [[("view", {"path": "/memories"})], NEW, "Filed one fact."])

    assert FILE == memory.store.read("/memories/people/ana.md")
    assert Receipt("stored", tuple(turn.locator for turn in CHAT.sessions[0].turns)) == receipt
    (step,) = managed_steps(memory)
    assert ("session 1, chunk 1 of 1", "answered", 3, 2) == (
        step.name,
        step.end,
        step.effort.rounds,
        step.effort.tool_calls,
    )


FAULTS: dict[str, list[Reply]] = {
    "arguments that are no JSON": [[("create", "{not json")], NEW, "Done."],
    "encoded twice": [[("create", '"{\\"path\\": \\"/memories/x.md\\"}"')], NEW, "Done."],
    "an unknown tool": [[("remember", {"fact": "kite"})], NEW, "Done."],
    "a path outside": [[("create", {"path": "/etc/passwd", "file_text": "x"})], NEW, "Done."],
    "deleting the root": [[("delete", {"path": "/memories"})], NEW, "Done."],
    "an empty reply": ["", NEW, "Done."],
}


@pytest.mark.parametrize("script", FAULTS.values(), ids=FAULTS)
def test_faults_of_the_protocol(memory: Memory, center: Harness, script: list[Reply]) -> None:
    """A call that cannot be done goes back in words, and the manager goes on."""
    receipt, _ = ingest(memory, center, list(script))

    assert "stored" == receipt.status
    assert ["/memories/people/ana.md"] == memory.store.paths()


ENDS: dict[str, tuple[list[Reply], dict[str, Limits]]] = {
    "rounds": ([NEW, [("view", {"path": "/memories"})]], {"limits": Limits(rounds=2)}),
    "calls": ([NEW, [("view", {"path": "/memories"})] * 2], {"limits": Limits(calls=2)}),
    "empty": (["", ""], {}),
}


@pytest.mark.parametrize("end", ENDS)
def test_a_loop_that_does_not_end_well(memory: Memory, center: Harness, end: str) -> None:
    """The receipt names the chunk and how it ended, and claims nothing of it."""
    script, options = ENDS[end]
    receipt, _ = ingest(memory, center, list(script), **options)

    reason = f"the manager did not finish chunk 1 of 1 ({end}) of session 1"
    assert Receipt("partial", (), reason) == receipt


def test_a_model_that_fails_is_asked_again_for_the_open_chunk_alone(memory: Memory, center: Harness) -> None:
    """An error leaves what was done; the next attempt starts with the chunk that failed."""
    with pytest.raises(TransientModelError):
        ingest(memory, center, ["Done.", TransientModelError("busy")], chunk_tokens=1)
    receipt, model = ingest(memory, center, ["Done.", "Done."], chunk_tokens=1)

    assert "stored" == receipt.status
    assert ["session 1, chunk 2 of 3", "session 1, chunk 3 of 3"] == [step.name for step in managed_steps(memory)][1:]
    assert 2 == len(model.requests)


@pytest.mark.parametrize("harness", ["center", "center+bm25"])
def test_the_embedded_model_files_the_demo(registry: Registry, tmp_path: Path, harness: str) -> None:
    """Facts stand under people and topics, dated and with their locators, and every label and reference is true."""
    case: Case = next(iter(registry.make("dataset", "demo").load(None)))
    memory = build(registry, tmp_path / "memory", case, harness)

    files = {path: memory.store.read(path) for path in memory.store.paths()}
    kept = measure_kept(case.stream.units, files)
    assert {"people", "topics"} == {path.split("/")[2] for path in files}
    assert kept.locators.kept > 0.4 * kept.locators.total
    assert kept.dates.kept == kept.dates.total
    assert ((), ()) == (kept.frontmatter, kept.references)
    assert "- 12 October 2024: Jonas Müller:" not in files["/memories/people/jonas-müller.md"]
    facts = [line for text in files.values() for line in text.split("\n") if line.startswith("- ") and "[S" in line]
    assert len(facts) == len(set(facts)) == kept.locators.kept
    assert {"answered"} == {step.end for step in managed_steps(memory)}


def test_the_embedded_model_files_a_trajectory(registry: Registry, tmp_path: Path) -> None:
    """Steps have no speaker; they stand in the order they were taken."""
    memory = build(registry, tmp_path / "memory", Case(RUN, ()), "center")

    assert "/memories/actions.md" in memory.store.paths()


def build(registry: Registry, path: Path, case: Case, harness: str) -> Memory:
    """A memory curated by the embedded model."""
    chosen = {"model": registry.make("model", "memkit/extractive"), "harness": registry.make("harness", harness)}
    builder = registry.make("builder", "curated", {"chunk_tokens": 2_000}, **chosen)
    memory = Memory.create(path, builder="curated", plugin="tests 0", layout=builder.layout)
    asyncio.run(build_memory(memory, builder, case.stream.units))
    return memory
