"""Asking a model what each step did, a chunk of steps at a time (ledger paper, section 5 and appendix C)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from memkit import (
    Annotation,
    Limits,
    Memory,
    Message,
    Model,
    Step,
    append_durably,
    compose,
    count_tokens,
    read_annotations,
    record_step,
    run_loop,
)

ANNOTATION_TOKENS = 6_000
"""Tokens of a chunk. The paper has 42,000 tokens in 5.5 calls a trajectory: 7,600 a call, prompt and reply included."""
ANNOTATION_STEPS = 40
"""Steps of a chunk at most, so that a record of each fits the reply."""
HEAD_CHARACTERS, TAIL_CHARACTERS = 1_200, 400
"""What is shown of a longer field: an outcome is told at its beginning or its end."""
LOG = "ledger/annotations.jsonl"
"""The replies, a line each with the steps they are about: kept, so that no chunk is asked about twice."""


async def annotations_of(
    memory: Memory, model: Model, steps: Mapping[int, Step], chunk_tokens: int, limits: Limits
) -> list[Annotation]:
    """What the model says of the steps, asked where it was not asked yet.

    A reply that was refused or empty is kept as it is: its steps stay as the program read them. Raises ModelError.
    """
    replies = _held(memory)
    asked = {number for first, last, _ in replies for number in steps if first <= number <= last}
    for chunk in _chunks([step for number, step in steps.items() if number not in asked], chunk_tokens):
        first, last = chunk[0].index, chunk[-1].index
        numbers = ", ".join(str(step.index) for step in chunk)
        ask = compose("roles/ask-annotate", context="\n".join(map(_shown, chunk)), steps=numbers)
        messages = (Message("system", compose("roles/annotate").text), Message("user", ask.text))
        done = await run_loop(model, messages, (), role="manage", limits=limits)
        line = json.dumps({"first": first, "last": last, "reply": done.text}) + "\n"
        with memory.lock:
            append_durably(memory.path / LOG, line.encode())
        record_step(memory, f"steps {first} to {last}", done)
        replies.append((first, last, done.text))
    return [annotation for _, _, reply in replies for annotation in read_annotations(reply)]


def _held(memory: Memory) -> list[tuple[int, int, str]]:
    path = memory.path / LOG
    if not path.exists():
        return []
    # A last line that a crash cut short is a reply that was not had.
    whole = path.read_bytes().rpartition(b"\n")[0]
    records = [json.loads(line) for line in whole.split(b"\n") if line]
    return [(record["first"], record["last"], record["reply"]) for record in records]


def _chunks(steps: Sequence[Step], tokens: int) -> Iterator[list[Step]]:
    chunk: list[Step] = []
    room = tokens
    for step in steps:
        size = count_tokens(_shown(step))
        if chunk and (size > room or len(chunk) == ANNOTATION_STEPS):
            yield chunk
            chunk, room = [], tokens
        chunk.append(step)
        room -= size
    if chunk:
        yield chunk


def _shown(step: Step) -> str:
    return f"{step.locator} action: {_short(step.action)}\nobservation: {_short(step.observation)}"


def _short(text: str) -> str:
    left = len(text) - HEAD_CHARACTERS - TAIL_CHARACTERS
    if left <= 0:
        return text
    return f"{text[:HEAD_CHARACTERS]} [... {left:,} characters ...] {text[-TAIL_CHARACTERS:]}"
