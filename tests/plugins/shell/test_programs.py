"""A model's program runs in the sandbox over the whole log, is mended once, and what it prints goes to the reader."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memkit import Answer, Locator, Memory, Question, Step, build_memory, build_registry
from memkit.testing.scripted import USAGE, ScriptedModel
from memkit_plugins.event_ledger.builder import Ledger
from memkit_plugins.shell import code
from memkit_plugins.shell.caps import Caps
from memkit_plugins.shell.programs import CodeSearcher, read_program

OFTEN = Question("often", "How many times was drawer 1 opened?")
COUNT = "from data import rows, steps\nfound = [s['step'] for s in steps if s['action'] == 'open drawer 1']\n"
PRINT = 'print(f"opened {len(found)} times at {found} of {len(rows)}")'


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A run of four steps, of which one observation is large."""
    memory = Memory.create(tmp_path / "m", builder="ledger", plugin="tests 1", layout="ledger")
    told = ("go to drawer 1", "open drawer 1", "look", "open drawer 1")
    steps = [Step(Locator("step", 0, n), n, action, "x" * (n == 2) * 600_000) for n, action in enumerate(told)]
    asyncio.run(build_memory(memory, Ledger(), steps))
    return memory


def asked(memory: Memory, *replies: str) -> tuple[Answer, ScriptedModel]:
    """The answer of a searcher whose model says these."""
    model = ScriptedModel(list(replies))
    searcher = code(model)
    searcher.caps = Caps(cpu_seconds=1)
    return asyncio.run(searcher.answer(memory, OFTEN)), model


def block(program: str) -> str:
    """The program as a reply gives it."""
    return f"Here it is:\n```python\n{program}\n```\n"


@pytest.mark.usefixtures("sandboxed")
def test_output_reaches_the_reader(memory: Memory) -> None:
    """The program sees every step and row; what it prints stands beside the view."""
    answer, model = asked(memory, block(COUNT + PRINT), "Twice.")
    assert ("Twice.", (USAGE, USAGE)) == (answer.text, answer.effort.model_calls)
    assert "<computed>\nopened 2 times at [1, 3] of 4\n</computed>" in model.requests[1].messages[1].content
    assert 0.0 == model.requests[0].temperature


@pytest.mark.usefixtures("sandboxed")
def test_one_repair(memory: Memory) -> None:
    """A program that fails is sent back with what it printed, once; the second failure computes nothing."""
    answer, model = asked(memory, block("print(nothing)"), block(COUNT + PRINT), "Twice.")
    assert "NameError: name 'nothing' is not defined" in model.requests[1].messages[-1].content
    assert "opened 2 times" in model.requests[2].messages[1].content
    answer, model = asked(memory, block("1/0"), block("print()"), "I cannot say.")
    assert ("I cannot say.", 3) == (answer.text, len(answer.effort.model_calls))
    assert "<computed>" not in model.requests[2].messages[1].content


@pytest.mark.usefixtures("sandboxed")
@pytest.mark.parametrize(
    "program",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
        "open('/etc/passwd').read()",
        "open('/memories/new', 'w')",
        "while True: pass",
    ],
)
def test_a_program_reaches_nothing(memory: Memory, program: str) -> None:
    """No network, no file of the host, nothing written, no end of its own: it fails like any other."""
    answer, model = asked(memory, block(program), "not applicable", "So.")
    assert "[exit code " in model.requests[1].messages[-1].content
    assert "So." == answer.text


def test_no_program(memory: Memory) -> None:
    """Where none is written nothing runs, and the question is answered from the view alone."""
    model = ScriptedModel(["not applicable", "So."])
    searcher = CodeSearcher(model, None)  # type: ignore[arg-type] - no box is needed
    answer = asyncio.run(searcher.answer(memory, OFTEN))
    assert ("So.", 2) == (answer.text, len(answer.effort.model_calls))


@pytest.mark.parametrize(
    ("reply", "program"),
    [
        (block("print(1)"), "print(1)"),
        ("```\nprint(1)\n```", "print(1)"),
        ("from data import rows\nprint(1)", "from data import rows\nprint(1)"),
        ("not applicable", None),
        ("", None),
    ],
)
def test_reading_a_reply(reply: str, program: str | None) -> None:
    """The first block counts, or a reply that is a program."""
    assert program == read_program(reply)


@pytest.mark.usefixtures("sandboxed")
def test_the_level_is_recorded() -> None:
    """A comparison records what protects from the programs."""
    registry = build_registry()
    model = registry.make("model", "memkit/extractive")
    assert "A" == registry.make("searcher", "code", model=model).level
