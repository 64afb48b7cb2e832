"""What each operation computes from the rows that matched (ledger paper, section 5; numbers and states are ours)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memkit.ledger.row import Row
from memkit.query.column import Places, common, parted
from memkit.query.columns import Columns
from memkit.query.match import fold
from memkit.query.plan import Group, Operation, Query
from memkit.query.result import Value
from memkit.query.text import clip

_FEW = 4
"""So many times fewer rows than the ledger has are grouped one by one."""
_SHOWN = 80
"""Characters shown of a name."""
NEEDS_NUMBER: frozenset[Operation] = frozenset(("sum", "min", "max", "mean"))
"""Operations over the typed number `of`."""


class Computed(NamedTuple):
    """The rows, groups and value of a result, and its note; no rows when there was nothing to compute from."""

    rows: Places
    value: Value = None
    groups: Mapping[str, Places] = {}
    note: str = ""


def compute(columns: Columns, query: Query, rows: Places) -> Computed:
    """What `query` asks over `rows`, which matched."""
    match query.operation:
        case "count":
            done = Computed(rows, len(rows))
        case "list" | "timeline":
            done = Computed(rows)
        case "first" | "last":
            place = 0 if query.operation == "first" else -1
            done = Computed(rows, columns.steps[rows[place]] if rows else None)
        case "group":
            done = _group(columns, query.by or "tool", rows)
        case "last-per-target":
            done = _last_per_target(columns, rows)
        case "state":
            done = _state(columns, query.of, rows)
        case "sum" | "min" | "max" | "mean":
            done = _number(columns, query, rows)
    return done


def group(columns: Columns, name: Group, rows: Places) -> tuple[dict[str, Places], int]:
    """`rows` by their values of the field called `name`, in order of first appearance, and how many have none.

    A row with several values is in several groups.
    """
    if len(rows) * _FEW > len(columns.rows):
        column = columns.column(name)
        return parted(column, rows, len(columns.rows)), len(common(column.without, rows))
    groups: defaultdict[str, list[int]] = defaultdict(list)
    without = 0
    for place, values in zip(rows, columns.values(name, rows), strict=True):
        value = ""
        for value in filter(None, values):
            if not (places := groups[value]) or places[-1] != place:
                places.append(place)
        without += not value
    return dict(groups), without


def _group(columns: Columns, name: Group, rows: Places) -> Computed:
    groups, without = group(columns, name, rows)
    largest_first = dict(sorted(groups.items(), key=lambda item: -len(item[1])))
    return Computed(rows, groups=largest_first, note=_without(without, name))


def _last_per_target(columns: Columns, rows: Places) -> Computed:
    groups, without = group(columns, "target", rows)
    last = {target: places[-1:] for target, places in groups.items()}
    return Computed(rows, groups=last, note=_without(without, "target"))


def _number(columns: Columns, query: Query, rows: Places) -> Computed:
    numbers = columns.numbers(query.of)
    having = common(rows, list(numbers)) if isinstance(rows, range) else [place for place in rows if place in numbers]
    values = [numbers[place] for place in having]
    note = _without(len(rows) - len(having), query.of)
    if query.operation == "sum":
        return Computed(having, plain(_total(values)), note=note)
    if not values:
        return Computed(having, note=note)
    if query.operation == "mean":
        return Computed(having, plain(_total(values) / len(values)), note=note)
    return Computed(having, plain(min(values) if query.operation == "min" else max(values)), note=note)


def _state(columns: Columns, name: str, rows: Places) -> Computed:
    changes = columns.states(name)
    having = common(changes, rows) if len(changes) < len(rows) else common(rows, changes)
    if not having:
        return Computed(having, note="no confirmed change of it in the rows that fit")
    return Computed(having, _state_after(columns.rows[having[-1]], name))


def _state_after(row: Row, name: str) -> str:
    """The value that `row` gave to the `object.property` called `name`; the last one where it gave several."""
    wanted = fold(name)
    return next(change.value for change in reversed(row.changes) if fold(change.name) == wanted)


def plain(value: float) -> float:
    """A whole number as one, where a float has each of them."""
    return int(value) if abs(value) < 2**53 and value == int(value) else value


def _total(values: Sequence[float]) -> float:
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):  # infinities of both signs, or a sum on the way that is too large
        return sum(values)


def _without(count: int, name: str) -> str:
    if not count:
        return ""
    return f"{count} of the rows that fit {'has' if count == 1 else 'have'} no {clip(name, _SHOWN)}"
