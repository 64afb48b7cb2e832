"""The tables of a run: a row an answer, a row a memory, a row a model call (docs/reference/results.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from memkit.citations import render_citation
from memkit.compare.arms import Arm
from memkit.compare.plan import Cell, Item, Plan
from memkit.compare.results import LACKING, Results, Row
from memkit.compare.units import Record, Records, Stage
from memkit.converter import make_converter
from memkit.records import Citation
from memkit.runs.columns import (
    ANSWERED,
    ARM,
    ASKED,
    CALL,
    CALLS_FILE,
    CLASSES,
    EFFORT,
    ITEMS_FILE,
    MADE,
    MEMORIES_FILE,
    SCORE,
    STATUS,
)
from memkit.runs.parquet import Schema, Type, write_table
from memkit.runs.units import Pricer

Line: TypeAlias = Mapping[str, Any]
_IN_BUILD = frozenset({"key", "schema", "stream", "seconds", "refused", "calls"})
"""What the record of a build holds beside its measures."""


def write_tables(folder: Path, run: str, plan: Plan, results: Results, records: Records, pricer: Pricer) -> None:
    """Write the three tables of `run` into `folder`, each replaced whole."""
    metrics = sorted({name for row in results.rows for name in row.scores})
    scores: dict[str, Type] = {SCORE + name: "number" for name in metrics}
    _write(folder / ITEMS_FILE, {**ARM, **ASKED, **scores, **ANSWERED}, _items(run, plan, results, records, pricer))
    made = list(_memories(run, plan, records, pricer))
    measures: dict[str, Type] = {name: "number" for line in made for name in line if name not in MADE}
    _write(folder / MEMORIES_FILE, {**MADE, **measures}, made)
    _write(folder / CALLS_FILE, CALL, _calls(run, plan, records, pricer))


def _write(path: Path, schema: Schema, lines: Iterable[Line]) -> None:
    columns: dict[str, list[Any]] = {name: [] for name in schema}
    for line in lines:
        for name, values in columns.items():
            values.append(line.get(name))
    write_table(path, schema, columns)


def _items(run: str, plan: Plan, results: Results, records: Records, pricer: Pricer) -> Iterator[Line]:
    """A line a question, arm and attempt, in the order of the results."""
    places = {_place(cell, item): (cell, item) for cell in plan.cells for item in cell.items}
    for row in results.rows:
        cell, item = places[row.arm, row.stream, row.question, row.attempt]
        yield {**_arm(run, cell.arm), **_question(row, item), **_answered(row, cell, item, records, pricer)}


def _place(cell: Cell, item: Item) -> tuple[str, str, str, int]:
    return cell.arm.label, cell.case.stream.id, item.question.id, item.attempt


def _arm(run: str, arm: Arm) -> Line:
    return {"run": run, "arm": arm.label, **arm.shown, "null": bool(arm.null)}


def _question(row: Row, item: Item) -> Line:
    question = item.question
    return {
        "stream": row.stream,
        "question": row.question,
        "question_text": question.text,
        "gold": question.gold,
        "category": row.category,
        "answerable": question.answerable,
        "evidence": [str(locator) for locator in question.evidence],
        "attempt": row.attempt,
        "status": STATUS.get(row.status, row.status),
        "load": row.load,
        "defect": row.defect,
    }


def _answered(row: Row, cell: Cell, item: Item, records: Records, pricer: Pricer) -> Line:
    keys: Line = {"build_key": cell.build_key or None, "answer_key": item.answer_key, "served": [], "cited": []}
    if row.status in LACKING:
        return keys
    record = records.answer[item.answer_key]
    scores = {SCORE + name: score for name, score in row.scores.items()}
    effort = {name: row.effort.get(name) for name in EFFORT}
    return {
        **keys,
        **scores,
        **effort,
        **pricer.spent(record),
        "served": list(row.served),
        "cited": [_citation(one) for one in row.cited],
        "answer": row.answer,
        "prompt": record.get("prompt"),
        "computed_load": row.computed_load,
        "lost_at": row.lost_at,
        "computation": row.computation,
    }


def _citation(record: Record) -> str:
    return render_citation(_converter.structure(record, Citation))


def _memories(run: str, plan: Plan, records: Records, pricer: Pricer) -> Iterator[Line]:
    """A line a memory and arm, arms in the order of the plan."""
    order = {arm.label: place for place, arm in enumerate(plan.arms)}
    for cell in sorted(plan.cells, key=lambda cell: order[cell.arm.label]):
        if record := records.build.get(cell.build_key):
            measures = {name: value for name, value in record.items() if name not in _IN_BUILD and _is_number(value)}
            yield {
                **measures,
                **_arm(run, cell.arm),
                "stream": cell.case.stream.id,
                "build_key": cell.build_key,
                "seconds": record["seconds"],
                "refused": len(record["refused"]),
                **pricer.spent(record),
            }


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, int | float)


def _calls(run: str, plan: Plan, records: Records, pricer: Pricer) -> Iterator[Line]:
    """A line a booked call of the units that are on record, each unit once however many arms share it."""
    done: set[str] = set()
    for stage, key, about in _units(plan):
        record = getattr(records, stage).get(key)
        if record is None or key in done:
            continue
        done.add(key)
        for call in pricer.calls(record):
            row, usage = call.row, call.row.usage
            yield {
                "run": run,
                "stage": stage,
                "unit": key,
                **about,
                "key": row.key,
                "role": row.role,
                "model": row.model,
                "conversation": row.conversation,
                "place": row.index,
                **{name: getattr(usage, name) for name in CLASSES},
                "usd": call.usd,
                "billed": row.billed,
                "seconds": row.seconds,
                "retries": row.retries,
            }


def _units(plan: Plan) -> Iterator[tuple[Stage, str, Line]]:
    for cell in plan.cells:
        stream: dict[str, Any] = {"stream": cell.case.stream.id}
        yield "build", cell.build_key, stream
        for item in cell.items:
            about = {**stream, "question": item.question.id, "attempt": item.attempt}
            yield "answer", item.answer_key, about
            yield "judge", item.judge_key, about


_converter = make_converter()
