"""Chunks, the step log, and what is done once."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import DataError, TransientModelError
from memkit.locators import Locator
from memkit.management import (
    LOG_NAME,
    ingest_chunks,
    managed_steps,
    record_step,
    snapshot,
    source_guide,
    split_unit,
    step_ends,
)
from memkit.memory import Memory
from memkit.prompts import Prompt
from memkit.records import Effort, End, Message, Receipt, Session, Step, Turn, Unit, Usage
from memkit.runtime.context import Dropped
from memkit.runtime.loop import Transcript
from memkit.testing.samples import CHAT, session
from memkit.tokens import count_tokens
from memkit.transcript import render_turn


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return Memory.create(tmp_path / "memory", builder="curated", plugin="tests 0", layout="tree")


def transcript(end: End = "answered") -> Transcript:
    """A finished loop of one call."""
    effort = Effort(
        (Usage(uncached=10, output=5), Usage(uncached=None, output=1)), tool_calls=1, served=(Locator("S", 1, 1),)
    )
    return Transcript((Message("system", "You manage."),), "Done.", end, effort, (Dropped("view", "{}", 70),))


def test_the_log_gives_back_what_was_recorded(memory: Memory) -> None:
    """Name, end, prompt and effort of each step, in order; what was served is not kept."""
    record_step(memory, "session 1, chunk 1 of 1", transcript())
    record_step(memory, "session 2, chunk 1 of 1", transcript("rounds"))

    first, second = managed_steps(memory)
    assert ("session 1, chunk 1 of 1", "answered", 70) == (first.name, first.end, first.dropped)
    assert Prompt("", "You manage.").digest == first.prompt
    assert Effort((Usage(uncached=10, output=5), Usage(uncached=None, output=1)), tool_calls=1) == first.effort
    assert {first.name: "answered", second.name: "rounds"} == step_ends(memory)


def test_a_torn_record_is_a_step_not_done(memory: Memory) -> None:
    """A crash while logging costs that line alone, and the next one takes its place."""
    record_step(memory, "a", transcript())
    log = memory.path / LOG_NAME
    log.write_bytes(log.read_bytes() + b'{"name":"b","en')

    assert ["a"] == list(step_ends(memory))
    record_step(memory, "c", transcript())
    assert ["a", "c"] == list(step_ends(memory))


def test_a_damaged_record_is_an_error(memory: Memory) -> None:
    """A line that was whole once and is no record now is not passed over."""
    (memory.path / LOG_NAME).write_bytes(b"{nonsense\n")

    with pytest.raises(DataError, match=rf"{LOG_NAME}:1: this record is damaged"):
        step_ends(memory)


def test_no_log_is_no_steps(memory: Memory) -> None:
    """A builder without a model leaves none."""
    assert ((), {}) == (managed_steps(memory), step_ends(memory))


@given(st.lists(st.text(st.characters(categories=["L", "Zs"]), max_size=60), max_size=12), st.integers(1, 60))
def test_chunks_are_whole_turns_up_to_the_target(texts: list[str], target: int) -> None:
    """Joined they are the session; each is within the target or one turn; none could have taken the next turn."""
    unit = session(3, *(("Ana", text) for text in texts), time="2024-03-04")
    chunks = split_unit(unit, target)

    sizes = []
    for chunk in chunks:
        assert isinstance(chunk, Session)
        assert (3, "2024-03-04") == (chunk.number, chunk.time)
        sizes.append([count_tokens(render_turn(turn)) for turn in chunk.turns])
    assert unit.turns == tuple(turn for chunk in chunks if isinstance(chunk, Session) for turn in chunk.turns)
    assert all(len(chunk) == 1 or sum(chunk) <= target for chunk in sizes)
    assert all(sum(chunk) + following[0] > target for chunk, following in pairwise(sizes))


def test_a_step_is_a_chunk() -> None:
    """A step of a trajectory is never cut."""
    step = Step(Locator("step", 0, 1), 1, "look", "a " * 900)

    assert (step,) == split_unit(step, 10)


@pytest.mark.parametrize(
    ("locator", "example"),
    [
        (Locator("S", 1, 1), "`[S5T3]`"),
        (Locator("B", 1, 1), "`[B4M7]`"),
        (Locator("M", 0, 1), "`[M12]`"),
        (Locator("step", 0, 1), "`[step 14]`"),
    ],
)
def test_the_prompt_tells_of_the_stream_s_own_locators(locator: Locator, example: str) -> None:
    """Each form has its section; an empty session is taken for the commonest."""
    unit: Unit = Session(1, (Turn(locator, "Ana", "Hi."),))
    if locator.kind == "step":
        unit = Step(locator, 1, "look", "nothing")

    assert example in source_guide(unit)
    assert "`[S5T3]`" in source_guide(Session(1, ()))


def ingest(memory: Memory, ends: list[End | None], target: int = 1) -> tuple[Receipt | None, list[str]]:
    """Ingest the first session turn by turn, the steps ending so; None is a model that fails. What was asked for."""
    asked = []

    async def work(chunk: Unit, name: str) -> Transcript:
        asked.append(name)
        end = ends.pop(0)
        if end is None:
            raise TransientModelError("busy")
        return transcript(end)

    try:
        return asyncio.run(ingest_chunks(memory, CHAT.sessions[0], target, work)), asked
    except TransientModelError:
        return None, asked


def test_a_chunk_is_done_once(memory: Memory) -> None:
    """After an error in the middle, ingestion goes on with the chunk that was not finished."""
    failed, asked = ingest(memory, ["answered", None])
    receipt, again = ingest(memory, ["answered", "answered"])

    names = [f"session 1, chunk {n} of 3" for n in (1, 2, 3)]
    assert (None, names[:2]) == (failed, asked)
    assert names[1:] == again
    assert Receipt("stored", tuple(turn.locator for turn in CHAT.sessions[0].turns)) == receipt


def test_an_unfinished_chunk_is_on_the_receipt(memory: Memory) -> None:
    """A chunk at whose limit the manager stopped is not called stored, and is not done again."""
    receipt, _ = ingest(memory, ["answered", "rounds", "refused"])
    again, asked = ingest(memory, [])

    reason = "the manager did not finish chunk 2 of 3 (rounds), chunk 3 of 3 (refused) of session 1"
    assert Receipt("partial", (Locator("S", 1, 1),), reason) == receipt == again
    assert [] == asked


def test_an_empty_session_needs_no_model(memory: Memory) -> None:
    """Nothing was said, so all of it is stored."""

    async def work(chunk: Unit, name: str) -> Transcript:
        raise AssertionError((chunk, name))

    assert Receipt("stored") == asyncio.run(ingest_chunks(memory, Session(1, ()), 10, work))


def test_snapshots_are_equal_for_equal_stores(memory: Memory) -> None:
    """A change and its reversal leave the snapshot as it was."""
    memory.store.create("/memories/a.md", "one")
    before = snapshot(memory.store)
    memory.store.write("/memories/a.md", "two")
    changed = snapshot(memory.store)
    memory.store.write("/memories/a.md", "one")

    assert {"/memories/a.md": b"one"} == before == snapshot(memory.store)
    assert {"/memories/a.md": b"two"} == changed
