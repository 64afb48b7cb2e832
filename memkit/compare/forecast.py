"""What a comparison has to do, may reuse and may cost, and the smallest difference it can detect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import field, frozen

from memkit.accounting.prices import PriceTable
from memkit.compare.arms import Arm
from memkit.compare.models import is_ours
from memkit.compare.plan import Cell, Plan
from memkit.compare.pricing import UNKNOWN, Range, Sampled, sample_of
from memkit.compare.reuse import find_records, merged
from memkit.compare.spec import Use
from memkit.compare.units import Records, UnitLog
from memkit.metrics.inference import ASSUMED_ICC, ASSUMED_SD, POWER, detectable
from memkit.registry import Registry
from memkit.tokens import count_tokens
from memkit.transcript import render_unit

SAMPLE = 2
"""Answers of an arm that an estimate needs, and so the questions that a pilot or a rehearsal asks."""
ASSUMPTIONS = (
    f"power {POWER:.0%} at the 5 % level; standard deviation of the paired differences {ASSUMED_SD},"
    f" correlation within a stream {ASSUMED_ICC}"
)
Basis: TypeAlias = Literal["costs nothing", "answers on record", "rehearsal", "unknown"]


@frozen
class Work:
    """Units of one stage: left to do, and on record, here or in another run."""

    stage: Literal["builds", "answers", "judgements"]
    todo: int
    reused: int


@frozen
class Todo:
    """What is left to do of an arm; a unit that arms share counts for the first of them alone."""

    streams: tuple[str, ...] = ()
    """Of which a memory is to be built."""
    answers: int = 0
    judgements: int = 0


@frozen
class Estimate:
    """What an arm has left to do, and what that may take; `basis` says how that is known."""

    arm: str
    todo: Todo
    basis: Basis
    takes: Range


@frozen
class Forecast:
    """A plan, and what it would take. `detectable` is None with one stream."""

    directory: Path
    plan: Plan = field(repr=False)
    work: tuple[Work, ...]
    estimates: tuple[Estimate, ...]
    streams: int
    questions: int
    detectable: float | None
    prices: str
    pilot: str = ""
    """What a pilot did; empty where there was none."""

    @property
    def total(self) -> Range:
        """What all arms may take together."""
        return sum((one.takes for one in self.estimates), Range())


@frozen
class Rehearsal:
    """A plan like that of the run, arm by arm, that was tried on a few questions, and what is on record of it."""

    plan: Plan
    records: Records


@frozen
class Forecaster:
    """Works out forecasts of one plan in its directory. `sizes` are the tokens of each stream."""

    plan: Plan
    registry: Registry
    prices: PriceTable
    directory: Path
    sizes: Mapping[str, int]

    def records(self) -> Records:
        """What is on record, here or in another run."""
        own = UnitLog(self.directory / "units").load()
        return merged(own, find_records(self.directory, self.plan.cells, own))

    def paid_arms(self) -> list[int]:
        """The places of the arms that ask a model which is not ours, for an answer, a build or a judgement."""
        return [
            number
            for number, arm in enumerate(self.plan.arms)
            if not all(map(is_ours, self.models(arm, asked=True).values()))
        ]

    def models(self, arm: Arm, *, asked: bool = False) -> dict[str, Use]:
        """The model of each stage; only those that a part does ask, when `asked`."""
        spec = self.plan.spec
        found = {"answer": arm.factors.get("search_model", spec.factors.models.search[0]), "judge": spec.judge_model}
        found["build"] = arm.factors.get("manage_model", spec.factors.models.manage[0])
        if asked and "model" not in self.registry.part("judge", spec.judge.use).wants:
            del found["judge"]
        if asked and (arm.null or "model" not in self.registry.part("builder", arm.factors["builder"].use).wants):
            del found["build"]
        return found

    def lacking(self) -> list[int]:
        """The places of the arms that have something to pay for, and too few answers on record to tell how much."""
        records = self.records()
        left = todos(self.plan, records)
        paid = [number for number in self.paid_arms() if left[self.plan.arms[number].label] != Todo()]
        return [number for number in paid if self._sample(self.plan, number, records).answers < SAMPLE]

    def forecast(self, rehearsal: Rehearsal | None, pilot: str = "") -> Forecast:
        """By what is on record, and for arms with too little of that by the rehearsal."""
        records = self.records()
        left, paid = todos(self.plan, records), self.paid_arms()
        questions = {(cell.case.stream.id, item.question.id) for cell in self.plan.cells for item in cell.items}
        return Forecast(
            directory=self.directory,
            plan=self.plan,
            work=_work(self.plan, left),
            estimates=tuple(
                self._estimate(
                    number, arm, left[arm.label], records, rehearsal if number in paid else None, number in paid
                )
                for number, arm in enumerate(self.plan.arms)
            ),
            streams=len(self.sizes),
            questions=len(questions),
            detectable=detectable(len(self.sizes), len(questions)),
            prices=self.prices.version,
            pilot=pilot,
        )

    def _estimate(
        self,
        number: int,
        arm: Arm,
        todo: Todo,
        records: Records,
        rehearsal: Rehearsal | None,
        paid: bool,  # noqa: FBT001
    ) -> Estimate:
        if not paid or todo == Todo():
            return Estimate(arm.label, todo, "costs nothing", Range())
        found, basis = self._sample(self.plan, number, records), "answers on record"
        if found.answers < SAMPLE and rehearsal:
            found, basis = self._sample(rehearsal.plan, number, rehearsal.records), "rehearsal"
        takes = self._takes(todo, found)
        return Estimate(arm.label, todo, basis if takes != UNKNOWN else "unknown", takes)  # type: ignore[arg-type]

    def _sample(self, plan: Plan, number: int, records: Records) -> Sampled:
        models = self.models(self.plan.arms[number])
        return sample_of(plan, plan.arms[number], records, self.sizes, models, self.prices)

    def _takes(self, todo: Todo, found: Sampled) -> Range:
        tokens = sum(self.sizes[stream] for stream in todo.streams)
        parts = ((todo.answers, found.answer), (todo.judgements, found.judgement), (tokens, found.build))
        total = Range()
        for count, one in parts:
            if count:
                if one is None:
                    return UNKNOWN
                total += one.times(count)
        return total


def todos(plan: Plan, records: Records) -> dict[str, Todo]:
    """Label -> what is left to do of each arm."""
    seen: set[str] = set()

    def is_new(key: str, known: Mapping[str, object]) -> bool:
        fresh = key not in known and key not in seen
        seen.add(key)
        return fresh

    left: dict[str, Todo] = {}
    for arm in plan.arms:
        streams, answers, judgements = [], 0, 0
        for cell in (cell for cell in plan.cells if cell.arm is arm):
            before = answers + judgements
            answers += sum(is_new(item.answer_key, records.answer) for item in cell.items)
            judgements += sum(is_new(item.judge_key, records.judge) for item in cell.items)
            if answers + judgements > before and cell.build_key and is_new(cell.build_key, records.build):
                streams.append(cell.case.stream.id)
        left[arm.label] = Todo(tuple(streams), answers, judgements)
    return left


def stream_sizes(cells: Sequence[Cell]) -> dict[str, int]:
    """Tokens of each stream, as its archive would render it."""
    sizes: dict[str, int] = {}
    for cell in cells:
        if cell.case.stream.id not in sizes:
            sizes[cell.case.stream.id] = sum(count_tokens(render_unit(unit)) for unit in cell.case.stream.units)
    return sizes


def _work(plan: Plan, left: Mapping[str, Todo]) -> tuple[Work, ...]:
    items = [item for cell in plan.cells for item in cell.items]
    builds, answers, judgements = (
        len({cell.build_key for cell in plan.cells if cell.build_key}),
        len({item.answer_key for item in items}),
        len({item.judge_key for item in items}),
    )
    todo = [
        sum(values)
        for values in zip(*((len(one.streams), one.answers, one.judgements) for one in left.values()), strict=True)
    ]
    return (
        Work("builds", todo[0], builds - todo[0]),
        Work("answers", todo[1], answers - todo[1]),
        Work("judgements", todo[2], judgements - todo[2]),
    )
