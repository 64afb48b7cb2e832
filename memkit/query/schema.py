"""The JSON form of a plan, for models: its schema, and how it is written. `memkit.query.reading` reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from memkit.query.plan import COMPARISONS, FIELDS, GROUPS, MAX_QUERIES, OPERATIONS, Clause, Plan, Query


def _object(properties: Mapping[str, Any], description: str = "") -> dict[str, Any]:
    """Every key required and no other allowed: what providers ask of a schema for structured output."""
    described = {"description": description} if description else {}
    return {
        "type": "object",
        **described,
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: Mapping[str, Any], description: str = "") -> dict[str, Any]:
    return {"type": "array", "items": dict(items)} | ({"description": description} if description else {})


_TERM = {
    "anyOf": [
        {"type": "string", "description": "matches whole words, in any case"},
        _object({"anywhere": {"type": "string"}}, "matches inside words too"),
    ]
}
_WHERE = _object(
    {name: _array(_TERM) for name in FIELDS},
    "for each field, terms of which a row must hold one; an empty list asks nothing of the field",
)
_QUERY = _object(
    {
        "operation": {"type": "string", "enum": list(OPERATIONS)},
        "scope": _array(
            {"type": ["integer", "null"]}, "two step numbers, first and last, both included; null leaves an end open"
        ),
        "where": {"anyOf": [_WHERE, _array(_WHERE, "several, each of which a row must fit")]},
        "numbers": _array(
            _object(
                {
                    "name": {"type": "string"},
                    "is": {"type": "string", "enum": list(COMPARISONS)},
                    "value": {"type": "number"},
                }
            ),
            "typed numbers of a row, such as exit_code, and how they must compare",
        ),
        "by": {
            "anyOf": [{"type": "string", "enum": list(GROUPS)}, {"type": "null"}],
            "description": "what group counts by; null for other operations",
        },
        "of": {
            "type": "string",
            "description": "the number of sum, min, max and mean, or the object.property of state; else empty",
        },
    }
)
PLAN_SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Plan",
    **_object(
        {
            "applicable": {"type": "boolean", "description": "whether the question asks for something to compute"},
            "reason": {"type": "string"},
            "queries": _array(_QUERY, f"one for each quantity asked for, at most {MAX_QUERIES}"),
        }
    ),
}
"""JSON Schema of the JSON form, fit for structured output. The reader takes a key that is left out for an empty one."""


def plan_to_json(plan: Plan) -> str:
    """`plan` in its JSON form, in one line of printable characters."""
    data = {
        "applicable": plan.applicable,
        "reason": plan.reason,
        "queries": [_query_to_data(query) for query in plan.queries],
    }
    return json.dumps(data)


def _query_to_data(query: Query) -> dict[str, Any]:
    return {
        "operation": query.operation,
        "scope": [query.scope.low, query.scope.high],
        "where": _where_to_data(query.where),
        "numbers": [{"name": bound.name, "is": bound.comparison, "value": bound.value} for bound in query.bounds],
        "by": query.by,
        "of": query.of,
    }


def _where_to_data(clauses: Sequence[Clause]) -> Any:
    """One map, or a map for each clause when two are of one field."""
    if len({clause.field for clause in clauses}) < len(clauses):
        return [_where_to_data([clause]) for clause in clauses]
    given = {
        clause.field: [{"anywhere": term.text} if term.anywhere else term.text for term in clause.terms]
        for clause in clauses
    }
    return given | {name: [] for name in FIELDS if name not in given}
