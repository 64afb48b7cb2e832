"""Break-even: after how many questions to a memory the dearer of two builds has paid for itself."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from attrs import frozen

from memkit.accounting.bills import Bill, break_even

UNKNOWN = "a price is not known"
NOTHING = "nothing is answered yet"
SAME = "the builds cost the same"
NEVER = "the dearer build saves nothing on a question"


@frozen
class Expense:
    """What an arm took: the bill of its questions and that of its memories, and how many of each there were."""

    label: str
    queries: Bill
    questions: int
    builds: Bill
    memories: int

    @property
    def build(self) -> Fraction | None:
        """Cents a memory, exact; None is unknown, and an arm that builds nothing pays nothing."""
        return _share(self.builds.cents, self.memories or 1)

    @property
    def query(self) -> Fraction | None:
        """Cents a question, exact; None is unknown."""
        return _share(self.queries.cents, self.questions or 1)


@frozen
class BreakEven:
    """An arm against the baseline: the questions to one memory after which the `dearer` build has paid for itself.

    `dearer` is the label of one of the two, empty where that cannot be told; without `questions` there is a `reason`.
    """

    against: str
    dearer: str = ""
    questions: int | None = None
    reason: str = ""


def pay_back(arm: Expense, base: Expense) -> BreakEven:
    """When the dearer of the two memories is no longer the dearer one."""
    if not arm.questions or not base.questions:
        return BreakEven(base.label, reason=NOTHING)
    costs = arm.build, arm.query, base.build, base.query
    if any(cost is None for cost in costs):
        return BreakEven(base.label, reason=UNKNOWN)
    build, query, other_build, other_query = (cost or Fraction() for cost in costs)
    if build == other_build:
        return BreakEven(base.label, reason=SAME)
    if build > other_build:
        dearer, after = arm.label, break_even(build, query, other_build, other_query)
    else:
        dearer, after = base.label, break_even(other_build, other_query, build, query)
    return BreakEven(base.label, dearer, after, NEVER if after is None else "")


def _share(cents: Decimal | None, number: int) -> Fraction | None:
    return None if cents is None else Fraction(cents) / number
