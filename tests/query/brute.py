"""An interpreter of plans written straight from the paper's definitions, row by row: slow, and shares no code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from memkit.ledger.row import Row
from memkit.query.plan import Bound, Clause, Query, Term


def holds(term: Term, text: str) -> bool:
    """Whether `text` holds `term`, tried at each place."""
    wanted, text = term.text.casefold(), text.casefold()
    if not wanted:
        return False
    for start in range(len(text) - len(wanted) + 1):
        end = start + len(wanted)
        if text[start:end] != wanted:
            continue
        inside = (start > 0 and word(text[start - 1]) and word(wanted[0])) or (
            end < len(text) and word(text[end]) and word(wanted[-1])
        )
        if term.anywhere or not inside:
            return True
    return False


def word(character: str) -> bool:
    """Whether it is a letter, a digit or an underscore."""
    return character.isalnum() or character == "_"


def values(row: Row, field: str) -> set[str]:
    """The values of a field in a row; an empty one is none."""
    found = {
        "tool": [row.tool],
        "act": [row.act],
        "action": [row.action],
        "target": row.targets,
        "outcome": [row.outcome],
        "change": [f"{change.name} -> {change.value}" for change in row.changes],
        "delta": row.delta,
        "quote": [row.quote],
        "time": [row.time],
    }[field]
    return {value for value in found if value}


def has(row: Row, field: str, term: Term) -> bool:
    """Whether a row has a term in a field."""
    if field == "outcome":
        return row.outcome.casefold() == term.text.casefold()
    fields = ["tool", "act"] if field == "tool" else [field]
    return any(holds(term, value) for name in fields for value in values(row, name))


def number(row: Row, name: str) -> float | None:
    """The typed number of a row, if it has it."""
    value = row.numbers.get(name)
    return None if value is None or math.isnan(value) else value


def compares(row: Row, bound: Bound) -> bool:
    """Whether the number of a row compares so."""
    value = number(row, bound.name)
    if value is None:
        return False
    return {
        "=": value == bound.value,
        "!=": value != bound.value,
        "<": value < bound.value,
        "<=": value <= bound.value,
        ">": value > bound.value,
        ">=": value >= bound.value,
    }[bound.comparison]


def select(log: Sequence[Row], query: Query, where: Sequence[Clause], bounds: Sequence[Bound]) -> list[int]:
    """S: the rows in scope, in step order, that fit the predicate."""
    low = -math.inf if query.scope.low is None or query.operation == "state" else query.scope.low
    high = math.inf if query.scope.high is None else query.scope.high
    return [
        place
        for place in sorted(range(len(log)), key=lambda place: log[place].step)
        if low <= log[place].step <= high
        and all(any(has(log[place], clause.field, term) for term in clause.terms) for clause in where)
        and all(compares(log[place], bound) for bound in bounds)
    ]


def grounded(
    log: Sequence[Row], query: Query, where: Sequence[Clause], bounds: Sequence[Bound], *, strictly: bool = False
) -> bool:
    """Whether the log has one term of every clause, or all of them, and every number and state that is named."""
    needed = all if strictly else any
    named = all(
        clause.terms and needed(any(has(row, clause.field, term) for row in log) for term in clause.terms)
        for clause in where
    )
    numbers = [bound.name for bound in bounds]
    if query.operation in ("sum", "min", "max", "mean"):
        numbers.append(query.of)
    counted = all(any(number(row, name) is not None for row in log) for name in numbers)
    known = query.operation != "state" or any(changes(row, query.of) for row in log)
    return named and counted and known and (query.operation != "group" or query.by is not None)


def changes(row: Row, name: str) -> list[str]:
    """The values that a row confirms for an `object.property`."""
    if row.outcome != "success":
        return []
    return [change.value for change in row.changes if change.name.casefold() == name.casefold()]


def execute(log: Sequence[Row], query: Query, *, strictly: bool = False) -> dict[str, Any]:
    """Status, rows, groups and value of a sub-query; `strictly` every term must occur, as the paper has it."""
    sound = grounded(log, query, query.where, query.bounds, strictly=strictly)
    rows = select(log, query, query.where, query.bounds)
    if query.operation in ("sum", "min", "max", "mean"):
        rows = [place for place in rows if number(log[place], query.of) is not None]
    if query.operation == "state":
        rows = [place for place in rows if changes(log[place], query.of)]
    if sound and rows:
        groups, value = operate(log, query, rows)
        return {"status": "computed", "rows": rows, "groups": groups, "value": value}
    if query.operation in ("list", "timeline"):
        where = [clause for clause in query.where if clause.field in ("target", "action")]
        fewer = select(log, query, where, [])
        if where and fewer and grounded(log, query, where, [], strictly=strictly):
            return {"status": "relaxed", "rows": fewer, "groups": {}, "value": None}
    if not sound:
        return {"status": "ungrounded", "rows": [], "groups": {}, "value": None}
    zero = 0 if query.operation in ("count", "sum") else None
    return {"status": "verified zero", "rows": [], "groups": {}, "value": zero}


def operate(log: Sequence[Row], query: Query, rows: list[int]) -> tuple[dict[str, list[int]], Any]:
    """The groups and the value of an operation over the rows S, which are not empty."""
    if query.operation == "group":
        return partition(log, query.by or "", rows), None
    if query.operation == "last-per-target":
        return {name: places[-1:] for name, places in partition(log, "target", rows).items()}, None
    numbers = [log[place].numbers[query.of] for place in rows if query.of in log[place].numbers]
    value = {
        "count": lambda: len(rows),
        "list": lambda: None,
        "timeline": lambda: None,
        "first": lambda: log[rows[0]].step,
        "last": lambda: log[rows[-1]].step,
        "state": lambda: changes(log[rows[-1]], query.of)[-1],
        "sum": lambda: total(numbers),
        "min": lambda: min(numbers),
        "max": lambda: max(numbers),
        "mean": lambda: total(numbers) / len(numbers),
    }[query.operation]()
    return {}, value


def total(numbers: list[float]) -> float:
    """The exact sum, rounded once; the plain one where infinities or overflow leave none."""
    try:
        return math.fsum(numbers)
    except (OverflowError, ValueError):
        return sum(numbers)


def partition(log: Sequence[Row], field: str, rows: list[int]) -> dict[str, list[int]]:
    """The rows that have each value of a field."""
    names = {name for place in rows for name in values(log[place], field)}
    return {name: [place for place in rows if name in values(log[place], field)] for name in names}
