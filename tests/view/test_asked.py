"""What a question names is found in the stream: steps by number, files by path, and nothing that is only alike."""

from __future__ import annotations

import pytest

from memkit.events.files import FileGraph
from memkit.locators import Locator
from memkit.records import Step
from memkit.terms import Analyzer
from memkit.view.asked import Asked, named_files, read_question
from memkit.view.entries import entries_of

FILES = {"/w/a.py": (), "/w/b/a.py": (), "/w/b/one.py": (), "/w/a.pyc": ()}
STEPS = [Step(Locator("step", 0, number), number, f"go {number}", "ok") for number in (2, 3, 5, 8, 13)]

TABLE = [
    ("When was /w/a.py made?", ["/w/a.py"], ["/w/a.py"]),
    ("Was it `/w/b/a.py`.", ["/w/b/a.py"], ["/w/b/a.py"]),
    ("What is in /w/a.pyc", ["/w/a.pyc"], ["/w/a.pyc"]),
    ("What is in /x/w/a.py or /w/a.py.bak?", [], []),
    ("Who made one.py?", [], ["/w/b/one.py"]),
    ("Who made b/one.py and b/a.py?", [], ["/w/b/one.py", "/w/b/a.py"]),
    ("Who made a.py?", [], []),
    ("Who made xone.py?", [], []),
]


@pytest.mark.parametrize(("question", "exactly", "by_name"), TABLE)
def test_named_files(question: str, exactly: list[str], by_name: list[str]) -> None:
    """A file is named by its exact path, or by what only its path ends with where that is allowed."""
    assert exactly == named_files(question, FILES, by_name=False)
    assert by_name == named_files(question, FILES, by_name=True)


def _asked(question: str) -> Asked:
    return read_question(question, entries_of(STEPS), FileGraph.of(STEPS), Analyzer(), by_name=True)


def test_positions_follow_the_numbers_of_the_log() -> None:
    """Step numbers with holes are found where they stand; one the log does not have names nothing."""
    asked = _asked("Between step 3 and step 8, and at step 4, who opened the boxes?")

    assert (1, 3) == asked.named
    assert {1, 2, 3} == asked.ranged
    assert (1, 2, 3) == asked.scope
    assert ("open", "box") == asked.terms


def test_a_named_step_is_in_scope() -> None:
    """A step that the question names belongs to it, within its bounds or not."""
    assert (0, 1, 2, 4) == _asked("Before step 5, what led to step 13?").scope
