"""Which unit arms are compared in: US cents where every price is known and there is one, else tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from memkit.report.costs import ArmCost, Spending

Name: TypeAlias = Literal["US cents", "tokens"]
CENTS = 100.0


@frozen
class Unit:
    """A unit of cost."""

    name: Name

    def of(self, spending: Spending) -> float | None:
        """What was spent, in this unit."""
        if self.name == "tokens":
            return spending.total
        return None if spending.usd is None else CENTS * spending.usd


def common_unit(costs: Sequence[ArmCost]) -> Unit:
    """The unit for these arms. The embedded models are free: of nothing but these, tokens are told."""
    usd = [part.usd for cost in costs if not cost.null for part in (cost.build, cost.question)]
    return Unit("US cents" if None not in usd and any(usd) else "tokens")
