"""The JSON form: models write it, with prose around it and faults in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import QueryError
from memkit.query.plan import OPERATIONS, Bound, Clause, Plan, Query, Scope, Term
from memkit.query.reading import plan_from_json
from memkit.query.schema import PLAN_SCHEMA, plan_to_json
from memkit.testing.ledgers import plans
from memkit.testing.strategies import texts

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "reference" / "plan.schema.json"
KEYS = (
    "applicable",
    "reason",
    "queries",
    "operation",
    "scope",
    "where",
    "numbers",
    "by",
    "of",
    "tool",
    "anywhere",
    "name",
    "is",
    "value",
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(("count", "group", "tool", "x")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
)


def plan_of(**query: Any) -> str:
    """The JSON of a plan with one sub-query."""
    return json.dumps({"queries": [query]})


def fault_of(text: str) -> QueryError | None:
    """The error that reading raises, if any."""
    try:
        plan_from_json(text)
    except QueryError as error:
        return error
    return None


@given(plans())
def test_written_is_read_back(plan: Plan) -> None:
    """Reading what is written gives the plan, and it fits the schema."""
    text = plan_to_json(plan)
    assert plan == plan_from_json(text)
    jsonschema.validate(json.loads(text), PLAN_SCHEMA)


@given(plans(), texts(), texts())
def test_what_stands_around_is_forgiven(plan: Plan, before: str, after: str) -> None:
    """Prose and fences around the object change nothing."""
    fenced = f"{before.replace('{', '(')}\n```json\n{plan_to_json(plan)}\n```\n{after.replace('{', '(')}"
    assert plan == plan_from_json(fenced)


@given(
    texts()
    | anything.map(json.dumps)
    | plans().map(plan_to_json).flatmap(lambda text: st.integers(0, len(text)).map(lambda end: text[:end]))
)
def test_any_text_is_a_plan_or_one_error(text: str) -> None:
    """No text gives another exception, and an error is one printable sentence with a place."""
    error = fault_of(text)
    assert error is None or (str(error).isprintable() and (error.key or error.line))


def test_reads_what_models_leave_out() -> None:
    """Keys that are left out count as empty; a list of maps conjoins terms of one field."""
    text = plan_of(
        operation="count",
        scope=[None, 76],
        where=[{"target": ["cup 1"]}, {"target": [{"anywhere": "shelf"}], "tool": []}],
        numbers=[{"name": "exit_code", "is": "!=", "value": 0}],
    )
    clauses = (Clause("target", (Term("cup 1"),)), Clause("target", (Term("shelf", anywhere=True),)))
    assert Plan((Query("count", clauses, (Bound("exit_code", "!=", 0.0),), Scope(None, 76)),)) == plan_from_json(text)
    empty = plan_of(operation="count", scope=None, where=None, numbers=None, by=None, of=None)
    assert Plan((Query("count"),)) == plan_from_json(empty)
    assert Plan(reason="why") == plan_from_json('{"applicable": false, "reason": "why"}')
    assert Plan((Query("first"),)) == plan_from_json('In set {a, b}: {"queries": [{"operation": "first"}]}. {"n": 1}')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no plan", "plan: expected one JSON object, found none"),
        ('{"queries": []} {"queries": []}', "plan: expected one JSON object, found 2"),
        ('{"queries": [', "line 1, column 14: no JSON: Expecting value"),
        ('{"a": 1}', 'plan: unknown key "a"; the keys are applicable, reason, queries'),
        ('{"querys": []}', "plan: unknown key \"querys\"; did you mean 'queries'?"),
        ('{"applicable": true}', "applicable: is true but there is no sub-query"),
        ('{"applicable": false, "queries": [{"operation": "count"}]}', "applicable: is false but there is a sub-query"),
        ('{"queries": {}}', "queries: must be a list, got an object"),
        (json.dumps({"queries": [{}] * 5}), "queries: has 5 sub-queries; a plan has at most 4"),
        (plan_of(), "queries[0].operation: is lacking"),
        (
            plan_of(operation="average"),
            'queries[0].operation: must be one of OPERATIONS, got "average"',
        ),
        (plan_of(operation="count", scope=[1]), "queries[0].scope: must be [first step, last step], got 1 items"),
        (plan_of(operation="count", scope=[1, True]), "queries[0].scope[1]: must be a whole number, got true"),
        (
            plan_of(operation="count", where={"tools": ["x"]}),
            "queries[0].where: unknown key \"tools\"; did you mean 'tool'?",
        ),
        (plan_of(operation="count", where={"tool": "x"}), 'queries[0].where.tool: must be a list, got "x"'),
        (
            plan_of(operation="count", where=[{}, {"tool": ["x", 1]}]),
            'queries[0].where[1].tool[1]: must be text or {"anywhere": text}, got 1',
        ),
        (
            plan_of(operation="count", numbers=[{"name": "n", "is": "=="}]),
            'queries[0].numbers[0].is: must be one of =, !=, <, <=, >, >=, got "=="',
        ),
        (
            plan_of(operation="count", numbers=[{"name": "n", "is": "=", "value": 10**400}]),
            "queries[0].numbers[0].value: is too large a number",
        ),
        (plan_of(operation="group"), "queries[0].by: must be one of tool, act, action, target, outcome, got null"),
        (plan_of(operation="count", by="tool"), "queries[0].by: must be null, for count counts by nothing; group does"),
        (plan_of(operation="sum"), "queries[0].of: is needed: what the sum is of"),
        (plan_of(operation="count", of="x"), "queries[0].of: must be empty for count"),
        ('{"queries": [{"operation": "count", "operation": "list"}]}', '"operation": stands twice in one object'),
        ('{"a":' * 100_000, "plan: is nested too deeply"),
        (f'{{"queries": {"1" * 5000}}}', "plan: holds a number with too many digits"),
    ],
)
def test_faults_name_their_key(text: str, message: str) -> None:
    """A fault is told with the path of the key that is amiss."""
    with pytest.raises(QueryError) as caught:
        plan_from_json(text)
    assert message.replace("OPERATIONS", ", ".join(OPERATIONS)) == str(caught.value)


def test_schema_suits_structured_output() -> None:
    """The schema is valid, and each of its objects requires every key and allows no other, as providers ask."""
    jsonschema.Draft202012Validator.check_schema(PLAN_SCHEMA)

    def objects(schema: Any) -> list[dict[str, Any]]:
        if isinstance(schema, list):
            return [found for item in schema for found in objects(item)]
        if not isinstance(schema, dict):
            return []
        own = [schema] if schema.get("type") == "object" else []
        return own + [found for item in schema.values() for found in objects(item)]

    for found in objects(PLAN_SCHEMA):
        assert list(found["properties"]) == found["required"]
        assert found["additionalProperties"] is False


def test_published_schema_is_the_schema() -> None:
    """The schema among the docs is the one in force; `json.dumps(PLAN_SCHEMA, indent=2)` is what to put there."""
    assert json.dumps(PLAN_SCHEMA, indent=2) + "\n" == PUBLISHED.read_text(encoding="utf-8")
