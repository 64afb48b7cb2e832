from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from memkit.locators import Locator
from memkit.records import Answer, Finding, Question, Verdict
from memkit.registry import Registry
from memkit_plugins.event_set import EventSet, memkit_register
from memkit_plugins.event_set.values import same_value, stated_format


def steps(*numbers: int) -> tuple[Locator, ...]:
    """The locators of steps."""
    return tuple(Locator("step", 0, number) for number in numbers)


def judged(question: Question, answer: Answer) -> Verdict:
    """The verdict on `answer`."""
    return asyncio.run(EventSet().judge(question, answer, None))


def events(*findings: Finding, marked: tuple[int, ...] = (1, 2, 3)) -> Mapping[str, float]:
    """The scores of an answer with these findings."""
    return judged(Question("q", "?", evidence=steps(*marked)), Answer("", findings=findings)).scores


def scores(exact: float, precision: float, recall: float, f1: float) -> dict[str, float]:
    """The four scores of events."""
    return {"event_exact": exact, "event_precision": precision, "event_recall": recall, "event_f1": f1}


def test_the_same_events_are_exact() -> None:
    """In any order, and with any value beside them."""
    assert scores(1, 1, 1, 1) == events(Finding("count", "computed", "7", steps(3, 1, 2)))


def test_missing_and_extra_events() -> None:
    """One of three missed and one too many: precision and recall 2/3, and nothing exact."""
    assert scores(0, 2 / 3, 2 / 3, 2 / 3) == events(Finding("count", "computed", "3", steps(1, 2, 9)))


def test_the_best_of_findings_and_groups_counts() -> None:
    """A group that has exactly the events is found among wrong findings, whatever their order."""
    grouped = Finding("group", "computed", "", steps(1, 2, 3, 4), {"go": steps(1, 2, 3), "look": steps(4)})
    wrong = Finding("count", "computed", "1", steps(8))

    assert scores(1, 1, 1, 1) == events(wrong, grouped) == events(grouped, wrong)


def test_nothing_computed_scores_zero() -> None:
    """Without a finding, or with one that selects nothing, every score is 0."""
    assert scores(0, 0, 0, 0) == events() == events(Finding("count", "ungrounded"))


def test_a_question_without_events() -> None:
    """It has no event scores, and the note says so; its value is scored all the same."""
    question = Question("q", "How many times did it rain? Answer with an integer.", gold="0")

    assert Verdict({"value": 1.0}, "the question marks no events") == judged(question, Answer("0"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which step? Answer with a step number.", "integer"),
        ("How many? Answer with an integer.", "integer"),
        ('Which steps? Answer with a comma-separated list of step numbers, or "none".', "integers"),
        ('Which? Answer with a comma-separated list of names, or "none".', "names"),
        ("Which place? Answer with a name.", "name"),
        ("Why?", None),
    ],
)
def test_stated_format(text: str, expected: str | None) -> None:
    """The format is read from the question's own words."""
    assert expected == stated_format(text)


@pytest.mark.parametrize(
    ("form", "answer", "gold", "expected"),
    [
        ("integer", "7", "7", True),
        ("integer", "7 times, at steps 1 and 9.", "7", True),
        ("integer", "It went there 7 times.", "7", True),
        ("integer", "Answer[1]: 7", "7", True),
        ("integer", "1.5", "1", False),
        ("integer", "none", "0", False),
        ("integer", "", "0", False),
        ("integers", "9, 4 and 12", "4, 9, 12", True),
        ("integers", "Steps 4, 9, 12.", "4, 9, 12", True),
        ("integers", "4, 9", "4, 9, 12", False),
        ("integers", "None.", "none", True),
        ("integers", "", "none", False),
        ("names", "pan 1, `mug 2`, and knife 1.", "knife 1, mug 2, pan 1", True),
        ("names", "none", "none", True),
        ("names", "pan 1", "none", False),
        ("name", "**Drawer 1** (8 visits)", "drawer 1", True),
        ("name", "drawer 10", "drawer 1", False),
    ],
)
def test_same_value(form: str, answer: str, gold: str, *, expected: bool) -> None:
    """A value counts as the gold's whatever stands around it, and however a list is ordered."""
    assert expected == same_value(form, answer, gold)


def test_registration() -> None:
    """The judge is made by name."""
    registry = Registry()
    memkit_register(registry)
    assert isinstance(registry.make("judge", "event-set"), EventSet)
