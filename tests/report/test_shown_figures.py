"""Every number beside a figure, worked out again from the parquet files alone; and that the figures draw these."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from statistics import fmean
from typing import Any
from xml.etree.ElementTree import Element

import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from memkit.report.document import Report, make_report
from memkit.report.html import render_html
from memkit.runs.open import Run

ReadPage = Callable[[str], Any]
Rows = list[dict[str, Any]]
METRIC = "score_evidence_recall"
TOKENS = ("uncached", "cache_read", "cache_write", "output")


@pytest.fixture(scope="module", params=["demo_run", "hostile_run"])
def run(request: pytest.FixtureRequest) -> Run:
    """One stream, then several."""
    found: Run = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def report(run: Run) -> Report:
    """Without transcripts."""
    return make_report(run, each_way=0)


@pytest.fixture(scope="module")
def tables(report: Report, read_page: ReadPage) -> dict[str, list[list[list[str]]]]:
    """The cells of each section's tables."""
    found: dict[str, list[list[list[str]]]] = read_page(render_html(report)).tables
    return found


@pytest.fixture(scope="module")
def items(run: Run) -> Rows:
    """The rows of the file."""
    return pl.read_parquet(run.results / "items.parquet").to_dicts()


@pytest.fixture(scope="module")
def memories(run: Run) -> Rows:
    """The rows of the file."""
    return pl.read_parquet(run.results / "memories.parquet").to_dicts()


def labels(items: Rows) -> list[str]:
    """The arms in order."""
    return list(dict.fromkeys(row["arm"] for row in items))


def scored(items: Rows, arm: str, column: str = METRIC) -> dict[tuple[str, str], float]:
    """Question -> score."""
    return {(r["stream"], r["question"]): r[column] for r in items if r["arm"] == arm and r[column] is not None}


def seen(value: str) -> float:
    """A number as the page writes it."""
    return float(value.replace("−", "-").replace(",", "").removesuffix("\u00a0%").removesuffix(" %"))


def close(value: str, expected: float | None, digits: int = 3) -> bool:
    """Whether a cell shows that number; a dash shows none."""
    if expected is None or value == "–":
        return expected is None and value == "–"
    return abs(seen(value) - expected) <= 0.5001 * 10**-digits


def body(table: Sequence[list[str]]) -> Iterator[list[str]]:
    """The rows below the head whose first cell is not empty."""
    return (row for row in table[1:] if row[0])


def test_arms(tables: dict[str, Any], items: Rows) -> None:
    """Means, intervals and coverage of the arms."""
    rows = list(body(tables["arms"][0]))

    assert len(labels(items)) == len(rows)
    for arm, row in zip(labels(items), rows, strict=True):
        found = scored(items, arm)
        assert close(row[3], fmean(found.values()))
        low, high = (seen(end) for end in row[4].split(" to "))
        n = effective(found)
        expected = proportion_confint(fmean(found.values()) * n, n, method="wilson")
        assert (low, high) == pytest.approx(expected, abs=6e-4)
        answered = sum(r["status"] == "ok" for r in items if r["arm"] == arm)
        assert f"{answered} of {sum(r['arm'] == arm for r in items)}" == row[5]


def effective(found: dict[tuple[str, str], float]) -> float:
    """Questions over the design effect."""
    mean, n = fmean(found.values()), len(found)
    groups = defaultdict(list)
    for (stream, _), score in found.items():
        groups[stream].append(score - mean)
    independent = sum(d * d for group in groups.values() for d in group)
    robust = len(groups) / max(len(groups) - 1, 1) * sum(sum(group) ** 2 for group in groups.values())
    if len(groups) < 2 or independent == 0 or robust <= 0:
        return n
    return min(max(n * independent / robust, len(groups)), n)


