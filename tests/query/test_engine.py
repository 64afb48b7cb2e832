"""Execution of plans: against an interpreter written from the definitions, and case by case."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from memkit.ledger.row import Change, Row
from memkit.query import column, selection
from memkit.query.engine import Engine
from memkit.query.parse import parse_plan
from memkit.query.plan import Bound, Clause, Plan, Query, Scope, Term
from memkit.query.render import render_results
from memkit.query.result import Result, compiled_load, support
from memkit.testing.ledgers import ledgers, plans, wrong_plans

_SPEC = importlib.util.spec_from_file_location("brute", Path(__file__).with_name("brute.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
brute = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(brute)


def row(step: int, act: str, target: str = "", outcome: str = "success", **more: object) -> Row:
    """A row of an embodied log."""
    targets = (target,) if target else ()
    return Row(step, f"[step {step}]", act.partition(" ")[0], act, f"{act} {target}", targets, outcome, **more)  # type: ignore[arg-type]


LOG = [
    row(0, "look"),
    row(1, "go to", "drawer 1"),
    row(2, "open", "drawer 1", changes=(Change("drawer 1.state", "open"),)),
    row(3, "go to", "drawer 10", numbers={"seconds": 1.5}),
    row(4, "open", "drawer 10", "no effect", changes=(Change("drawer 10.state", "open"),), numbers={"exit_code": 1}),
    row(5, "close", "drawer 1", changes=(Change("drawer 1.state", "closed"),), numbers={"exit_code": 0, "seconds": 2}),
    row(6, "go to", "drawer 1"),
]


def ask(text: str, log: list[Row] | None = None) -> Result:
    """The result of a plan with one sub-query."""
    (result,) = Engine(LOG if log is None else log).run(parse_plan(text))
    return result


def seen(result: Result) -> dict[str, object]:
    """A result as the interpreter gives it; not-a-number made equal to itself."""
    value = "nan" if isinstance(result.value, float) and math.isnan(result.value) else result.value
    return {
        "status": result.status,
        "rows": list(result.rows),
        "groups": {name: list(rows) for name, rows in result.groups.items()},
        "value": value,
    }


@given(ledgers(), plans() | wrong_plans())
def test_agrees_with_the_definition(log: list[Row], plan: Plan) -> None:
    """Status, rows, groups and value are those of an interpreter that shares no code, for any ledger and plan."""
    expected = [brute.execute(log, query) for query in plan.queries]
    for each in expected:
        if isinstance(each["value"], float) and math.isnan(each["value"]):
            each["value"] = "nan"
    assert expected == [seen(result) for result in Engine(log).run(plan)]


@pytest.mark.parametrize(("coded", "many"), [(255, 0), (255, 1000), (-1, 8)], ids=["lists", "masks", "uncoded"])
@given(ledgers(max_size=30), plans())
def test_every_way_to_select_selects_alike(coded: int, many: int, log: list[Row], plan: Plan) -> None:
    """Rows taken from merged lists, from masks and from columns of many values are those of the definition."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column, "MOST_CODED", coded)
        patch.setattr(selection, "_MANY", many)
        results = Engine(log).run(plan)
    assert [brute.execute(log, query)["rows"] for query in plan.queries] == [list(result.rows) for result in results]


@given(ledgers(), plans())
def test_rows_are_the_selection(log: list[Row], plan: Plan) -> None:
    """The rows of a sub-query are S of its definition, grounded or not."""
    engine = Engine(log)
    for query in plan.queries:
        listed = evolve(query, operation="list", by=None, of="")
        assert brute.select(log, listed, query.where, query.bounds) == list(engine.rows(query))


@given(ledgers(), plans())
def test_without_zeros_only_what_was_computed(log: list[Row], plan: Plan) -> None:
    """The paper's rule drops the sub-queries of which a term does not occur, or which match nothing."""
    engine = Engine(log)
    expected = [brute.execute(log, query, strictly=True) for query in plan.queries]
    kept = engine.run(plan, zeros=False)
    assert [one["rows"] for one in expected if one["status"] in ("computed", "relaxed")] == [
        list(one.rows) for one in kept
    ]
    assert (sum(len(result.rows) for result in kept) if kept else None) == compiled_load(kept)


@given(ledgers(), plans() | wrong_plans(), st.integers(-5, 400))
def test_any_result_can_be_rendered(log: list[Row], plan: Plan, characters: int) -> None:
    """Whatever a plan came to is rendered in the room there is, and its support is among its rows."""
    results = Engine(log).run(plan)
    assert len(render_results(results, log, characters)) <= max(characters, 0)
    for result in results:
        assert set(support(result, log)) <= set(result.rows)


