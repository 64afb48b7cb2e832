"""From the log of units to rows, and from rows to the table: one row a question, arm and attempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from attrs import field, frozen

from memkit.accounting.prices import PriceTable
from memkit.compare.arms import Arm
from memkit.compare.builds import BUILD, STORE
from memkit.compare.cases import hint
from memkit.compare.costs import cost_columns, record_bill
from memkit.compare.effort import EFFORT
from memkit.compare.loads import LoadBin, by_load
from memkit.compare.payback import BreakEven, Expense, pay_back
from memkit.compare.plan import Cell, Plan
from memkit.compare.spec import FACTORS
from memkit.compare.units import Record, Records
from memkit.metrics.funnel import totals
from memkit.metrics.stats import Difference, paired_difference

EXTRA_METRICS = (
    "exact",
    "correctness",
    "citation_correctness",
    "citation_relevance",
    "coherent_aggregation",
    "abstention",
)
"""Shown beside the metrics of the spec wherever an arm has them: they are about questions of their own kind."""

LACKING = frozenset({"missing", "infra_error"})
"""Statuses of rows without scores: not done yet, or tried and failed for a reason that is no answer."""


@frozen
class Row:
    """One question under one arm. `scores` are in [0, 1]; a score that does not apply is absent.

    `served` are the locators that reached the model, `cited` the citations of the answer, both as the log holds them.
    `defect` says why the question's gold does not stand, and `load` how many events contribute to its answer; they
    are read from the data, so they are always what is known now. `computed_load` is that of what the arm computed.
    `lost_at` and `computation` are labels of `memkit.metrics.funnel`; None where they are not known.
    """

    arm: str
    stream: str
    question: str
    category: str
    attempt: int
    status: str
    scores: Mapping[str, float] = field(factory=dict)
    effort: Mapping[str, float | None] = field(factory=dict)
    answer: str = ""
    served: Sequence[str] = ()
    cited: Sequence[Record] = ()
    defect: str = ""
    load: int | None = None
    computed_load: int | None = None
    lost_at: str | None = None
    computation: str | None = None


@frozen
class ArmSummary:
    """Means of an arm over its answered rows; None where no row has the value.

    `query_cost` is that of a question and `build_cost` that of a memory, under the names of `COSTS`; an arm is charged
    logically for the whole of a memory that it shares. `cache_share` is how much of the saving that caching allows
    was realised over all its questions. `break_even` is against the baseline, and None for that itself. `lost` counts
    the answers by where their evidence was lost, as `memkit.metrics.funnel.totals` does.
    """

    label: str
    factors: Mapping[str, str]
    null: bool
    items: int
    answered: int
    scores: Mapping[str, float | None]
    effort: Mapping[str, float | None]
    memory: Mapping[str, float | None]
    query_cost: Mapping[str, float | None]
    build_cost: Mapping[str, float | None]
    cache_share: float | None
    break_even: BreakEven | None
    lost: Mapping[str, int] = field(factory=dict)


@frozen
class ContrastResult:
    """The paired difference `arm` minus `against` on one metric."""

    metric: str
    arm: str
    against: str
    difference: Difference


@frozen
class Results:
    """Everything a table or a JSON output shows."""

    rows: tuple[Row, ...] = field(repr=False)
    arms: tuple[ArmSummary, ...] = ()
    contrasts: tuple[ContrastResult, ...] = ()
    remarks: tuple[str, ...] = ()
    loads: tuple[LoadBin, ...] = ()
    """The primary metric by load."""


def collect(plan: Plan, records: Records, prices: PriceTable) -> Results:
    """Work out the table; units that are not on record are rows of status `LACKING`."""
    rows: dict[str, list[Row]] = {arm.label: [] for arm in plan.arms}
    memories: dict[str, list[Record]] = {arm.label: [] for arm in plan.arms}
    for cell in plan.cells:
        rows[cell.arm.label] += _cell_rows(cell, records)
        if cell.build_key in records.build:
            memories[cell.arm.label].append(records.build[cell.build_key])
    spent = {arm.label: _expense(plan, arm, rows[arm.label], memories[arm.label], records, prices) for arm in plan.arms}
    base = spent[plan.baseline.label]
    arms = tuple(_summary(arm, rows[arm.label], memories[arm.label], spent[arm.label], base) for arm in plan.arms)
    every = tuple(row for arm in plan.arms for row in rows[arm.label])
    remarks = (*_remarks(plan, arms), *_unpriced(spent.values()))
    loads = by_load(every, [arm.label for arm in arms], plan.spec.metrics.primary)
    return Results(every, arms, tuple(_contrasts(plan, rows)), remarks, loads)


def shown_metrics(plan: Plan, arms: Sequence[ArmSummary]) -> list[str]:
    """The metrics of the spec, the primary one first, then what else there is to show."""
    extra = (name for name in EXTRA_METRICS if any(name in arm.scores for arm in arms))
    return list(dict.fromkeys((plan.spec.metrics.primary, *plan.spec.metrics.also, *extra)))


def _cell_rows(cell: Cell, records: Records) -> Iterator[Row]:
    for item in cell.items:
        question = item.question
        about = (cell.arm.label, cell.case.stream.id, question.id, question.category, item.attempt)
        answered, judged = records.answer.get(item.answer_key), records.judge.get(item.judge_key)
        if answered is None or judged is None:
            failed = item.judge_key in records.failure or cell.build_key in records.failure
            status = "infra_error" if failed else "missing"
            yield Row(*about, status, defect=question.defect, load=question.load)
            continue
        answer = answered["answer"]
        yield Row(
            *about,
            answer["end"],
            judged["scores"],
            answered["effort"],
            answer["text"],
            answer["effort"]["served"],
            answer["citations"],
            question.defect,
            question.load,
            answer["load"],
            judged.get("lost_at"),
            judged.get("computation"),
        )


def _done(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row.status not in LACKING]


def _expense(
    plan: Plan, arm: Arm, rows: Sequence[Row], memories: Sequence[Record], records: Records, prices: PriceTable
) -> Expense:
    keys = (item.answer_key for cell in plan.cells if cell.arm is arm for item in cell.items)
    queries = record_bill((records.answer[key] for key in keys if key in records.answer), prices)
    return Expense(arm.label, queries, len(_done(rows)), record_bill(memories, prices), len(memories))


def _unpriced(spent: Iterable[Expense]) -> Iterator[str]:
    """Why a price is unknown, once each."""
    yield from dict.fromkeys(reason for one in spent for reason in one.queries.unknown)


def _summary(arm: Arm, rows: Sequence[Row], memories: Sequence[Record], spent: Expense, base: Expense) -> ArmSummary:
    done = _done(rows)
    names = dict.fromkeys(name for row in done for name in row.scores)
    return ArmSummary(
        label=arm.label,
        factors=arm.shown,
        null=bool(arm.null),
        items=len(rows),
        answered=len(done),
        scores={name: _mean(row.scores.get(name) for row in done) for name in names},
        effort={name: _mean(row.effort[name] for row in done) for name in EFFORT},
        memory={name: _mean(memory[name] for memory in memories) for name in (*BUILD, *STORE, "seconds")},
        query_cost=cost_columns(spent.queries, spent.questions),
        build_cost=cost_columns(spent.builds, spent.memories),
        cache_share=spent.queries.bounds.share,
        break_even=None if spent is base else pay_back(spent, base),
        lost=totals(row.lost_at for row in done),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _contrasts(plan: Plan, rows: Mapping[str, Sequence[Row]]) -> Iterator[ContrastResult]:
    metrics = dict.fromkeys((plan.spec.metrics.primary, *plan.spec.metrics.also))
    for arm, against in contrast_pairs(plan):
        for metric in metrics:
            pairs = list(_paired(rows[arm.label], rows[against.label], metric))
            if pairs:
                yield ContrastResult(metric, arm.label, against.label, paired_difference(pairs))


def contrast_pairs(plan: Plan) -> Iterator[tuple[Arm, Arm]]:
    """The contrasts the spec declares; without any, every other arm against the baseline."""
    arms = [arm for arm in plan.arms if not arm.null]
    if not plan.spec.contrasts:
        yield from ((arm, plan.baseline) for arm in arms if arm is not plan.baseline)
        return
    for contrast in plan.spec.contrasts:
        for number, against in enumerate(arms):
            for arm in arms[number + 1 :]:
                if [name for name in FACTORS if arm.shown[name] != against.shown[name]] == [contrast.vary]:
                    yield arm, against


def _paired(rows: Sequence[Row], against: Sequence[Row], metric: str) -> Iterator[tuple[str, float, float]]:
    """(stream, score, other's score) of each question scored in both, attempts averaged first."""
    ours, theirs = _by_question(rows, metric), _by_question(against, metric)
    for item in (item for item in ours if item in theirs):
        yield item[0], fmean(ours[item]), fmean(theirs[item])


def _by_question(rows: Sequence[Row], metric: str) -> dict[tuple[str, str], list[float]]:
    found: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if metric in row.scores:
            found.setdefault((row.stream, row.question), []).append(row.scores[metric])
    return found


def _remarks(plan: Plan, arms: Sequence[ArmSummary]) -> Iterator[str]:
    """Say it when a memory does not beat having none, or reading as much as fits; and when a metric is unknown."""
    known = dict.fromkeys(name for arm in arms for name in arm.scores)
    for metric in shown_metrics(plan, arms):
        if known and metric not in known:
            yield f"no answer has the metric {metric}; {hint(metric, known)}"
    memoryless = {arm.label for arm in plan.arms if arm.memoryless}
    for arm in arms:
        for null in arms:
            if arm.null or arm.label in memoryless or not null.null or null.label == "oracle":
                continue
            for metric in dict.fromkeys((plan.spec.metrics.primary, "answer_f1")):
                ours, theirs = arm.scores.get(metric), null.scores.get(metric)
                if ours is not None and theirs is not None and ours <= theirs:
                    yield f"{arm.label} does not beat {null.label} on {metric} ({ours:.3f} against {theirs:.3f})"