def test_contrasts(tables: dict[str, Any], items: Rows, run: Run) -> None:
    """The mean differences, the cluster-robust intervals, and the counts of better and worse."""
    rows = list(body(tables["contrasts"][0]))
    pairs = run.summary["pairs"]

    assert len(pairs) == len(rows)
    for (arm, against), row in zip(pairs, rows, strict=True):
        ours, theirs = scored(items, arm), scored(items, against)
        differences = {item: ours[item] - theirs[item] for item in ours.keys() & theirs.keys()}
        mean = fmean(differences.values())
        assert close(row[2], mean)
        assert f"{sum(d > 0 for d in differences.values())}, {sum(d < 0 for d in differences.values())}" == row[6]
        groups = defaultdict(list)
        for (stream, _), d in differences.items():
            groups[stream].append(d - mean)
        assert f"{len(differences)}, {len(groups)}" == row[7]
        if len(groups) == 1:
            assert "–" == row[3]
            continue
        c = len(groups)
        se = sqrt(c / (c - 1) * sum(sum(group) ** 2 for group in groups.values())) / len(differences)
        margin = stats.t.ppf(0.975, c - 1) * se
        low, high = (seen(end) for end in row[3].split(" to "))
        assert (low, high) == pytest.approx((mean - margin, mean + margin), abs=6e-4)


def question_tokens(items: Rows, arm: str) -> dict[str, float]:
    """Means by class."""
    return {name: fmean(r[name] for r in items if r["arm"] == arm) for name in TOKENS}


def build_tokens(memories: Rows, arm: str) -> dict[str, float]:
    """Means by class."""
    rows = [row for row in memories if row["arm"] == arm]
    return {name: fmean(row[name] for row in rows) for name in TOKENS}


def test_tokens(tables: dict[str, Any], items: Rows, memories: Rows) -> None:
    """Tokens by class of a question and of a build."""
    question, build = tables["tokens"]
    for arm, row in zip(labels(items), body(question), strict=True):
        means = question_tokens(items, arm)
        assert close(row[2], sum(means.values()), 0)
        assert all(close(cell, means[name], 0) for cell, name in zip(row[3:7], TOKENS, strict=True))
    for arm, row in zip(dict.fromkeys(row["arm"] for row in memories), body(build), strict=True):
        means = build_tokens(memories, arm)
        assert close(row[2], sum(means.values()), 0)
        assert all(close(cell, means[name], 0) for cell, name in zip(row[3:7], TOKENS, strict=True))


def test_frontier(tables: dict[str, Any], items: Rows) -> None:
    """Cost and score of each arm, and which no other beats on both."""
    places = {
        arm: (sum(question_tokens(items, arm).values()), fmean(scored(items, arm).values())) for arm in labels(items)
    }
    rivals = [arm for arm in places if not next(r["null"] for r in items if r["arm"] == arm)]
    for arm, row in zip(places, body(tables["frontier"][0]), strict=True):
        cost, score = places[arm]
        beaten = any(
            places[other][0] <= cost and places[other][1] >= score and places[other] != places[arm] for other in rivals
        )
        assert close(row[1], cost, 0)
        assert close(row[2], score)
        assert ("–" if arm not in rivals else "no" if beaten else "efficient") == row[3]


def test_payback(tables: dict[str, Any], items: Rows, memories: Rows, run: Run) -> None:
    """Build and question in tokens, and the first number of questions at which the dearer memory costs no more."""
    base = run.summary["baseline"]
    costs = {
        arm: (sum(build_tokens(memories, arm).values()), sum(question_tokens(items, arm).values()))
        for arm in dict.fromkeys(row["arm"] for row in memories)
    }
    if not any(build for build, _ in costs.values()):
        assert "payback" not in tables
        return
    for arm, row in zip(costs, body(tables["payback"][0]), strict=True):
        (build, question), (other_build, other_question) = costs[arm], costs[base]
        assert close(row[1], build, 0)
        assert close(row[2], question, 0)
        if build > other_build and question < other_question:
            after = next(n for n in range(10**6) if build + n * question <= other_build + n * other_question)
            assert f"has paid after {after} questions" == row[3]


def test_categories(tables: dict[str, Any], items: Rows) -> None:
    """The mean of each category under each arm, and how many questions it has."""
    heat = tables["categories"][0]
    names = sorted({row["category"] for row in items if row[METRIC] is not None})
    assert len(names) == len(heat[0]) - 1
    for arm, row in zip(labels(items), body(heat), strict=True):
        for name, cell in zip(names, row[1:], strict=True):
            values = [r[METRIC] for r in items if r["arm"] == arm and r["category"] == name and r[METRIC] is not None]
            assert f"{fmean(values):.3f}{len(values)}" == cell


