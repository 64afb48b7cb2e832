"""The steps and bounds that a question names are read as the documentation says, in every wording."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.events.references import (
    Reference,
    StepScope,
    find_references,
    named_steps,
    read_scope,
    without_references,
)

STEPS = range(100)
NONE = StepScope()

BOUNDS = [
    ("until step 49", None, 49),
    ("through step 9", None, 9),
    ("by step 25, how many", None, 25),
    ("by the end of step 25", None, 25),
    ("up to step 30", None, 30),
    ("up to and including step 30", None, 30),
    ("no later than step 30", None, 30),
    ("as of turn 30", None, 30),
    ("before step 78", None, 77),
    ("prior to turn 5", None, 4),
    ("after step 3", 4, None),
    ("following step 3", 4, None),
    ("from step 13, what", 13, None),
    ("since step 4", 4, None),
    ("starting at step 4", 4, None),
    ("step 9 onwards", 9, None),
    ("after step 3 and before step 9", 4, 8),
    ("between step 6 and step 9", 6, 9),
    ("between steps 6 and 9", 6, 9),
    ("between step 6 and 9", 6, 9),
    ("Between turn 6 [12] and turn 9", 6, 9),
    ("strictly between step 6 and step 9", 7, 8),
    ("between steps 6 and 9 (exclusive)", 7, 8),
    ("from step 1 to step 7", 1, 7),
    ("From step 1 to 7", 1, 7),
    ("from step 1 through 7", 1, 7),
    ("from step 9 to step 3", 3, 9),
    ("steps 20-40", 20, 40),
    ("Across steps 14–20", 14, 20),
    ("in steps 14 — 20", 14, 20),
    ("the 7 turns (3-9) that", 3, 9),
    ("in steps 3-5 and 8-9", 3, 9),
    ("in the first 20 steps", 0, 19),
    ("the first ten turns", 0, 9),
    ("last 5 steps", 95, 99),
    ("the final three steps", 97, 99),
    ("the last 500 steps", 0, 99),
]

POINTS = [
    ("at step 14?", (14,)),
    ("In step #14", (14,)),
    ("turn index 5", (5,)),
    ("in steps 3, 5, and 9", (3, 5, 9)),
    ("both step 4 and step 8", (4, 8)),
    ("at step 5, 3 apples", (5,)),
    ("from turn 5's observation", (5,)),
    ("step 10 (id [7])", (10,)),
]

NOTHING = ["what happened", "a 9-step chain (2-10 steps)", "step 2.5", "step-by-step 5", "5 steps to the left", ""]


@pytest.mark.parametrize(("question", "low", "high"), BOUNDS)
def test_bounds(question: str, low: int | None, high: int | None) -> None:
    """Each wording has its bounds, both included, whether or not single steps count."""
    expected = StepScope(low, high)

    assert expected == read_scope(question, STEPS) == read_scope(question, STEPS, points=False)


@pytest.mark.parametrize(("question", "steps"), POINTS)
def test_single_steps(question: str, steps: tuple[int, ...]) -> None:
    """Single steps are named and span the scope, and are no bounds where they do not count."""
    assert steps == named_steps(question)
    assert StepScope(min(steps), max(steps)) == read_scope(question, STEPS)
    assert NONE == read_scope(question, STEPS, points=False)


@pytest.mark.parametrize("question", NOTHING)
def test_no_reference(question: str) -> None:
    """A number beside the word step is not always one of a step."""
    assert () == find_references(question)
    assert NONE == read_scope(question, STEPS)
    assert question == without_references(question)


def test_bounds_win_over_single_steps() -> None:
    """With a bound in the question, a single step elsewhere changes nothing."""
    assert StepScope(None, 49) == read_scope("Until step 49, what did step 60 mention?", STEPS)


def test_a_range_names_its_ends() -> None:
    """Named are the numbers that are written, each once and in order."""
    assert (20, 40, 7) == named_steps("steps 20-40, then step 7, then step 20")


def test_bounds_that_exclude_all_are_none() -> None:
    """What no step can meet does not empty the scope."""
    assert NONE == read_scope("after step 9 and before step 5", STEPS)


def test_first_steps_count_on_the_log() -> None:
    """`first` and `last` count the steps the log has, whatever their numbers."""
    log = [3, 7, 8, 20, 21]

    assert StepScope(3, 7) == read_scope("the first 2 steps", log)
    assert StepScope(20, 21) == read_scope("the last 2 steps", log)
    assert NONE == read_scope("the last 2 steps", [])


def test_references_say_where_they_stand() -> None:
    """A reference holds the characters of its phrase, lead included."""
    question = "What happened before step 9?"

    (reference,) = find_references(question)

    assert Reference("until", None, 8, 14, 27) == reference
    assert "before step 9" == question[reference.start : reference.end]


def test_without_references() -> None:
    """Their words match no term."""
    assert "What is at  ?" == without_references("What is at step 14?")
    assert "In the  , how" == without_references("In the first 20 steps, how")


@given(st.text("step turn 0123456789,-–()[]#' betwfromuilaxcv.", max_size=60))
def test_any_question_is_read(question: str) -> None:
    """Nothing raises, and what remains without the references names no step."""
    named = named_steps(question)

    assert bool(named) == any(reference.kind not in {"first", "last"} for reference in find_references(question))
    assert read_scope(question, STEPS).low is None or find_references(question)


@given(st.integers(0, 99), st.integers(0, 99))
def test_scope_holds_its_ends(one: int, other: int) -> None:
    """A range holds both its ends and nothing beyond them, in either order."""
    scope = read_scope(f"steps {one}-{other}", STEPS)
    low, high = sorted((one, other))

    assert list(range(low, high + 1)) == [step for step in STEPS if step in scope]
