"""The ledger builders make a row of every step, and an annotation is asked for once."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from memkit import Locator, Memory, Step, TransientModelError, build_memory, load_rows, managed_steps
from memkit.testing.samples import CHAT
from memkit.testing.scripted import Reply, ScriptedModel
from memkit_plugins.event_ledger.annotator import LOG, _short
from memkit_plugins.event_ledger.builder import AnnotatedLedger, Ledger


def steps(count: int) -> list[Step]:
    """Steps of a tool that the program knows no receipts of."""
    return [Step(Locator("step", 0, n), n, f"press button {n}", f"The lamp {n} lights up.") for n in range(count)]


def said(*numbers: int) -> str:
    """A reply about those steps."""
    rows = [
        {
            "step": n,
            "act": "press",
            "outcome": "success",
            "quote": f"lamp {n} lights",
            "changes": {f"lamp {n}.state": "lit"},
        }
        for n in numbers
    ]
    return json.dumps({"rows": rows})


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return Memory.create(tmp_path / "m", builder="ledger", plugin="tests 1", layout="ledger")


def test_rows_are_the_steps(memory: Memory) -> None:
    """One row a step, in order, and no file in the store."""
    asyncio.run(build_memory(memory, Ledger(), steps(5)))
    assert ([0, 1, 2, 3, 4], []) == ([row.step for row in load_rows(memory.path)], memory.store.paths())


def test_turns_are_events(memory: Memory) -> None:
    """A conversation gives a row a turn: the speaker its tool."""
    asyncio.run(build_memory(memory, Ledger(), CHAT.units))
    turns = [turn for session in CHAT.sessions for turn in session.turns]
    assert [(turn.speaker, str(turn.locator)) for turn in turns] == [
        (row.tool, row.locator) for row in load_rows(memory.path)
    ]


def annotate(memory: Memory, model: ScriptedModel, count: int) -> list[tuple[int, str, str]]:
    """Build with a chunk of one or two steps; (step, outcome, by) of each row."""
    asyncio.run(build_memory(memory, AnnotatedLedger(model, chunk_tokens=60), steps(count)))
    return [(row.step, row.outcome, row.by) for row in load_rows(memory.path)]


def test_annotations(memory: Memory) -> None:
    """Steps go to the model in chunks, no question with them; what it bears out is in the rows, the rest unknown."""
    model = ScriptedModel([said(0, 1), "I would rather not."])
    assert [
        (0, "success", "model"),
        (1, "success", "model"),
        (2, "unknown", "program"),
        (3, "unknown", "program"),
    ] == annotate(memory, model, 4)
    assert ["manage", "manage"] == [request.role for request in model.requests]
    assert ["steps 0 to 1", "steps 2 to 3"] == [step.name for step in managed_steps(memory)]


def test_a_build_that_was_cut_short_goes_on(memory: Memory) -> None:
    """Chunks that were answered are not asked about again, nor after more steps have come."""
    script: list[Reply] = [said(0, 1), TransientModelError("busy")]
    with pytest.raises(TransientModelError):
        annotate(memory, ScriptedModel(script), 4)
    model = ScriptedModel([said(2, 3)])
    assert ["success"] * 4 == [outcome for _, outcome, _ in annotate(memory, model, 4)]
    model.script.append(said(4))
    assert ["success"] * 5 == [outcome for _, outcome, _ in annotate(memory, model, 5)]
    assert 3 == len((memory.path / LOG).read_text().splitlines())


def test_a_torn_reply_is_asked_for_again(memory: Memory) -> None:
    """Half a line in the log of replies is a reply that was not had."""
    annotate(memory, ScriptedModel([said(0, 1)]), 2)
    with (memory.path / LOG).open("a") as log:
        log.write('{"first": 2, "la')
    model = ScriptedModel([said(2)])
    assert ["success"] * 3 == [outcome for _, outcome, _ in annotate(memory, model, 3)]


def test_long_fields_are_shown_at_both_ends() -> None:
    """An outcome is told first or last; the mark says how much is between."""
    shown = _short("a" * 2_000 + "b" * 2_000)
    assert "a" * 1_200 + " [... 2,400 characters ...] " + "b" * 400 == shown
