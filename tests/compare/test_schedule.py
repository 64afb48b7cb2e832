from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from attrs import evolve

from memkit.compare.jobs import CONNECTIONS
from memkit.compare.models import Calling
from memkit.compare.plan import Plan, make_plan
from memkit.compare.schedule import Scheduler, pending_items, turns
from memkit.compare.spec import Spec
from memkit.compare.units import Records
from memkit.records import Case
from memkit.registry import Registry

MakeSpec = Callable[..., Spec]
NOTHING = Records({}, {}, {})


def two_streams(plan: Plan) -> Plan:
    """The plan with its stream twice."""

    def again(case: Case) -> Case:
        return evolve(case, stream=evolve(case.stream, id="again"))

    return evolve(plan, cells=(*plan.cells, *(evolve(cell, case=again(cell.case)) for cell in plan.cells)))


def test_arms_take_turns(make_spec: MakeSpec, registry: Registry) -> None:
    """Stream after stream; in each, every arm has a batch before any has its next; the order is the seed's."""
    plan = two_streams(make_plan(make_spec(select={"limit": 7}), registry))
    pending = [(cell, cell.items) for cell in plan.cells]
    order = [(cell.case.stream.id, cell.arm.label, start, len(items)) for cell, items, start in turns(pending, 0, 3)]

    rounds = [order[at : at + 4] for at in range(0, len(order), 4)]
    assert [("demo", 0, 3), ("demo", 3, 3), ("demo", 6, 1), ("again", 0, 3), ("again", 3, 3), ("again", 6, 1)] == [
        (stream, start, size) for (stream, _, start, size), *_ in rounds
    ]
    arms = {arm.label for arm in plan.arms}
    assert all({label for _, label, _, _ in one} == arms for one in rounds)
    assert len({tuple(label for _, label, _, _ in one) for one in rounds}) > 1
    assert order == [(c.case.stream.id, c.arm.label, at, len(items)) for c, items, at in turns(pending, 0, 3)]
    assert order != [(c.case.stream.id, c.arm.label, at, len(items)) for c, items, at in turns(pending, 1, 3)]


def test_pending(make_spec: MakeSpec, registry: Registry) -> None:
    """What is on record, or to be skipped, is not to be done."""
    plan = make_plan(make_spec(nulls={"rows": []}), registry)
    (cell,) = plan.cells
    first, second, third = cell.items
    done = Records({}, {first.answer_key: {}, second.answer_key: {}}, {first.judge_key: {}})

    assert [(cell, [second, third])] == pending_items(plan.cells, done)
    assert [(cell, [second])] == pending_items(plan.cells, done, {third.judge_key})


def test_connections(make_spec: MakeSpec, registry: Registry, tmp_path: Path) -> None:
    """Where a provider is asked, for answers, by the judge or to build, a process works on several units at once."""
    factors = {"builder": ["verbatim", "rolling-summary"], "harness": ["center"]}

    def at_once(**changes: object) -> set[tuple[str, int, int]]:
        plan = two_streams(make_plan(make_spec(nulls={"rows": []}, **changes), registry))
        schedule = Scheduler(plan, Calling(tmp_path), registry)
        pending = pending_items(plan.cells, NOTHING)
        for key in {cell.build_key for cell in plan.cells}:
            (tmp_path / "memories" / key[:32]).mkdir(parents=True, exist_ok=True)
        answers = schedule.answer_jobs(pending, NOTHING)
        return {(job.arm.factors["builder"].use, job.at_once, len(job.items)) for job in answers}

    def together(**changes: object) -> list[int]:
        plan = make_plan(make_spec(nulls={"rows": []}, **changes), registry)
        jobs = Scheduler(plan, Calling(tmp_path / "empty"), registry).build_jobs(pending_items(plan.cells, NOTHING))
        return [job.at_once for job in jobs]

    manage = {**factors, "models": {"manage": ["openai/a", "openai/b"]}}
    assert {("verbatim", 1, 3)} == at_once()
    assert {("verbatim", CONNECTIONS, 3)} == at_once(judge={"use": "llm"}, judge_model="openai/any")
    search = {"builder": ["verbatim"], "harness": ["center"], "models": {"search": ["openai/any"]}}
    assert {("verbatim", CONNECTIONS, 3)} == at_once(factors=search)
    assert [1, 1] == together(factors=factors)
    assert [2, 1] == together(factors=manage)
