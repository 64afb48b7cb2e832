"""Break-even of arms, worked by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest
from attrs import evolve

from memkit.accounting.bills import Bill
from memkit.compare.payback import NEVER, NOTHING, SAME, UNKNOWN, BreakEven, Expense, pay_back

BASE = Expense("base", Bill(cents=Decimal(12)), 6, Bill(cents=Decimal(20)), 2)
"""2 cents a question, 10 a memory."""


def arm(build: int, query: int) -> Expense:
    """An arm of two memories with six questions, of so many cents altogether."""
    return Expense("arm", Bill(cents=Decimal(query)), 6, Bill(cents=Decimal(build)), 2)


@pytest.mark.parametrize(
    ("build", "query", "expected"),
    [
        (60, 6, BreakEven("base", "arm", 20)),
        (62, 6, BreakEven("base", "arm", 21)),
        (22, 10, BreakEven("base", "arm", 3)),
        (60, 12, BreakEven("base", "arm", None, NEVER)),
        (60, 18, BreakEven("base", "arm", None, NEVER)),
        (0, 24, BreakEven("base", "base", 5)),
        (0, 12, BreakEven("base", "base", None, NEVER)),
        (20, 6, BreakEven("base", "", None, SAME)),
    ],
    ids=["exact", "rounded up", "thirds", "saves nothing", "costs more", "baseline dearer", "baseline never", "same"],
)
def test_by_hand(build: int, query: int, expected: BreakEven) -> None:
    """Against 10 cents a memory and 2 a question: when the dearer build, whose ever it is, has paid for itself."""
    assert expected == pay_back(arm(build, query), BASE)


@pytest.mark.parametrize("part", ["queries", "builds"])
def test_an_unknown_price(part: str) -> None:
    """Without a price, of one or the other, nothing can be told, and the reason says so."""
    unpriced = evolve(arm(60, 6), **{part: Bill(cents=None)})

    assert BreakEven("base", reason=UNKNOWN) == pay_back(unpriced, BASE)
    assert BreakEven("arm", reason=UNKNOWN) == pay_back(arm(60, 6), evolve(unpriced, label="arm"))


def test_an_arm_that_builds_nothing() -> None:
    """A null row has no memory: its build costs nothing."""
    null = Expense("oracle", Bill(cents=Decimal(24)), 6, Bill(), 0)

    assert BreakEven("base", "base", 5) == pay_back(null, BASE)


def test_nothing_answered() -> None:
    """Before the first answer there is no cost of a question."""
    assert BreakEven("base", reason=NOTHING) == pay_back(evolve(arm(60, 0), questions=0), BASE)
