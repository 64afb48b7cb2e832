from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import ConfigError
from memkit.locators import Locator, find_locators
from memkit.memory import Memory
from memkit.records import Receipt, Session, Step, Turn
from memkit.store.frontmatter import parse
from memkit.tokens import count_tokens
from memkit.transcript import render_turn, render_unit
from memkit_plugins.bm25 import chunk_builder, chunks

LONG = "a turn of many words " * 20


def session(*texts: str, number: int = 4) -> Session:
    """A session of turns by two speakers in turn."""
    turns = [Turn(Locator("S", number, at), "Ann" if at % 2 else "Ben", text) for at, text in enumerate(texts, 1)]
    return Session(number, tuple(turns), "2023-05-04T15:18")


def step(index: int, observation: str = "seen") -> Step:
    """A step with a short action."""
    return Step(Locator("step", 0, index), index, f"act {index}", observation)


def ingest(memory: Memory, *units: Session | Step, target: int = 60) -> list[Receipt]:
    """Ingest units with one builder."""
    builder = chunk_builder(target_tokens=target)
    return [asyncio.run(builder.ingest(memory, unit)) for unit in units]


def test_turns_are_packed_whole(memory: Memory) -> None:
    """Chunks fill up to the target, a long turn is a chunk of its own, and each says what it holds."""
    (receipt,) = ingest(memory, session("hi", "hello", LONG, "bye"))

    assert receipt == Receipt("stored", tuple(Locator("S", 4, at) for at in range(1, 5)))
    assert memory.store.paths() == [f"/memories/session_04_chunk_0{n}.md" for n in (1, 2, 3)]
    text = memory.store.read("/memories/session_04_chunk_01.md")
    front = parse(text)
    assert front is not None
    assert (front.name, front.description) == (
        "session_04_chunk_01",
        "Session 4, 2023-05-04T15:18, chunk 1: Ann, Ben",
    )
    assert text.endswith("---\n\nSession 4, 2023-05-04T15:18\n\n[S4T1] Ann: hi\n[S4T2] Ben: hello\n")


def test_steps_fill_a_chunk_over_several_calls(memory: Memory) -> None:
    """Steps are packed across calls, never split, and a chunk is named by its first step."""
    ingest(memory, step(1), step(2), step(3, LONG), step(4), step(5))

    assert memory.store.paths() == [f"/memories/steps_000{n}.md" for n in (1, 3, 4)]
    text = memory.store.read("/memories/steps_0004.md")
    front = parse(text)
    assert front is not None
    assert (front.name, front.description) == ("steps_0004", "Steps 4 to 5")
    assert text.endswith("---\n\n[step 4] act 4\nseen\n[step 5] act 5\nseen\n")


@pytest.mark.parametrize("repeated", [1, 2, 3, 4])
def test_ingesting_again_changes_nothing(memory: Memory, repeated: int) -> None:
    """A unit given a second time by another process, as after a crash, leaves the same files."""
    steps = [step(1), step(2), step(3, LONG), step(4)][:repeated]
    ingest(memory, session("hi", LONG, "bye"), *steps)
    before = {path: memory.store.read(path) for path in memory.store.paths()}
    ingest(memory, session("hi", LONG, "bye"))
    ingest(memory, steps[-1])

    assert {path: memory.store.read(path) for path in memory.store.paths()} == before


@given(st.lists(st.text("ab \n", max_size=60), min_size=1, max_size=12), st.integers(1, 80))
def test_no_turn_is_lost_and_no_chunk_too_large(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], target: int
) -> None:
    """Every turn is in one chunk, in order, and only a single long turn passes the target."""
    memory = Memory.create(tmp_path_factory.mktemp("m") / "m", builder="none", plugin="none", layout="chunks")
    unit = session(*texts)
    ingest(memory, unit, target=target)
    bodies = [memory.store.read(path).partition("T15:18\n\n")[2] for path in memory.store.paths()]

    assert "".join(bodies) == "".join(f"{render_turn(turn)}\n" for turn in unit.turns)
    for body in bodies:
        held = list(find_locators(body))
        sizes = [count_tokens(render_turn(turn)) for turn in unit.turns if turn.locator in held]
        assert len(held) == 1 or sum(sizes) <= target


def test_the_first_search_finds_the_index_ready(memory: Memory) -> None:
    """Consolidation leaves the index that chunk retrieval uses, and retrieval finds the chunk."""
    builder = chunk_builder()
    asyncio.run(builder.ingest(memory, session("we flew to Lisbon")))
    asyncio.run(builder.consolidate(memory))
    ready = {path: path.stat().st_mtime_ns for path in memory.index_dir.rglob("*")}
    (tool,) = chunks().tools("search", memory)

    expected = (
        "----- result 1 (/memories/session_04_chunk_01.md) -----\n" + render_unit(session("we flew to Lisbon")).strip()
    )
    assert asyncio.run(tool({"query": "Lisbon"})) == expected
    assert {path: path.stat().st_mtime_ns for path in memory.index_dir.rglob("*")} == ready


def test_a_target_below_one_is_refused() -> None:
    """The option is checked when the builder is made."""
    with pytest.raises(ConfigError) as caught:
        chunk_builder(target_tokens=0)

    assert str(caught.value) == "target_tokens must be at least 1"
