"""The engine: executes a plan over the rows of a ledger, exactly and in time linear in them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import evolve

from memkit.ledger.row import Row
from memkit.query.column import Places
from memkit.query.columns import Columns
from memkit.query.ground import checked, fewer_filters, match
from memkit.query.operations import compute
from memkit.query.plan import Clause, Operation, Plan, Query, Scope, Term
from memkit.query.result import Result

_RELAXED: frozenset[Operation] = frozenset(("list", "timeline"))
"""Asked again with fewer filters when nothing matches (ledger paper, section 5)."""


class Engine:
    """Answers plans over `rows`, which must not change meanwhile. What it indexes is indexed once, on first use.

    Rows are taken in step order; the order of equal steps is that of the ledger.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        # Results mean the rows by their places in what was given, whatever order that has.
        self._given: list[int] | None = None
        if any(later.step < earlier.step for earlier, later in pairwise(rows)):
            self._given = sorted(range(len(rows)), key=lambda place: rows[place].step)
            rows = [rows[place] for place in self._given]
        self._columns = Columns(rows)

    def run(self, plan: Plan, *, zeros: bool = True) -> tuple[Result, ...]:
        """A result for each sub-query, in plan order; no plan raises, and a sub-query that fails does so alone.

        A clause of which one term occurs in the log is grounded. Without `zeros` those that match nothing are left out,
        and so are those with any term that does not occur, as the paper has it.
        """
        if zeros:
            return tuple(self._result(query) for query in plan.queries)
        results = (self._result(query, strictly=True) for query in plan.queries)
        return tuple(result for result in results if result.status in ("computed", "relaxed"))

    def rows(self, query: Query) -> Sequence[int]:
        """The places of the rows that are in scope and fit every filter, in step order; grounded or not."""
        return self._as_given(match(self._columns, query, self._span(query.scope)).rows)

    def _result(self, query: Query, *, strictly: bool = False) -> Result:
        # What was set before the scope still holds in it.
        scope = Scope(None, query.scope.high) if query.operation == "state" else query.scope
        span = self._span(scope)
        found = match(self._columns, query, span)
        missing = (*found.missing, *found.absent) if strictly else found.missing
        done = compute(self._columns, query, found.rows) if not missing else None
        if done is not None and done.rows:
            groups = done.groups
            if self._given is not None:
                groups = {name: self._as_given(places) for name, places in groups.items()}
            note = "; ".join(filter(None, (done.note, *found.absent)))
            return Result(query, "computed", self._as_given(done.rows), groups, done.value, note, len(span))
        if query.operation in _RELAXED and (clauses := fewer_filters(query)):
            again = match(self._columns, evolve(query, where=clauses, bounds=()), span)
            if again.rows and not again.missing and not (strictly and again.absent):
                note = "; ".join(("nothing fits every filter; these fit those on target and action", *again.absent))
                return Result(query, "relaxed", self._as_given(again.rows), note=note, checked=len(span))
        if done is None:
            return Result(query, "ungrounded", note="; ".join(missing), checked=len(span))
        note = "; ".join(
            (done.note or checked(query, found, span), *found.absent, *self._unknown_outcomes(query, span))
        )
        return Result(query, "verified zero", value=done.value, note=note, checked=len(span))

    def _unknown_outcomes(self, query: Query, span: range) -> Iterator[str]:
        """What a zero over outcomes does not tell: the rows that fit but for an outcome that the log does not state."""
        clauses = tuple(clause for clause in query.where if clause.field != "outcome")
        if len(clauses) < len(query.where):
            unstated = Clause("outcome", (Term("unknown"),))
            places = match(self._columns, evolve(query, where=(*clauses, unstated)), span).rows
            if places:
                yield f"of the rows that fit otherwise {len(places)} have an unknown outcome"

    def _span(self, scope: Scope) -> range:
        steps = self._columns.steps
        low = 0 if scope.low is None else bisect_left(steps, scope.low)
        high = len(steps) if scope.high is None else bisect_right(steps, scope.high)
        return range(low, max(low, high))

    def _as_given(self, places: Places) -> Sequence[int]:
        return places if self._given is None else [self._given[place] for place in places]
