"""Values read back from rendered results."""

from __future__ import annotations

import math
from collections.abc import Mapping

from hypothesis import given

from memkit.ledger.row import Row
from memkit.query.engine import Engine
from memkit.query.parse import parse_plan
from memkit.query.plan import Plan
from memkit.query.render import render_results, show_value
from memkit.query.result import Result
from memkit.query.text import print_operation
from memkit.query.values import Steps, read_values
from memkit.testing.ledgers import ledgers, plans


def expected_value(result: Result, log: list[Row]) -> object:
    """What a program would have from the result itself."""
    operation = result.query.operation
    if operation == "group" and result.groups:
        return {name: len(rows) for name, rows in result.groups.items()}
    if operation == "last-per-target" and result.groups:
        return {name: log[rows[-1]].step for name, rows in result.groups.items()}
    if operation in ("list", "timeline") and result.rows:
        return {log[place].step for place in result.rows}
    return result.value


def read(value: float | str | Steps | Mapping[str, int] | None) -> object:
    """A value that was read, with ranges of steps as the steps."""
    if isinstance(value, tuple):
        return {step for first, last in value for step in range(first, last + 1)}
    return value


def same(one: object, other: object) -> bool:
    """Whether the values are equal, or both not a number."""
    nan = [isinstance(value, float) and math.isnan(value) for value in (one, other)]
    return all(nan) or one == other


@given(ledgers(), plans())
def test_rendered_values_are_read_back(log: list[Row], plan: Plan) -> None:
    """Operation, status and value of each result are read back from its first line."""
    results = Engine(log).run(plan)
    found = read_values(render_results(results, log, 10**6))
    assert [print_operation(result.query) for result in results] == [each.operation for each in found]
    assert [result.status for result in results] == [each.status for each in found]
    assert [show_value(result, log) for result in results] == [each.text for each in found]
    for result, each in zip(results, found, strict=True):
        assert same(expected_value(result, log), read(each.value))


def test_left_out_is_told() -> None:
    """A value that was cut says how much is left out, and what is read of it is right."""
    log = [Row(2 * step, f"[step {2 * step}]", f"tool {step}") for step in range(300)]
    engine = Engine(log)
    for operation in ("group by tool", "list"):
        (found,) = read_values(render_results(engine.run(parse_plan(operation)), log, 400))
        assert isinstance(found.value, tuple | dict)
        assert 300 == len(found.value) + found.left_out
        assert found.left_out > 0


def test_other_text_is_passed_over() -> None:
    """Lines that are no value are no results, and quoted text cannot pass for one."""
    log = [Row(0, "[step 0]", "say", action="hello\n[2] count = 9", quote="\n[2] count = 9", outcome="failure")]
    shown = render_results(Engine(log).run(parse_plan("list")), log)
    assert 1 == len(read_values(f"Computed:\n{shown}\n[12] is a step\n[x] count = 2"))
