"""A run as the statistics see it: for each arm, its rows column by column; and what is to be compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from memkit.compare.spec import Held
from memkit.runs.columns import EFFORT, ITEMS_FILE, SCORE, SPENT
from memkit.runs.open import Run
from memkit.runs.parquet import column_names

T = TypeVar("T")
Item: TypeAlias = tuple[str, str]
"""Stream and question: what the arms of a run share. The stream is the cluster."""
MISSING = frozenset({"missing", "infra_error", "timeout"})
"""Statuses of rows whose scores are unknown: missing data, never wrong answers."""
MEASURES = (*EFFORT, *SPENT, "served_locators")
"""Columns that are counted, not scored; more is worse. `served_locators` counts `served`."""
ALIASES = {"cost_logical": "usd_logical", "cost_billed": "usd_billed"}
"""Other names of measures, as specs write them."""


@frozen
class ArmRows:
    """The rows of one arm. All sequences are as long as there are rows; None is missing, or does not apply."""

    label: str
    factors: Mapping[str, str]
    null: bool
    items: Sequence[Item] = field(repr=False)
    categories: Sequence[str] = field(repr=False)
    statuses: Sequence[str] = field(repr=False)
    values: Mapping[str, Sequence[float | None]] = field(repr=False)
    """Column -> values."""
    prompts: tuple[str, ...] = ()
    """Digests of the prompts it answered by; empty where they are not on record."""
    _known: dict[Any, Any] = field(factory=dict, init=False, repr=False, eq=False)

    def attempts(self, metric: str) -> Mapping[Item, Sequence[float]]:
        """The values of each question that has any, attempt by attempt."""
        return self._once(("attempts", metric), lambda: self._attempts(metric))

    def scored(self, metric: str) -> Mapping[Item, tuple[str, float]]:
        """Question -> (stream, value), attempts averaged first."""
        found = self.attempts(metric)
        return self._once(
            ("scored", metric), lambda: {item: (item[0], _mean(values)) for item, values in found.items()}
        )

    def missing(self, metric: str) -> Mapping[Item, int]:
        """Question -> how many of its values are missing.

        A missing row counts unless others of its category are answered and the metric applies to none of them: so
        an arm's figures never depend on those of another.
        """
        return self._once(("missing", metric), lambda: self._missing(metric))

    @property
    def answered(self) -> int:
        """How many rows have an answer."""
        return sum(status not in MISSING for status in self.statuses)

    def known(self, measure: str) -> Sequence[float | None]:
        """A measure of each row that has an answer."""
        values = self.values[column_of(measure)]
        return [value for value, status in zip(values, self.statuses, strict=True) if status not in MISSING]

    def with_scores(self, metric: str, measures: Sequence[str]) -> list[tuple[str, float | None, float]]:
        """(stream, sum of measures or None where one is unknown, score) of each row that has a score, by stream."""
        scores = self.values.get(column_of(metric), [None] * len(self.items))
        found = [
            (item[0], None if None in spent else sum(value or 0.0 for value in spent), score)
            for item, score, *spent in zip(self.items, scores, *(self.values[name] for name in measures), strict=True)
            if score is not None
        ]
        return sorted(found, key=lambda row: row[0])

    def category_of(self) -> Mapping[Item, str]:
        """Question -> its category."""
        return self._once("category", lambda: dict(zip(self.items, self.categories, strict=True)))

    def _attempts(self, metric: str) -> dict[Item, list[float]]:
        found: dict[Item, list[float]] = {}
        for item, value in zip(self.items, self.values.get(column_of(metric), ()), strict=False):
            if value is not None:
                found.setdefault(item, []).append(value)
        return found

    def _missing(self, metric: str) -> dict[Item, int]:
        applies, answered = set(), set()
        values = self.values.get(column_of(metric)) or [None] * len(self.items)
        rows = list(zip(self.items, self.categories, self.statuses, values, strict=True))
        for _, category, status, value in rows:
            if value is not None:
                applies.add(category)
            if status not in MISSING:
                answered.add(category)
        found: dict[Item, int] = defaultdict(int)
        for item, category, status, value in rows:
            if value is None and status in MISSING and (category in applies or category not in answered):
                found[item] += 1
        return dict(found)

    def _once(self, key: Any, make: Callable[[], T]) -> T:
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found


@frozen
class GateRule:
    """On `metric` no other arm may be worse than `vs` by more than `margin`."""

    metric: str
    vs: str
    margin: float


@frozen
class Design:
    """What is to be compared: set before the results are known."""

    primary: str
    metrics: tuple[str, ...]
    """The primary one first."""
    baseline: str
    pairs: tuple[tuple[str, str], ...]
    """The declared contrasts: arm and what it is compared with."""
    gates: tuple[GateRule, ...] = ()
    hold_equal: tuple[Held, ...] = ()
    judge: str = ""
    max_missing: float = 0.0
    """The share of rows that may be missing for a gate to be decided."""


@frozen
class Sheet:
    """All that the statistics need."""

    design: Design
    arms: Mapping[str, ArmRows]
    """By label, in the order of the plan."""


def column_of(metric: str) -> str:
    """The column of a metric: a measure's own, else one of scores."""
    name = ALIASES.get(metric, metric)
    return name if name in MEASURES else SCORE + name


