"""The long context is the beginning and the end of the stream, within its budget, whatever is asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memkit.locators import Locator
from memkit.records import Conversation, Step
from memkit.testing.strategies import conversations
from memkit.tokens import count_tokens
from memkit.view.contexts import OMITTED, long_context

STEPS = [
    Step(Locator("step", 0, number), number, f"go {number}", f"You see {number}.\n" + "And a line of it.\n" * 9)
    for number in range(100)
]


def test_keeps_the_beginning_and_the_end() -> None:
    """About 70 % of the steps shown are from the beginning, 30 % from the end, with one gap between."""
    view = long_context(STEPS, 2000)

    shown = [locator.index for locator in view.whole]
    head = [step for step in shown if step < 50]
    assert 1 == view.text.count(OMITTED)
    assert list(range(len(head))) == head
    assert list(range(100 - len(shown) + len(head), 100)) == shown[len(head) :]
    assert 0.6 < len(head) / len(shown) < 0.8


def test_the_step_at_the_gap_is_shown_in_part() -> None:
    """Cut at a line break, it is shown and not whole; its span says how far."""
    view = long_context(STEPS, 2000)

    cut = [span for span in view.shown if span.locator not in view.whole and span.field == "observation"]
    assert cut
    for span in cut:
        shown = STEPS[span.locator.index].observation[span.start : span.end]
        assert shown in view.text
        assert 0 < len(shown) < len(STEPS[span.locator.index].observation)


@given(conversations(), st.integers(0, 300))
def test_keeps_to_the_budget(conversation: Conversation, budget: int) -> None:
    """The record's count is exact and within the budget, and every span is in the text, in order."""
    view = long_context(conversation.units, budget)

    turns = {turn.locator: turn for session in conversation.sessions for turn in session.turns}
    assert count_tokens(view.text) == view.tokens <= budget
    at = 0
    for span in view.shown:
        shown = getattr(turns[span.locator], span.field)[span.start : span.end]
        at = view.text.find(shown, at)
        assert at >= 0
        at += len(shown)
