"""What a sub-query came to, and the rows it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import field, frozen

from memkit.ledger.row import Row
from memkit.query.plan import Query

Status: TypeAlias = Literal["computed", "relaxed", "verified zero", "ungrounded"]
Value: TypeAlias = int | float | str | None


@frozen
class Result:
    """A sub-query executed; rows are meant by their places in the ledger, from 0, in step order.

    `rows` are the rows that matched: of sum, min, max and mean those that have the number, of `state` the confirmed
    changes. `checked` is how many rows the scope has. `groups` are the rows of each group, largest first, of
    `last-per-target` the last row of each target. `value` is the count, the step of `first` and `last`, the number of
    sum, min, max and mean, or the state; None for what has rows or groups instead, and where there is none. `note`
    says in a sentence what a reader must know: why nothing was computed, what was checked, what was left out.
    """

    query: Query
    status: Status
    rows: Sequence[int] = ()
    groups: Mapping[str, Sequence[int]] = field(factory=dict)
    value: Value = None
    note: str = ""
    checked: int = 0


def support(result: Result, rows: Sequence[Row]) -> Sequence[int]:
    """The rows that the value rests on: the one row of `first`, `last` and `state`, those with a minimum or maximum."""
    match result.query.operation:
        case "first":
            return result.rows[:1]
        case "last" | "state":
            return result.rows[-1:]
        case "min" | "max":
            name = result.query.of
            return [place for place in result.rows if rows[place].numbers[name] == result.value]
        case "last-per-target":
            return sorted({place for places in result.groups.values() for place in places})
        case _:
            return result.rows


def compiled_load(results: Iterable[Result]) -> int | None:
    """The load of a question: matched rows summed over the sub-queries that survived, None where none did.

    A row that two of them use counts twice (ledger paper, section 4). A verified zero survived.
    """
    loads = [len(result.rows) for result in results if result.status != "ungrounded"]
    return sum(loads) if loads else None