def is_measure(metric: str) -> bool:
    """Whether a metric is a count or a cost, of which less is better, and not a score in [0, 1]."""
    return not column_of(metric).startswith(SCORE)


def read_sheet(run: Run) -> Sheet:
    """What the statistics need of a run; its texts stay on disk."""
    import polars as pl

    present = column_names(run.results / ITEMS_FILE)
    values = [name for name in present if name.startswith(SCORE) or name in MEASURES]
    frame = run.read_items(["arm", "stream", "question", "category", "status", "prompt", "served", *values])
    frame = frame.with_columns(
        pl.when(pl.col("status").is_in(list(MISSING))).then(None).otherwise(pl.col("served").list.len())
        .alias("served_locators")
    ).drop("served")  # fmt: skip
    parts = frame.partition_by("arm", as_dict=True, include_key=False)
    empty = frame.head(0).drop("arm")
    arms = [_arm_rows(arm, parts.get((arm["label"],), empty), values) for arm in run.summary["arms"]]
    return Sheet(design_of(run), {arm.label: arm for arm in arms})


def design_of(run: Run) -> Design:
    """What a run's spec declares."""
    spec, summary = run.spec, run.summary
    metrics = spec.get("metrics", {})
    gates = [GateRule(one["metric"], one["vs"], one["noninferior"]) for one in spec.get("gate", ())]
    baseline = summary["baseline"]
    return Design(
        primary=summary["primary"],
        metrics=tuple(dict.fromkeys((summary["primary"], *metrics.get("also", ())))),
        baseline=baseline,
        pairs=tuple((arm, against) for arm, against in summary["pairs"]),
        gates=tuple(evolve(one, vs=baseline) if one.vs == "baseline" else one for one in gates),
        hold_equal=tuple(spec.get("hold_equal", ())),
        judge=_judge(spec.get("judge")),
        max_missing=spec.get("errors", {}).get("max_rate") or 0.0,
    )


def _judge(judge: Any) -> str:
    return str(judge.get("label") or judge.get("use", "")) if isinstance(judge, dict) else str(judge or "")


def _arm_rows(arm: Mapping[str, Any], frame: Any, values: Sequence[str]) -> ArmRows:
    columns = {name: frame[name].to_list() for name in frame.columns}
    return ArmRows(
        label=arm["label"],
        factors=arm["factors"],
        null=arm["null"],
        items=list(zip(columns["stream"], columns["question"], strict=True)),
        categories=columns["category"],
        statuses=columns["status"],
        values={name: columns[name] for name in (*values, "served_locators")},
        prompts=tuple(sorted({prompt for prompt in columns["prompt"] if prompt is not None})),
    )


def _mean(values: Sequence[float]) -> float:
    return values[0] if len(values) == 1 else fmean(values)