@pytest.mark.parametrize(
    "query",
    [
        Query("count", scope=Scope(9, -9)),
        Query("count", scope=Scope(-(10**5000), 10**5000)),
        Query("count", (Clause("tool", ()),)),
        Query("list", (Clause("target", (Term(""),)),)),
        Query("timeline", (Clause("action", (Term("x" * 10**6),)),)),
        Query("count", (Clause("quote", tuple(Term(str(number)) for number in range(2000))),)),
        Query("count", bounds=(Bound("seconds", ">", math.nan),)),
        Query("count", bounds=(Bound("seconds", "!=", math.nan), Bound("no such", "<", -math.inf))),
        Query("group"),
        Query("sum", of="y" * 10**6),
        Query("state", of="\0\n\ud800"),
    ],
)
def test_no_plan_raises(query: Query) -> None:
    """However wrong a sub-query is, it has a result that can be rendered, and its neighbour is computed."""
    results = Engine(LOG).run(Plan((query, Query("count"))))
    assert 7 == results[1].value
    assert "[2] count = 7" in render_results(results, LOG)
    assert [] == list(Engine([]).rows(query))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('list where target: "drawer 1"', [1, 2, 5, 6]),
        ('list where target: ~"drawer 1"', [1, 2, 3, 4, 5, 6]),
        ('list where target: "DRAWER 1" and tool: "open" | "close"', [2, 5]),
        ('list where tool: "go to" in [2, 5]', [3]),
        ('list where target: "drawer 1" and tool: "go" in [2, ]', [6]),
        ('list where outcome: "no effect"', [4]),
        ('list where change: "drawer 1.state -> closed"', [5]),
        ("list where exit_code != 0", [4]),
        ("list where seconds >= 1.5 and seconds < 2", [3]),
    ],
)
def test_selection(text: str, rows: list[int]) -> None:
    """Terms match at token boundaries in any case, clauses are conjoined, bounds are typed, scopes inclusive."""
    assert ("computed", rows) == (ask(text).status, list(ask(text).rows))


def test_ungrounded_is_told_from_a_verified_zero() -> None:
    """A clause without a term of the log fails its sub-query; one term of several is named; terms that it has and
    no row fits give a zero, with checks.
    """
    unknown = ask('count where target: "drawer 99" and tool: "open"')
    assert ("ungrounded", None, 'no row has target: "drawer 99"') == (unknown.status, unknown.value, unknown.note)
    known = ask('count where target: "drawer 99" | "drawer 10"')
    assert ("computed", 2, 'no row has target: "drawer 99"') == (known.status, known.value, known.note)
    zero = ask('count where target: "drawer 10" and tool: "close" in [0, 5]')
    assert ("verified zero", 0) == (zero.status, zero.value)
    assert 'none of the 6 rows in scope fits; target: "drawer 10" alone fits 2; tool: "close" alone fits 1' == zero.note


def test_a_zero_tells_of_unknown_outcomes() -> None:
    """Where the log does not state how some of the rows ended, none that failed is not all there is to say."""
    log = [
        Row(0, "[step 0]", "bash", outcome="unknown"),
        Row(1, "[step 1]", "bash", outcome="success"),
        Row(2, "[step 2]", "edit", outcome="failure"),
    ]
    (zero,) = Engine(log).run(parse_plan('count where tool: "bash" and outcome: "failure"'))
    assert "verified zero" == zero.status
    assert zero.note.endswith("; of the rows that fit otherwise 1 have an unknown outcome")


def test_a_list_without_a_match_is_relaxed() -> None:
    """It is asked once more on target and action only, within its scope; a count is not."""
    relaxed = ask('list where target: "drawer 10" and tool: "close" in [0, 3]')
    assert ("relaxed", [3]) == (relaxed.status, list(relaxed.rows))
    assert "verified zero" == ask('list where tool: "close" in [0, 3]').status
    assert "verified zero" == ask('count where target: "drawer 10" and tool: "close"').status


def test_numbers_leave_out_rows_without_them() -> None:
    """Sum and mean are over the rows that have the number, and the others are told."""
    total = ask("sum of seconds")
    assert (3.5, [3, 5], "5 of the rows that fit have no seconds") == (total.value, list(total.rows), total.note)
    assert [1.75, 1.5, 2] == [ask(f"{operation} of seconds").value for operation in ("mean", "min", "max")]


def test_state_is_of_confirmed_changes() -> None:
    """The state at the end of a scope is what was set last, before it too; what failed sets nothing."""
    assert ("open", [2]) == (
        ask('state of "drawer 1.state" in [3, 4]').value,
        list(ask("state of drawer 1.state in [, 4]").rows),
    )
    assert ("closed", [2, 5]) == (ask("state of drawer 1.state").value, list(ask("state of drawer 1.state").rows))
    assert "verified zero" == ask('state of "drawer 1.state" in [, 1]').status
    assert "ungrounded" == ask('state of "drawer 10.state"').status


def test_groups_are_largest_first() -> None:
    """A row counts in each of its targets; ties keep the order of first appearance; rows without one are told."""
    assert [("go", [1, 3, 6]), ("open", [2, 4]), ("look", [0]), ("close", [5])] == [
        (name, list(rows)) for name, rows in ask("group by tool").groups.items()
    ]
    assert "1 of the rows that fit has no target" == ask("group by target").note
    assert {"drawer 1": [6], "drawer 10": [4]} == {
        name: list(rows) for name, rows in ask("last per target").groups.items()
    }


def test_rows_out_of_order_keep_their_places() -> None:
    """Results mean rows by their places in the given ledger, taken in step order."""
    log = list(reversed(LOG))
    assert [5, 4, 1, 0] == list(ask('list where target: "drawer 1"', log).rows)
    assert 1 == ask('first where target: "drawer 1"', log).value


@example([])
@given(ledgers(max_size=40))
def test_full_groups_equal_grouped_selections(log: list[Row]) -> None:
    """Grouping everything by what the column holds equals grouping row by row."""
    engine = Engine(log)
    for by in ("tool", "act", "action", "target", "outcome"):
        (whole,) = engine.run(Plan((Query("group", by=by),)))  # type: ignore[arg-type]
        expected = brute.partition(log, by, brute.select(log, Query("list"), [], [])) if log else {}
        assert expected == {name: list(rows) for name, rows in whole.groups.items()}
