"""Results as the findings of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memkit.ledger.row import Row
from memkit.locators import Locator
from memkit.query.render import show_value
from memkit.query.result import Result, support
from memkit.query.text import print_query
from memkit.records import Finding


def finding(result: Result, rows: Sequence[Row]) -> Finding:
    """`result` with the places of its rows in the source; `rows` are the ledger. UserError for a bad locator."""

    def located(places: Iterable[int]) -> tuple[Locator, ...]:
        return tuple(Locator.parse(rows[place].locator) for place in places)

    return Finding(
        print_query(result.query),
        result.status,
        show_value(result, rows),
        located(support(result, rows)),
        {name: located(places) for name, places in result.groups.items()},
    )
