"""Planning a comparison: which arms there are, on which streams, and the key of every unit of work."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen

from memkit.compare.arms import Arm, Excluded, baseline, make_arms
from memkit.compare.cases import load_cases
from memkit.compare.keys import Keys, answer_key, judge_key
from memkit.compare.parts import check_parts
from memkit.compare.promises import check_gates, check_held
from memkit.compare.spec import Spec
from memkit.records import Case, Question
from memkit.registry import Registry


@frozen
class Item:
    """One question, one attempt, and the keys under which its answer and its scores are recorded."""

    question: Question = field(repr=False)
    attempt: int
    answer_key: str
    judge_key: str


@frozen
class Cell:
    """An arm on one stream. `build_key` names the memory it reads (empty for null rows)."""

    arm: Arm
    case: Case = field(eq=False, hash=False, repr=False)
    build_key: str
    items: tuple[Item, ...] = field(eq=False, hash=False, repr=False)


@frozen
class Defective:
    """A question whose gold its stream contradicts, and how."""

    stream: str
    question: str
    reason: str


@frozen
class Plan:
    """Everything a run will do, in the order it will do it.

    `defective` are the questions with a gold that does not stand. They are asked and judged like any other; a plan that
    is `without_defective` is for reading results, and has none of them in its cells.
    """

    spec: Spec
    arms: tuple[Arm, ...]
    excluded: tuple[Excluded, ...]
    cells: tuple[Cell, ...] = field(repr=False)
    baseline: Arm
    notes: tuple[str, ...]
    defective: tuple[Defective, ...] = ()
    without_defective: bool = False

    def sound(self) -> Plan:
        """The plan without its defective questions: what is read by it is restated throughout."""
        cells = tuple(
            evolve(cell, items=tuple(item for item in cell.items if not item.question.defect)) for cell in self.cells
        )
        return evolve(self, cells=cells, without_defective=True)


def make_plan(spec: Spec, registry: Registry, *, where: str = "") -> Plan:
    """Load the data, form the arms and key the work; UserError when that cannot be done.

    `where` names the spec in errors.
    """
    check_parts(spec, registry, where=where)
    arms, excluded = make_arms(spec, registry, where=where)
    base = baseline(spec, arms, where=where)
    check_gates(spec, arms, where=where)
    check_held(spec, arms, where=where)
    cases = load_cases(spec, registry, where=where)
    notes = tuple(note for case in cases for note in case.notes)
    cells = make_cells(spec, registry, arms, cases)
    return Plan(spec, arms, excluded, cells, base, notes, tuple(_defective(cases)))


def make_cells(spec: Spec, registry: Registry, arms: Sequence[Arm], cases: Sequence[Case]) -> tuple[Cell, ...]:
    """Every arm on every stream, keyed; the arms of a stream in an order of its own, so that none always goes first."""
    keys = Keys(registry, spec)
    return tuple(make_cell(keys, arm, case) for case in cases for arm in _shuffled(arms, spec.seed, case.stream.id))


def _defective(cases: Sequence[Case]) -> Iterator[Defective]:
    for case in cases:
        for question in case.questions:
            if question.defect:
                yield Defective(case.stream.id, question.id, question.defect)


def make_cell(keys: Keys, arm: Arm, case: Case) -> Cell:
    """The cell of an arm on a case, with every key."""
    return Cell(arm, case, keys.build(arm, case.stream), tuple(_items(keys, arm, case)))


def _items(keys: Keys, arm: Arm, case: Case) -> Iterator[Item]:
    searcher, judge = keys.searcher(arm, case.stream), keys.judge()
    for question in case.questions:
        for attempt in range(keys.spec.attempts):
            key = answer_key(searcher, question, attempt, marked=arm.null == "oracle")
            yield Item(question, attempt, key, judge_key(key, question, judge))


def _shuffled(arms: Sequence[Arm], seed: int, stream: str) -> list[Arm]:
    return random.Random(f"{seed}:{stream}").sample(arms, len(arms))
