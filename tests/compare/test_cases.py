from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memkit.compare.cases import hint, load_cases
from memkit.compare.spec import Spec
from memkit.errors import DataError, UserError
from memkit.records import Case, Conversation, Question
from memkit.registry import Registry

MakeSpec = Callable[..., Spec]


def ids(cases: list[Case]) -> list[str]:
    """The questions of all cases, by name."""
    return [question.id for case in cases for question in case.questions]


def test_limit_draws_by_seed(make_spec: MakeSpec, registry: Registry) -> None:
    """A seed draws the same questions each time, in the order of the data; another seed draws others."""
    every = ids(load_cases(make_spec(select={"limit": 1000}), registry))
    drawn = ids(load_cases(make_spec(select={"limit": 5, "seed": 1}), registry))

    assert drawn == ids(load_cases(make_spec(select={"limit": 5, "seed": 1}), registry))
    assert drawn != ids(load_cases(make_spec(select={"limit": 5, "seed": 2}), registry))
    assert drawn == [name for name in every if name in drawn]
    assert 5 == len(drawn) < len(every)


def test_categories(make_spec: MakeSpec, registry: Registry) -> None:
    """Only questions of the named categories are taken; a name that occurs nowhere is an error."""
    spec = make_spec(select={"limit": 1000})
    wanted = load_cases(spec, registry)[0].questions[0].category

    taken = load_cases(make_spec(select={"limit": 1000, "categories": [wanted]}), registry)
    assert {wanted} == {question.category for case in taken for question in case.questions}
    with pytest.raises(UserError, match=r"^data\[0\]\.select\.categories: no category is called 'zzz'; there are: "):
        load_cases(make_spec(select={"categories": ["zzz"]}), registry)


def test_questions_of_one_name(make_spec: MakeSpec) -> None:
    """Two questions of one name in a stream would share their answers; that is an error."""

    class Twins:
        """Yields a stream whose questions have one name."""

        def load(self, path: Path | None) -> Iterator[Case]:  # noqa: ARG002 - the contract's
            yield Case(Conversation("s", ()), (Question("q", "a?"), Question("q", "b?")))

    registry = Registry()
    registry.dataset("demo", Twins)
    with pytest.raises(DataError, match=r"^stream 's': two questions are called 'q'; rename one$"):
        load_cases(make_spec(), registry)


def test_hint() -> None:
    """The nearest name, or all there are."""
    assert "did you mean 'center'?" == hint("centre", ["center", "chunks"])
    assert "there are: center, chunks" == hint("x", ["chunks", "center"])
    assert "there are: none" == hint("x", [])
