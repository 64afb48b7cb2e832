"""The ledger by column, each made once, when it is first asked for."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import compress, repeat
from math import isnan
from operator import attrgetter, eq, ge, gt, le, lt, ne

from memkit.ledger.row import Row
from memkit.query.column import Column, Places
from memkit.query.match import fold
from memkit.query.plan import Bound, Clause, Comparison, Term
from memkit.query.selection import Selection

_ONE: Mapping[str, Callable[[Row], str]] = {
    name: attrgetter(name) for name in ("tool", "act", "action", "outcome", "quote", "time")
}
_MANY: Mapping[str, Callable[[Row], Iterable[str]]] = {
    "target": attrgetter("targets"),
    "delta": attrgetter("delta"),
    "change": lambda row: [f"{change.name} -> {change.value}" for change in row.changes],
}
_COMPARE: Mapping[Comparison, Callable[[float, float], bool]] = {
    "=": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


class Columns:
    """Every column of a ledger whose rows are in the order of their steps."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.steps = [row.step for row in rows]
        self._columns: dict[str, Column] = {}
        self._numbers: dict[str, dict[int, float]] | None = None
        self._states: dict[str, list[int]] | None = None

    def column(self, name: str) -> Column:
        """The column of a field, or of `act`."""
        if name not in self._columns:
            with _no_collection():
                if name in _ONE:
                    self._columns[name] = Column.of_one(map(_ONE[name], self.rows))
                else:
                    self._columns[name] = Column.of_many(map(_MANY[name], self.rows))
        return self._columns[name]

    def values(self, name: str, rows: Places) -> Iterator[Iterable[str]]:
        """The values that each of `rows` has in the field called `name`; empty ones count as none."""
        chosen = map(self.rows.__getitem__, rows)
        return zip(map(_ONE[name], chosen), strict=True) if name in _ONE else map(_MANY[name], chosen)

    def find(self, clause: Clause) -> tuple[Selection, tuple[Term, ...]]:
        """The rows that fit `clause`, and those of its terms that no row of the ledger has."""
        columns = [self.column(name) for name in (("tool", "act") if clause.field == "tool" else (clause.field,))]
        hits: list[list[int]] = [[] for _ in columns]
        missing: list[Term] = []
        search = _equal if clause.field == "outcome" else _holding
        for term in clause.terms:
            found = [search(column, term) for column in columns]
            if not any(found):
                missing.append(term)
            for indices, more in zip(hits, found, strict=True):
                indices.extend(more)
        if len(clause.terms) > 1:
            hits = [sorted(set(indices)) for indices in hits]
        return (
            Selection(len(self.rows), [hit for hit in zip(columns, hits, strict=True) if hit[1]]),
            tuple(missing),
        )

    def satisfying(self, bound: Bound) -> Selection:
        """The rows whose number compares so; a row without it does not."""
        numbers = self.numbers(bound.name)
        fits = map(_COMPARE[bound.comparison], numbers.values(), repeat(bound.value))
        return Selection.of(list(compress(numbers, fits)))

    def numbers(self, name: str) -> dict[int, float]:
        """The values of the typed number `name` by row, in order; what is not a number is no value."""
        if self._numbers is None:
            numbers: defaultdict[str, dict[int, float]] = defaultdict(dict)
            with _no_collection():
                for place, row in enumerate(self.rows):
                    for each, value in row.numbers.items():
                        if not isnan(value):
                            numbers[each][place] = value
            self._numbers = dict(numbers)
        return self._numbers.get(name, {})

    def states(self, name: str) -> list[int]:
        """The rows that changed the `object.property` called `name`, without regard to case, and succeeded."""
        if self._states is None:
            states: defaultdict[str, dict[int, None]] = defaultdict(dict)
            with _no_collection():
                for place, row in enumerate(self.rows):
                    if row.outcome == "success":
                        for change in row.changes:
                            states[fold(change.name)][place] = None
            self._states = {each: list(places) for each, places in states.items()}
        return self._states.get(fold(name), [])


def _holding(column: Column, term: Term) -> list[int]:
    return column.haystack.find(term)


def _equal(column: Column, term: Term) -> list[int]:
    wanted = fold(term.text)
    return [index for index, value in enumerate(column.values) if fold(value) == wanted]


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the collector, which would walk the growing lists again and again and find nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
