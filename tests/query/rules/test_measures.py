from __future__ import annotations

import pytest

from memkit.query.plan import Bound
from memkit.query.rules.measures import Measure, read_measures
from memkit.query.rules.wording import read_clause

NUMBERS = ("exit_code", "seconds", "failed")


@pytest.mark.parametrize(
    ("text", "name", "comparison", "value"),
    [
        ("how many commands had a non-zero exit code", "exit_code", "!=", 0),
        ("how many returned a nonzero exit status", "exit_code", "!=", 0),
        ("how many exited with code 2", "exit_code", "=", 2),
        ("an exit code other than 0", "exit_code", "!=", 0),
        ("an exit code greater than 1", "exit_code", ">", 1),
        ("an exit code of at least 2", "exit_code", ">=", 2),
        ("a zero exit code", "exit_code", "=", 0),
        ("with a duration of more than 2.5 seconds", "seconds", ">", 2.5),
        ("a duration below 10", "seconds", "<", 10),
    ],
)
def test_bounds(text: str, name: str, comparison: str, value: float) -> None:
    """A number that is compared becomes a bound, under whatever name the question gives it."""
    assert (Measure(name, None, (Bound(name, comparison, value),)),) == read_measures(read_clause(text), NUMBERS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the total duration", "sum"),
        ("the average duration of tests", "mean"),
        ("the longest command", "max"),
        ("the lowest exit code", "min"),
        ("how long did it take", "sum"),
    ],
)
def test_aggregates(text: str, expected: str) -> None:
    """A number that is not compared is computed over."""
    assert [expected] == [measure.operation for measure in read_measures(read_clause(text), NUMBERS)]


@pytest.mark.parametrize("text", ["how many edits failed", "how often was 'exit code 1' printed", "how many drawers"])
def test_no_measure(text: str) -> None:
    """Words that only look like a number's name, and names that are quoted, are none."""
    assert () == read_measures(read_clause(text), NUMBERS)
