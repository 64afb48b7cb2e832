"""The text form: what is printed is read back, and what cannot be read is told exactly."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memkit.errors import QueryError
from memkit.query.parse import parse_plan
from memkit.query.plan import FIELDS, OPERATIONS, Bound, Clause, Plan, Query, Scope, Term
from memkit.query.text import print_plan
from memkit.testing.ledgers import plans, wrong_plans
from memkit.testing.strategies import texts

WORDS = (
    *(
        "count",
        "group",
        "by",
        "tool",
        "last",
        "per",
        "target",
        "where",
        "and",
        "in",
        "[",
        "]",
        ",",
        "|",
        "~",
        ":",
        "!=",
    ),
    *('"drawer 1"', '"', "\\", ";", "\n", "0", "-1", "9" * 5000, "0x", "nan", "sum", "of", "not applicable", "reason"),
)

SHORT = {
    "OPERATIONS": ", ".join(OPERATIONS).replace("-", " "),
    "STRING": "a quotation mark that begins no JSON string",
    " IN,": " or quotation marks around a term with the word 'in',",
}
"""Long parts of the messages below."""


def fault_of(text: str) -> QueryError | None:
    """The error that parsing raises, if any."""
    try:
        parse_plan(text)
    except QueryError as error:
        return error
    return None


@given(plans())
@example(Plan((Query("count", scope=Scope(10**5000, -(10**5000))),)))
@example(Plan((Query("count", bounds=(Bound("in", ">=", math.inf), Bound("and", "<", -0.1))),)))
@example(Plan((Query("state", of="where"), Query("last-per-target")), reason="a; b\n\ud800"))
def test_printed_is_read_back(plan: Plan) -> None:
    """Parsing what is printed gives the plan, and printing that the same text, printable and a line a sub-query."""
    text = print_plan(plan)
    assert plan == parse_plan(text)
    assert text == print_plan(parse_plan(text))
    assert all(line.isprintable() for line in text.split("\n"))


@given(texts() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_text_is_a_plan_or_one_error(text: str) -> None:
    """No text gives another exception; an error names a place in the text and what was expected there."""
    error = fault_of(text)
    if error is None:
        assert parse_plan(text) == parse_plan(print_plan(parse_plan(text)))
        return
    lines = text.split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert str(error).startswith(f"line {error.line}, column {error.column}: expected ")
    assert str(error).isprintable()


@given(wrong_plans())
def test_any_plan_is_printed(plan: Plan) -> None:
    """What no text says is still printed, for messages."""
    assert print_plan(plan)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        (
            'count where tool: "create" | "insert" and target: "/a/b.py" and exit_code != 0 in [0, 149]',
            Plan(
                (
                    Query(
                        "count",
                        (Clause("tool", (Term("create"), Term("insert"))), Clause("target", (Term("/a/b.py"),))),
                        (Bound("exit_code", "!=", 0),),
                        Scope(0, 149),
                    ),
                )
            ),
        ),
        (
            "group by tool;last per target\n\n first ;",
            Plan((Query("group", by="tool"), Query("last-per-target"), Query("first"))),
        ),
        ("sum of seconds in [5,]", Plan((Query("sum", scope=Scope(5, None), of="seconds"),))),
        ('state of "drawer 1.state" in [, 76]', Plan((Query("state", scope=Scope(None, 76), of="drawer 1.state"),))),
        ("STATE of drawer 1.state", Plan((Query("state", of="drawer 1.state"),))),
        (
            'list where Target: ~"awer" | drawer 1',
            Plan((Query("list", (Clause("target", (Term("awer", True), Term("drawer 1"))),)),)),
        ),
        ('timeline where "odd name"<=-2.5e3', Plan((Query("timeline", bounds=(Bound("odd name", "<=", -2500),)),))),
        ("not applicable", Plan()),
        ('not applicable: "why; not"', Plan(reason="why; not")),
        ("not applicable: it asks for a cause; nothing to count", Plan(reason="it asks for a cause; nothing to count")),
        ('reason: "two counts"\ncount\ncount', Plan((Query("count"), Query("count")), "two counts")),
    ],
)
def test_reads(text: str, plan: Plan) -> None:
    """Plain words need no quotation marks, keywords have any case, sub-queries end with a line or a semicolon."""
    assert plan == parse_plan(text)


def test_prints() -> None:
    """The canonical form reads as English."""
    text = "count where tool:create|insert and exit_code!=0 in[0,149];last per target; sum of t where tool: ~o in[,7]"
    assert (
        'count where tool: "create" | "insert" and exit_code != 0 in [0, 149]\n'
        "last per target\n"
        'sum of t where tool: ~"o" in [, 7]'
    ) == print_plan(parse_plan(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "line 1, column 1: expected one of OPERATIONS, found the end",
        ),
        (
            "count\ncont",
            'line 2, column 1: expected one of OPERATIONS, found "cont"',
        ),
        ("group tool", "line 1, column 7: expected 'by' after 'group', found \"tool\""),
        ("group by step", 'line 1, column 10: expected one of tool, act, action, target, outcome, found "step"'),
        ("mean", "line 1, column 5: expected 'of' after 'mean', found the end"),
        (
            "count where tol: x",
            f'line 1, column 13: expected a field ({", ".join(FIELDS)}), found "tol"',
        ),
        ("count where exit_code 0", "line 1, column 23: expected ':' or a comparison (= != < <= > >=), found \"0\""),
        ("count where exit_code > high", 'line 1, column 25: expected a number, found "high"'),
        (
            'count where tool: "x',
            "line 1, column 19: expected a term, in quotation marks unless it is plain words, found STRING",
        ),
        ("count in [1 2]", "line 1, column 13: expected ',' between the first and the last step, found \"2\""),
        ("count in [1, x]", "line 1, column 14: expected a step number, or nothing before ']', found \"x\""),
        (
            "count where target: cup in sink",
            "line 1, column 28: expected '[' before the first step, IN, found \"sink\"",
        ),
        ("count in [1, 2] where tool: x", 'line 1, column 17: expected the end of the sub-query, found "where"'),
        (
            "count;count;count;count;count",
            'line 1, column 25: expected the end: a plan has at most 4 sub-queries, found "count"',
        ),
        (
            'not applicable: "x"\ncount',
            'line 2, column 1: expected the end, for a plan that is not applicable has no sub-queries, found "count"',
        ),
        ("reason: why", 'line 1, column 9: expected the reason in quotation marks, found "why"'),
    ],
)
def test_errors(text: str, message: str) -> None:
    """An error says where, what was expected and what stands there."""
    with pytest.raises(QueryError) as caught:
        parse_plan(text)
    for short, long in SHORT.items():
        message = message.replace(short, long)
    assert message == str(caught.value)
