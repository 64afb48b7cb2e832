"""Steps are read out of a gold only where it surely cites them, and counts only where it surely counts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import cited_steps, reference_load
from memkit.metrics.load import LONGEST_RANGE, stated_counts

CITED = {
    "At step 2.": (2,),
    "Steps 3, 5-8": (3, 5, 6, 7, 8),
    "step 5 and 7": (5, 7),
    "Turns 3–6, then": (3, 4, 5, 6),
    "(steps 6,7,10, and 12) failed": (6, 7, 10, 12),
    "earlier steps (2–7) built it": (2, 3, 4, 5, 6, 7),
    "steps 18 through 20": (18, 19, 20),
    "steps 71 to 74": (71, 72, 73, 74),
    "steps 16 vs 21 vs 22)": (16, 21, 22),
    "the schema at step 8/11 and step 2": (2, 8, 11),
    "step 16/17 show it": (16, 17),
    "the step-26 box": (26,),
    "Step #4": (4,),
    "steps 14 and 15 succeed": (14, 15),
    "True at Step 4, 6, 8 and 25. It": (4, 6, 8, 25),
    "Between step 6 and step 9": (6, 9),
    "steps 9-4": (4, 9),
    f"steps 1-{LONGEST_RANGE + 2}": (1, LONGEST_RANGE + 2),
}
NOT_CITED = {
    "step 5 and 3 rows": (5,),
    "at step 5, 9 items": (5,),
    "at step 3, 12.": (3,),
    "steps 3 and 5 files": (3,),
    "steps 2-4, 7 more files": (2, 3, 4),
    "changed at step 3 to 16": (3,),
    "step 15 (top 10 rows)": (15,),
    "after 10 steps 3 rows": (),
    "a tree was 1 step 4": (),
    "it did step 3 times": (),
    "turn 90 degrees, turn 90°": (),
    "step 3.5, step 20%, step 5th, step 9:30": (),
    "timestep 4, lockstep 7, a side-step 2": (),
    "all steps: 12": (),
    "in 12 steps": (),
}


@pytest.mark.parametrize(("text", "expected"), (CITED | NOT_CITED).items(), ids=str)
def test_cited(text: str, expected: tuple[int, ...]) -> None:
    """Lists and ranges are read; a number that counts something else is left."""
    assert expected == cited_steps(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'look' (54 times), 'go to sink 1' (22 times)", (54, 22)),
        ("three times, then twice and thrice", (3, 2, 3)),
        ("5 separate times, 12 consecutive times", (5, 12)),
        ("10 times faster, 3 times as many, 2.5 times, Sometimes, once", ()),
    ],
)
def test_counts(text: str, expected: tuple[int, ...]) -> None:
    """Times that something happened are counts; comparisons and fractions are not."""
    assert expected == stated_counts(text)


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        ("It looked 4 times (steps 2, 3).", 4),
        ("Twice: steps 1-5.", 5),
        ("7 times and 5 times", 12),
        ("In the fridge.", None),
        ("0 times", None),
        ("", None),
    ],
)
def test_load(gold: str, expected: int | None) -> None:
    """The larger of both counts; a gold with neither has no load."""
    assert expected == reference_load(gold)


items = st.tuples(st.integers(0, 999), st.integers(0, 40))


@given(st.lists(items, min_size=1, max_size=6), st.sampled_from(["steps", "turns", "Steps"]), st.sampled_from("-–"))
def test_every_list_is_read(drawn: list[tuple[int, int]], word: str, dash: str) -> None:
    """Whatever is written as a list of steps and ranges comes back whole, and nothing else."""
    written = [str(low) if not more else f"{low}{dash}{low + more}" for low, more in drawn]
    listed = written[0] if len(written) == 1 else f"{', '.join(written[:-1])} and {written[-1]}"
    expected = {step for low, more in drawn for step in range(low, low + more + 1)}

    assert tuple(sorted(expected)) == cited_steps(f"Seen at {word} {listed}. There were 7 rows.")


WORDS = ["step", "steps", "turn", "turns", "Step", "and", "or", "to", ",", "-", "–", "/", "(", ")", "."]
WORDS += ["3", "5", "12", "90", "2024", "times", "rows", "x", "twice", "#", "%", "ten"]


@given(st.lists(st.sampled_from(WORDS), max_size=25), st.sampled_from(["", " "]))
def test_only_numbers_of_the_text(parts: list[str], between: str) -> None:
    """However mixed up a text is, a step is a number of it or lies between two, and no count exceeds the sum."""
    text = between.join(parts)
    numbers = [int(number) for number in re.findall(r"[0-9]+", text)]

    for step in cited_steps(text):
        assert step in numbers or min(numbers) < step < max(numbers)
    assert sum(stated_counts(text)) <= sum(numbers) + 20 * len(parts)


@given(st.text())
def test_any_text(text: str) -> None:
    """No text is refused, and one without the words has no steps."""
    cited = cited_steps(text)

    assert not cited or re.search("step|turn", text, re.IGNORECASE)
