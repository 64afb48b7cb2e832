"""The text form of a plan, one sub-query a line: what is printed, and what parsing understands.

`parse_plan(print_plan(plan)) == plan` for every plan of the language, and printing a parsed text gives its canonical
form.
"""

from __future__ import annotations

import json
import re

from memkit.query.plan import Bound, Clause, Plan, Query, Scope, Term

WORDS = {"group": "group by", "last-per-target": "last per target"}
"""Operations that are written otherwise than they are called."""
NEEDS_OF = frozenset(("sum", "min", "max", "mean", "state"))
"""Operations over something: a typed number, or an `object.property`."""
JOINING = ("where", "and", "in")
"""Words that end a name or term written without quotation marks."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_IN_NUMBER = "0123456789.,"
_MOST_DIGITS = 4000
"""Python refuses to write or read whole numbers of more decimal digits than 4300 as text."""


def quote(text: str) -> str:
    """`text` as a JSON string of printable characters: one line, nothing that could drive a terminal."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if quoted.isprintable() else "".join(map(_escape, quoted))


def _escape(character: str) -> str:
    return character if character.isprintable() else json.dumps(character)[1:-1]


def clip(text: str, characters: int) -> str:
    """At most so many characters of `text`, and `…` where some are left out; no number is cut in two."""
    if len(text) <= characters:
        return text
    kept = text[: max(characters - 1, 0)]
    if text[len(kept)] in _IN_NUMBER:
        kept = kept.rstrip(_IN_NUMBER)
    return kept + "…"


def print_plan(plan: Plan) -> str:
    """`plan` in its text form, without a final line break."""
    if not plan.queries:
        return f"not applicable: {quote(plan.reason)}" if plan.reason else "not applicable"
    reason = [f"reason: {quote(plan.reason)}"] if plan.reason else []
    return "\n".join([*reason, *map(print_query, plan.queries)])


def print_query(query: Query) -> str:
    """A sub-query in its text form, in one line."""
    filters = [*map(print_clause, query.where), *map(print_bound, query.bounds)]
    parts = [print_operation(query)]
    if filters:
        parts.append(f"where {' and '.join(filters)}")
    if query.scope != Scope():
        parts.append(f"in {print_scope(query.scope)}")
    return " ".join(parts)


def print_operation(query: Query) -> str:
    """The operation with what it counts by or is over: `group by tool`, `sum of seconds`."""
    words = WORDS.get(query.operation, query.operation)
    if query.operation == "group":
        return f"{words} {query.by}"
    return f"{words} of {_name(query.of)}" if query.operation in NEEDS_OF else words


def print_clause(clause: Clause) -> str:
    """`tool: "create" | "insert"`."""
    return f"{clause.field}: {' | '.join(map(print_term, clause.terms))}"


def print_term(term: Term) -> str:
    """`"create"`, or `~"create"` for a term that may stand anywhere."""
    return "~" * term.anywhere + quote(term.text)


def print_bound(bound: Bound) -> str:
    """`exit_code != 0`."""
    return f"{_name(bound.name)} {bound.comparison} {print_number(bound.value)}"


def print_scope(scope: Scope) -> str:
    """`[0, 149]`, with nothing at an open end."""
    return f"[{_whole(scope.low)}, {_whole(scope.high)}]"


def print_number(value: float) -> str:
    """The shortest text that is read back as `value`."""
    if isinstance(value, int):
        return _whole(value)
    text = repr(value)
    return text.removesuffix(".0")


def _whole(value: int | None) -> str:
    if value is None:
        return ""
    return str(value) if abs(value) < 10**_MOST_DIGITS else hex(value)


def _name(name: str) -> str:
    return name if _NAME.fullmatch(name) and name.lower() not in JOINING else quote(name)