def test_loads(tables: dict[str, Any], items: Rows) -> None:
    """The mean of each range of loads, and how many questions it has; no section where the data tell none."""
    if all(row["load"] is None for row in items):
        assert "load" not in tables
        return
    ((head, *rows),) = tables["load"]
    for place, title in enumerate(head[1:], 1):
        found = re.fullmatch(r"(?:(\d+)-(\d+)|over (\d+))\((\d+)\)", title)
        assert found
        low, high = (int(found[3]) + 1, 10**9) if found[3] else (int(found[1]), int(found[2]))
        for arm, row in zip(labels(items), rows, strict=True):
            here = [r[METRIC] for r in items if r["arm"] == arm and low <= r["load"] <= high]
            assert int(found[4]) == len(here)
            assert close(row[place], fmean(here))


def test_effort(tables: dict[str, Any], items: Rows) -> None:
    """Mean tool calls, rounds, errors and tokens served."""
    for arm, row in zip(labels(items), body(tables["effort"][0]), strict=True):
        rows = [r for r in items if r["arm"] == arm]
        names = (("tool_calls", 1), ("rounds", 1), ("tool_errors", 2), ("served_tokens", 0))
        for cell, (name, digits) in zip(row[2:6], names, strict=True):
            assert close(cell, fmean(r[name] for r in rows), digits)
        assert close(row[6], fmean(len(r["served"]) for r in rows), 1)


def test_stores(tables: dict[str, Any], memories: Rows) -> None:
    """Mean size of the stores of each arm."""
    for arm, row in zip(dict.fromkeys(row["arm"] for row in memories), body(tables["stores"][0]), strict=True):
        rows = [row for row in memories if row["arm"] == arm]
        assert str(len(rows)) == row[1]
        for cell, (name, digits) in zip(
            row[2:6], (("files", 1), ("folders", 1), ("sections", 1), ("bytes", 0)), strict=True
        ):
            known = [r[name] for r in rows if r[name] is not None]
            assert close(cell, fmean(known) if known else None, digits)


def places_of(drawing: Element, tag: str, *names: str) -> list[tuple[float, ...]]:
    """The attributes of the elements of a drawing."""
    return [tuple(float(one.get(name, "nan")) for name in names) for one in drawing.iter(tag)]


def test_strips_draw_the_numbers(report: Report, items: Rows) -> None:
    """The dot of each arm, and of each contrast, lies where its number is along the axis below."""
    axis = places_of(report.score_axis, "line", "x1")
    zero, one = axis[0][0], axis[-1][0]
    for arm in report.found.arms:
        ((x,),) = places_of(report.score_strip(arm), "circle", "cx")
        assert fmean(scored(items, arm.label).values()) == pytest.approx((x - zero) / (one - zero), abs=1e-3)
    (plot,) = report.forests.declared
    ticks = [text.text or "" for text in plot.axis.iter("text")]
    lines = [x for (x,) in places_of(plot.axis, "line", "x1")]
    first, last = seen(ticks[0]), seen(ticks[-1])
    for contrast in plot.contrasts:
        ((x,),) = places_of(plot.row(contrast), "circle", "cx")
        at = first + (x - lines[0]) / (lines[-1] - lines[0]) * (last - first)
        assert contrast.difference.mean == pytest.approx(at, abs=2e-3 * (last - first))


def test_charts_draw_the_numbers(report: Report) -> None:
    """Points of the frontier and ends of the lines of break-even lie where their numbers are along the axes."""
    drawing = report.frontier.figure
    dots = places_of(drawing, "circle", "cx", "cy")
    across = {
        seen_short(t.text or ""): float(t.get("x", ""))
        for t in drawing.iter("text")
        if t.get("text-anchor") == "middle" and t.get("class") == "label"
    }
    (low, left), (high, right) = min(across.items()), max(across.items())
    for place, (x, _) in zip(report.frontier.places, dots, strict=True):
        assert place.cost == pytest.approx(low + (x - left) / (right - left) * (high - low), abs=2e-3 * high)
    if report.paybacks:
        series = list(report.paybacks.figure.iter("polyline"))
        assert len(report.paybacks.arms) == len(series)


def seen_short(text: str) -> float:
    """`12k` as a number."""
    found = re.fullmatch(r"([\d.]+)([kM]?)", text)
    assert found
    return float(found[1]) * {"": 1.0, "k": 1e3, "M": 1e6}[found[2]]
