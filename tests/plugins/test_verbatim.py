from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.build import build
from memkit.locators import Locator
from memkit.memory import Memory
from memkit.records import Receipt, Session, Step, Turn, Unit
from memkit.registry import Registry
from memkit.store.frontmatter import parse
from memkit_plugins.verbatim import memkit_register
from memkit_plugins.verbatim.builder import Verbatim


def session(number: int, *texts: str, time: str | None = "2024-05-08") -> Session:
    """A session of Ana and Bo in turns."""
    turns = (
        Turn(Locator("S", number, place), ("Ana", "Bo")[place % 2], text) for place, text in enumerate(texts, start=1)
    )
    return Session(number, tuple(turns), time)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty memory."""
    return Memory.create(tmp_path / "memory", builder="verbatim", plugin="agent-memkit 0", layout="flat")


def ingest(memory: Memory, *units: Unit) -> list[Receipt]:
    """Build from the units; their receipts."""
    receipts: list[Receipt] = []
    asyncio.run(build(memory, Verbatim(), units, on_receipt=lambda _, receipt: receipts.append(receipt)))
    return receipts


def test_one_file_a_session(memory: Memory) -> None:
    """The file holds the turns as they were said, under number, date and speakers."""
    (receipt,) = ingest(memory, session(3, "Hi!", "Hello."))

    assert Receipt("stored", (Locator("S", 3, 1), Locator("S", 3, 2))) == receipt
    assert (
        "---\n"
        "name: session_03\n"
        'description: "Session 3, 2024-05-08: Bo, Ana"\n'
        "---\n"
        "\n"
        "Session 3, 2024-05-08\n"
        "\n"
        "[S3T1] Bo: Hi!\n"
        "[S3T2] Ana: Hello.\n"
    ) == memory.store.read("/memories/session_03.md")


def test_one_file_a_step(memory: Memory) -> None:
    """A step of a trajectory has a file too."""
    ingest(memory, Step(Locator("step", 0, 14), 14, "open the door", "It is locked."))

    text = memory.store.read("/memories/step_0014.md")
    assert text.endswith("\n[step 14] open the door\nIt is locked.\n")
    front = parse(text)
    assert front is not None
    assert ("step_0014", "Step 14") == (front.name, front.description)


def test_a_session_in_which_nobody_speaks(memory: Memory) -> None:
    """An empty session is a file that says which it is."""
    ingest(memory, session(1, time=None))

    front = parse(memory.store.read("/memories/session_01.md"))
    assert front is not None
    assert "Session 1" == front.description


def test_again_is_the_same(memory: Memory) -> None:
    """A unit handed over again after a crash leaves the store as it was."""
    unit = session(1, "Hi!")
    ingest(memory, unit)
    before = memory.store.read("/memories/session_01.md")
    asyncio.run(Verbatim().ingest(memory, unit))

    assert (before, ["/memories/session_01.md"]) == (
        memory.store.read("/memories/session_01.md"),
        memory.store.paths(),
    )


@given(st.lists(st.text(max_size=40), max_size=5), st.text(max_size=20))
def test_any_text_is_stored(tmp_path_factory: pytest.TempPathFactory, texts: list[str], speaker: str) -> None:
    """Whatever was said, by whoever, is in the file, and the file has a head that can be read."""
    path = tmp_path_factory.mktemp("memory") / "memory"
    memory = Memory.create(path, builder="verbatim", plugin="agent-memkit 0", layout="flat")
    turns = tuple(Turn(Locator("S", 1, place), speaker, text) for place, text in enumerate(texts, start=1))
    ingest(memory, Session(1, turns))

    stored = memory.store.read("/memories/session_01.md")
    assert all(f"{turn.locator} {speaker}: {turn.text}".replace("\0", "\ufffd") in stored for turn in turns)
    assert parse(stored) is not None


def test_characters_no_file_can_hold(memory: Memory) -> None:
    """A NUL or a lone surrogate costs that character alone, and the receipt says so."""
    receipts = ingest(memory, session(1, "a\0b", "c\ud800d"), session(2, "\ufffd"))

    reason = "session 1 has characters that no text file can hold; U+FFFD stands for them in the store"
    assert [("partial", reason), ("stored", "")] == [(receipt.status, receipt.reason) for receipt in receipts]
    assert memory.store.read("/memories/session_01.md").endswith("[S1T1] Bo: a\ufffdb\n[S1T2] Ana: c\ufffdd\n")


def test_registration() -> None:
    """The builder is made by name; it takes no options."""
    registry = Registry()
    memkit_register(registry)

    assert isinstance(registry.make("builder", "verbatim"), Verbatim)
