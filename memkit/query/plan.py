"""A plan: what a question asks to be computed over the event ledger (ledger paper, section 5).

The records of the language; `memkit.query.text` and `memkit.query.schema` are their written forms.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from attrs import field, frozen

MAX_QUERIES = 4
"""Sub-queries of one plan, one for each quantity that a question asks for (ledger paper, section 5)."""

Field: TypeAlias = Literal["tool", "action", "target", "outcome", "change", "delta", "quote", "time"]
"""What terms are looked for in. The first six are the paper's; `tool` terms match the tool or the act."""
FIELDS: tuple[Field, ...] = get_args(Field)
Group: TypeAlias = Literal["tool", "act", "action", "target", "outcome"]
"""What a group-count may count by. The paper has tool, target and outcome."""
GROUPS: tuple[Group, ...] = get_args(Group)
Operation: TypeAlias = Literal[
    "count", "group", "list", "first", "last", "last-per-target", "timeline", "sum", "min", "max", "mean", "state"
]
"""The first seven are the paper's. Sum, min, max and mean are over a typed number of the rows (`of`); `state` is the
value of `of`, an `object.property`, at the end of the scope, with its history."""
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
Comparison: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)


@frozen
class Term:
    """A literal term, matched without regard to case at token boundaries, or anywhere when `anywhere` is set.

    `drawer 1` at token boundaries does not match `drawer 10`.
    """

    text: str
    anywhere: bool = False


@frozen
class Clause:
    """`field` holds one of `terms`. The field `outcome` must equal one; the others must contain one."""

    field: Field
    terms: tuple[Term, ...]


@frozen
class Bound:
    """The typed number `name` of the row compares so with `value`; a row without that number does not match."""

    name: str
    comparison: Comparison
    value: float


@frozen
class Scope:
    """Steps `low` to `high`, both included, by the source's own numbers; None leaves that end open."""

    low: int | None = None
    high: int | None = None

    def __contains__(self, step: int) -> bool:
        return (self.low is None or step >= self.low) and (self.high is None or step <= self.high)


@frozen
class Query:
    """A sub-query: an operation over the rows in `scope` that fit every clause and bound.

    `by` is what `group` counts by, `of` the number or the `object.property` of an operation that needs one.
    """

    operation: Operation
    where: tuple[Clause, ...] = ()
    bounds: tuple[Bound, ...] = ()
    scope: Scope = Scope()
    by: Group | None = None
    of: str = ""


@frozen
class Plan:
    """At most `MAX_QUERIES` sub-queries; none when the question is not one to compute, for `reason`."""

    queries: tuple[Query, ...] = field(default=())
    reason: str = ""

    @property
    def applicable(self) -> bool:
        """Whether there is anything to compute."""
        return bool(self.queries)
