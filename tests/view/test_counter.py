"""The paper's fixed counter fires on its keyword alone and counts within the bounds."""

from __future__ import annotations

from memkit.locators import Locator
from memkit.records import Session, Step, Turn
from memkit.view.reading import read_view

ACTIONS = ("go to shelf 1", "look", "go to shelf 2", "take mug 1 from shelf 2", "go to sink 1", "look")
STEPS = [Step(Locator("step", 0, number), number, action, "ok") for number, action in enumerate(ACTIONS)]


def test_counts_by_tool() -> None:
    """The counts of every tool stand at the end of the view, the most frequent first."""
    view = read_view(STEPS, "How many times did it look?", counter=True)

    assert view.text.endswith("Actions counted by program, step 0 to step 5: go 3, look 2, take 1\n")


def test_counts_within_the_bounds() -> None:
    """Bounds of the question bound the count."""
    view = read_view(STEPS, "Up to and including step 2, how many times did it go?", counter=True, as_published=True)

    assert view.text.endswith("Actions counted by program, step 0 to step 2: go 2, look 1\n")


def test_another_wording_does_not_fire() -> None:
    """`how often` asks the same and gets no count; nor does a view without the switch."""
    assert "counted" not in read_view(STEPS, "How often did it look?", counter=True).text
    assert "counted" not in read_view(STEPS, "How many times did it look?").text


def test_counts_what_each_speaker_said() -> None:
    """In a conversation the speakers are counted."""
    turns = tuple(Turn(Locator("S", 1, number), "AB"[number % 2], "hi") for number in range(1, 4))

    view = read_view([Session(1, turns)], "How many times did B speak?", counter=True)

    assert view.text.endswith("Actions counted by program, S1T1 to S1T3: B 2, A 1\n")
