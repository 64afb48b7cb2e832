"""What a search finds, and what a passage is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memkit.locators import Locator, find_locators
from memkit.metrics.reach import Reach, archived_passages, passages_of
from memkit.store.lines import split_lines
from memkit.testing.samples import CHAT, RUN
from memkit.testing.strategies import texts

ONE, TWO, THREE = (Locator("S", 1, turn) for turn in (1, 2, 3))
NOTES = """---
name: trips
---
# Trips
- Ana bought a kite. [S1T1]
- Bo sailed.
  [S1T2] to Porto
## Costs
forty euros [S1T1] [S1T3]
"""


def test_passages() -> None:
    """A heading begins a passage, and so does a line with a locator after another."""
    found = [(one.first, one.last, one.locators) for one in passages_of({"/memories/trips.md": NOTES})]
    assert [(1, 3, ()), (4, 6, (ONE,)), (7, 7, (TWO,)), (8, 9, (ONE, THREE))] == found


@given(st.lists(st.sampled_from(["# A", "x [S1T1]", "[S1T2] y [S1T3]", "", "z"]) | texts(), max_size=12))
def test_passages_cover_a_file(lines: list[str]) -> None:
    """Every line is in one passage, in order, and no locator is lost."""
    text = "\n".join(lines)
    passages = passages_of({"/memories/a.md": text})
    whole = [line for one in passages for line in one.text.split("\n")]
    assert split_lines(text) == (whole if passages else [])
    assert set(find_locators(text)) >= {place for one in passages for place in one.locators}
    assert [one.first for one in passages][1:] == [one.last + 1 for one in passages][:-1]


def test_ranks() -> None:
    """The best passage with a locator counts; a place that shares no term with the question has no rank."""
    reach = Reach(passages_of({"/memories/trips.md": NOTES}))
    assert {ONE: 1, TWO: 2} == reach.ranks("Who bought the kite, and who sailed to Porto?", [ONE, TWO, THREE])
    assert {ONE: 1, THREE: 1} == reach.ranks("How many euros?", [ONE, THREE])
    assert {} == reach.ranks("the", [ONE])
    assert [8, 9] == [reach.holding(THREE)[0].first, reach.holding(THREE)[0].last]
    assert () == reach.holding(Locator("S", 9, 9))


def test_the_archive_is_searched_where_there_is_no_store() -> None:
    """Each turn or step is a passage; what was said, done and observed is searched."""
    chat, run = Reach(archived_passages(CHAT.units)), Reach(archived_passages(RUN.units))
    dog, towel = Locator("S", 2, 1), Locator("step", 0, 0)
    assert {dog: 1} == chat.ranks("Who adopted a dog?", [dog])
    assert {towel: 1} == run.ranks("Where is the towel?", [towel])
