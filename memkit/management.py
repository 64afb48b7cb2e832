"""What builders that use a model share: chunks of a stream, the prompt's word on its locators, and the step log.

`management.jsonl` in the memory directory has a line for each finished loop of the management role, in order. A
step in it is not done again after a crash, and what a build took is read from it.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

from attrs import evolve, frozen

from memkit.archive import append_durably, unit_name
from memkit.converter import make_converter
from memkit.errors import DataError
from memkit.locators import Kind
from memkit.memory import Memory
from memkit.prompts import compose
from memkit.records import Effort, End, Receipt, Session, Turn, Unit
from memkit.runtime.loop import Transcript
from memkit.store.faults import faults
from memkit.store.files import ROOT, Store
from memkit.store.frontmatter import render
from memkit.tokens import count_tokens
from memkit.transcript import render_turn, render_unit, session_title

LOG_NAME = "management.jsonl"
CHUNK_TOKENS = 4_000
"""Tokens of a chunk that a manager takes in at a time. The paper's figure did not survive; this holds most sessions."""
SOURCES: dict[Kind, str] = {
    "S": "blocks/source-s",
    "B": "blocks/source-b",
    "M": "blocks/source-m",
    "step": "blocks/source-step",
}

Work: TypeAlias = Callable[[Unit, str], Awaitable[Transcript]]
"""Runs the loop for a chunk, which is given with its name within the stream."""


@frozen
class ManagedStep:
    """A finished loop of the management role. `dropped` counts the tokens of tool results left out on the way,
    `prompt` is the SHA-256 of the system prompt; the locators served are not kept.
    """

    name: str
    end: End
    prompt: str
    effort: Effort
    dropped: int = 0


def record_step(memory: Memory, name: str, done: Transcript) -> None:
    """Log a step once what it made is in the store. Raises StoreError when the disk refuses."""
    step = ManagedStep(
        name,
        done.end,
        sha256(done.messages[0].content.encode("utf-8", "replace")).hexdigest(),
        evolve(done.effort, served=()),
        sum(dropped.tokens for dropped in done.dropped),
    )
    line = json.dumps(_converter.unstructure(step), separators=(",", ":")) + "\n"
    with memory.lock, faults("the step log"):
        append_durably(memory.path / LOG_NAME, line.encode())


def managed_steps(memory: Memory) -> tuple[ManagedStep, ...]:
    """Every logged step in order; none for a builder without a model. Raises DataError naming a damaged line."""
    return tuple(_converter.structure(data, ManagedStep) for data in _log(memory))


def step_ends(memory: Memory) -> dict[str, End]:
    """How each logged step ended, by its name."""
    return {data["name"]: data["end"] for data in _log(memory)}


async def ingest_chunks(memory: Memory, unit: Unit, chunk_tokens: int, work: Work) -> Receipt:
    """Have `work` done for each chunk of the unit that is not logged yet; the receipt says which did not end well."""
    chunks, known = split_unit(unit, chunk_tokens), step_ends(memory)
    ends: list[End] = []
    for number, chunk in enumerate(chunks, 1):
        name = f"{unit_name(unit)}, chunk {number} of {len(chunks)}"
        if name not in known:
            done = await work(chunk, name)
            record_step(memory, name, done)
            known[name] = done.end
        ends.append(known[name])
    stored = [place for chunk, end in zip(chunks, ends, strict=True) if end == "answered" for place in chunk.locators]
    unfinished = ", ".join(f"chunk {n} of {len(ends)} ({end})" for n, end in enumerate(ends, 1) if end != "answered")
    if not unfinished:
        return Receipt("stored", tuple(stored))
    return Receipt("partial", tuple(stored), f"the manager did not finish {unfinished} of {unit_name(unit)}")


def split_unit(unit: Unit, target_tokens: int) -> tuple[Unit, ...]:
    """The chunk rule: whole turns of a session packed up to `target_tokens`; a longer turn, or a step, is a chunk."""
    if not isinstance(unit, Session):
        return (unit,)
    packed: list[list[Turn]] = []
    room = 0
    for turn in unit.turns:
        size = count_tokens(render_turn(turn))
        if not packed or size > room:
            packed.append([])
            room = target_tokens
        packed[-1].append(turn)
        room -= size
    return tuple(evolve(unit, turns=tuple(turns)) for turns in packed)


def source_guide(unit: Unit) -> str:
    """The section of a prompt that says how the locators of this unit are written and kept."""
    places = unit.locators
    return compose(SOURCES[places[0].kind if places else "S"]).text


def store_transcript(memory: Memory, unit: Unit) -> Receipt:
    """Write the unit word for word as a file at the root, described by number, date and speakers alone.

    Written again, it is the same file.
    """
    if isinstance(unit, Session):
        stem, speakers = f"session_{unit.number:02d}", ", ".join(unit.speakers)
        description = session_title(unit) + (f": {speakers}" if speakers else "")
    else:
        stem, description = f"step_{unit.index:04d}", f"Step {unit.index}"
    memory.store.write(f"{ROOT}/{stem}.md", f"{render(stem, description)}\n{render_unit(unit)}")
    return Receipt("stored", unit.locators)


def snapshot(store: Store) -> dict[str, bytes]:
    """The content of every file by its path: equal for equal stores."""
    return {path: store.load(path, signature) for path, signature in store.scan().items()}


def _log(memory: Memory) -> Iterator[dict[str, Any]]:
    path = memory.path / LOG_NAME
    lines: Sequence[bytes] = path.read_bytes().split(b"\n")[:-1] if path.exists() else ()
    for number, line in enumerate(lines, 1):
        try:
            data: dict[str, Any] = json.loads(line)
        except ValueError:
            raise DataError("this record is damaged; restore it from a copy", where=f"{LOG_NAME}:{number}") from None
        yield data


_converter = make_converter()
