"""Queries name tables, and the database says how they ended."""

from __future__ import annotations

import pytest

from memkit.events.sql import keyword, read_result, tables

QUERIES = [
    ("SELECT a FROM t", "select", ("t",)),
    ('-- from x\nselect * from "DB"."S"."T" a join u on a.b = u.c', "select", ("DB.S.T", "u")),
    ("WITH c AS (SELECT 1 FROM t), d (x) AS (SELECT 2 FROM c) SELECT * FROM d JOIN c", "with", ("t",)),
    ("/* from y */ UPDATE s.t SET a = 'from z'", "update", ("s.t",)),
    ("INSERT INTO t VALUES (1)", "insert", ("t",)),
    ("SELECT EXTRACT(YEAR FROM d) FROM t\nWHERE a = 1", "select", ("t",)),
    ("SELECT * FROM t, LATERAL FLATTEN(x) JOIN flatten(y) f", "select", ("t",)),
    ("SELECT * FROM (SELECT 1 FROM inner_t) x", "select", ("inner_t",)),
    ("", "", ()),
]


@pytest.mark.parametrize(("query", "word", "named"), QUERIES, ids=[row[0][:30] for row in QUERIES])
def test_queries(query: str, word: str, named: tuple[str, ...]) -> None:
    """The leading keyword, and the tables that the query does not define itself."""
    assert (word, named) == (keyword(query), tables(query))


@pytest.mark.parametrize(
    ("observation", "outcome", "quote"),
    [
        (
            "EXECUTION RESULT of [run_sql]:\nQuery executed successfully\n\nA\n1",
            "success",
            "Query executed successfully",
        ),
        ("EXECUTION RESULT of [run_sql]:\nSQL Error: no such column", "failure", "SQL Error: no such column"),
        ("{'error': 'timed out'}", "failure", "{'error': 'timed out'}"),
        ("rows", "unknown", ""),
        ("", "unknown", ""),
    ],
)
def test_results(observation: str, outcome: str, quote: str) -> None:
    """The tool's own first line decides."""
    reading = read_result(observation)
    assert (outcome, quote) == (reading.outcome, reading.quote)
