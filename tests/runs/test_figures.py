"""Every figure of `stats.json`, worked out again from `items.parquet` in other ways: plain Python and statsmodels."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import product
from math import sqrt
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats as scipy_stats

from memkit.runs.columns import CLASSES, STATS_FILE
from memkit.runs.open import Run

Row = dict[str, Any]
Key = tuple[str, str]
PRIMARY = "answer_f1"
GONE = {"missing", "infra_error", "timeout"}
TOKENS = CLASSES[:4]


class Oracle:
    """The figures of a run, from its rows."""

    def __init__(self, run: Run) -> None:
        self.rows: list[Row] = pl.read_parquet(run.results / "items.parquet").to_dicts()
        for row in self.rows:
            row["score_served_locators"] = None if row["status"] in GONE else len(row["served"])
        self.stats: dict[str, Any] = json.loads((run.results / STATS_FILE).read_text())

    def of(self, arm: str) -> list[Row]:
        return [row for row in self.rows if row["arm"] == arm]

    def value(self, row: Row, metric: str) -> float | None:
        return row[metric] if metric in row else row.get(f"score_{metric}")

    def means(self, arm: str, metric: str) -> dict[Key, float]:
        found = defaultdict(list)
        for row in self.of(arm):
            if self.value(row, metric) is not None:
                found[row["stream"], row["question"]].append(self.value(row, metric))
        return {key: sum(values) / len(values) for key, values in found.items()}

    def category(self, key: Key) -> str:
        return next(row["category"] for row in self.rows if (row["stream"], row["question"]) == key)

    def absent(self, arm: str, metric: str) -> list[Row]:
        rows = self.of(arm)
        applies = {row["category"] for row in rows if self.value(row, metric) is not None}
        known = {row["category"] for row in rows if row["status"] not in GONE}
        return [
            row
            for row in rows
            if row["status"] in GONE and (row["category"] in applies or row["category"] not in known)
        ]

    def pairs(self, arm: str, against: str, metric: str, category: str = "") -> list[tuple[str, float, float]]:
        ours, theirs = self.means(arm, metric), self.means(against, metric)
        keys = [key for key in ours if key in theirs and category in ("", self.category(key))]
        return [(key[0], ours[key], theirs[key]) for key in keys]


@pytest.fixture(scope="module", params=["whole", "gappy"])
def oracle(request: pytest.FixtureRequest) -> Oracle:
    """Of a complete run, and of one with gaps."""
    return Oracle(request.getfixturevalue(request.param))


def robust_mean(values: list[tuple[str, float]], level: float = 0.95) -> tuple[float, float, float, float]:
    """(mean, standard error, low, high) by statsmodels: a constant with clustered covariance."""
    regression = pytest.importorskip("statsmodels.regression.linear_model")
    names = sorted({stream for stream, _ in values})
    fitted = regression.OLS(np.array([value for _, value in values]), np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": np.array([names.index(stream) for stream, _ in values])}, use_t=True
    )
    low, high = fitted.conf_int(alpha=1 - level)[0]
    return float(fitted.params[0]), float(fitted.bse[0]), float(low), float(high)


def flip_p(pairs: list[tuple[str, float, float]]) -> float:
    """The sign-flip p, by going through every pattern."""
    sums: dict[str, float] = defaultdict(float)
    for stream, a, b in pairs:
        sums[stream] += a - b
    totals = [
        abs(sum(s * d for s, d in zip(signs, sums.values(), strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    return fmean(total >= abs(sum(sums.values())) - 1e-9 for total in totals)


def test_shape(oracle: Oracle) -> None:
    """Streams, questions, rows and answers, arm by arm."""
    stats, rows = oracle.stats, oracle.rows
    assert len({row["stream"] for row in rows}) == stats["streams"]
    assert len({(row["stream"], row["question"]) for row in rows}) == stats["questions"]
    answered = [row for row in rows if row["status"] not in GONE]
    assert (len(rows), len(answered)) == (stats["rows"], stats["answered"])
    for arm in stats["arms"]:
        own = oracle.of(arm["label"])
        assert (len(own), sum(row["status"] not in GONE for row in own)) == (arm["rows"], arm["answered"])
        counted = {status: sum(row["status"] == status for row in own) for status in {row["status"] for row in own}}
        assert counted == arm["statuses"]
        assert own[0]["null"] == arm["null"]


def test_scores(oracle: Oracle) -> None:
    """Means, Wilson's intervals on the effective n, coverage, and the bounds that missing data allow."""
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    for arm in oracle.stats["arms"]:
        for metric, score in arm["scores"].items():
            means = oracle.means(arm["label"], metric)
            values = [(key[0], value) for key, value in means.items()]
            mean = fmean(value for _, value in values)
            assert mean == pytest.approx(score["mean"])
            effective = effective_n(values)
            assert effective == pytest.approx(score["effective"])
            low, high = proportion.proportion_confint(mean * effective, effective, method="wilson")
            assert (low, high) == pytest.approx((score["low"], score["high"]), abs=1e-9)
            absent = oracle.absent(arm["label"], metric)
            present = [row for row in oracle.of(arm["label"]) if oracle.value(row, metric) is not None]
            assert len(present) / (len(present) + len(absent)) == pytest.approx(score["coverage"])
            assert (len(absent), len(means)) == (score["missing"], score["questions"])
            for name, fill in (("worst", 0.0), ("best", 1.0)):
                filled = defaultdict(list)
                for row in (*present, *absent):
                    known = oracle.value(row, metric)
                    filled[row["stream"], row["question"]].append(fill if known is None else known)
                assert fmean(fmean(one) for one in filled.values()) == pytest.approx(score[name])


def effective_n(values: list[tuple[str, float]]) -> float:
    """The n over the design effect, from statsmodels' clustered and plain standard errors."""
    n, streams = len(values), len({stream for stream, _ in values})
    plain = np.std([value for _, value in values]) / sqrt(n)
    if streams < 2 or plain == 0:
        return float(n)
    regression = pytest.importorskip("statsmodels.regression.linear_model")
    names = sorted({stream for stream, _ in values})
    fitted = regression.OLS(np.array([value for _, value in values]), np.ones(n)).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.array([names.index(s) for s, _ in values]), "use_correction": False},
    )
    robust = float(fitted.bse[0]) ** 2 * streams / (streams - 1)
    return min(max(n * plain**2 / robust, streams), n) if robust > 0 else float(n)


def test_categories(oracle: Oracle) -> None:
    """The primary metric by category."""
    for arm in oracle.stats["arms"]:
        means = oracle.means(arm["label"], PRIMARY)
        groups = defaultdict(list)
        for key, value in means.items():
            groups[oracle.category(key)].append(value)
        expected = {name: (fmean(values), len(values)) for name, values in groups.items()}
        found = {one["category"]: (one["mean"], one["questions"]) for one in arm["categories"]}
        assert expected.keys() == found.keys()
        assert all(found[name] == pytest.approx(expected[name]) for name in expected)


def test_means_and_costs(oracle: Oracle) -> None:
    """What an answer took, and what a right one does, with the seeded bootstrap over streams."""
    for arm in oracle.stats["arms"]:
        own = [row for row in oracle.of(arm["label"]) if row["status"] not in GONE]
        for name, mean in arm["means"].items():
            values = [oracle.value(row, name) for row in own]
            assert (None if None in values else pytest.approx(fmean(values))) == mean
        scored = [row for row in own if oracle.value(row, PRIMARY) is not None]
        for ratio, columns in ((arm["usd_per_right"], ("usd_logical",)), (arm["tokens_per_right"], TOKENS)):
            right = sum(oracle.value(row, PRIMARY) or 0 for row in scored)
            if right == 0:
                assert None is ratio
                continue
            assert sum(row[name] for row in scored for name in columns) / right == pytest.approx(ratio["value"])
            ratios = bootstrap(scored, columns, oracle)
            if ratios[1949] == float("inf"):
                assert (None, None) == (ratio["low"], ratio["high"])
                continue
            # The 50th of 2,000 or the 51st: 2.5 % falls between them, and rounding decides.
            assert any(ratio["low"] == pytest.approx(one) for one in ratios[49:51])
            assert any(ratio["high"] == pytest.approx(one) for one in ratios[1948:1951])


def bootstrap(rows: list[Row], columns: tuple[str, ...], oracle: Oracle) -> list[float]:
    """The ratio of 2,000 seeded resamples of streams, one at a time, in order of size."""
    names = sorted({row["stream"] for row in rows})
    spent = [sum(row[name] for row in rows if row["stream"] == one for name in columns) for one in names]
    right = [sum(oracle.value(row, PRIMARY) or 0 for row in rows if row["stream"] == one) for one in names]
    ratios = []
    for drawn in np.random.default_rng(20_240_612).integers(len(names), size=(2_000, len(names))):
        base = sum(right[place] for place in drawn)
        ratios.append(sum(spent[place] for place in drawn) / base if base > 0 else float("inf"))
    return sorted(ratios)


def check_differences(oracle: Oracle, found: list[dict[str, Any]]) -> list[float]:
    """Check each contrast against statsmodels and brute force; gives the p values."""
    ps = []
    for one in found:
        pairs = oracle.pairs(one["arm"], one["against"], one["metric"], one["category"])
        difference = one["difference"]
        assert (len(pairs), len({stream for stream, *_ in pairs})) == (difference["items"], difference["clusters"])
        assert (sum(a > b for _, a, b in pairs), sum(a < b for _, a, b in pairs)) == (one["better"], one["worse"])
        mean, se, low, high = robust_mean([(stream, a - b) for stream, a, b in pairs])
        assert mean == pytest.approx(difference["mean"])
        assert (low, high) == pytest.approx((difference["low"], difference["high"]), abs=1e-9)
        assert flip_p(pairs) == pytest.approx(difference["p"])
        t = scipy_stats.t(difference["clusters"] - 1)
        assert (t.ppf(0.975) + t.ppf(0.8)) * se == pytest.approx(one["detectable"], abs=1e-9)
        ps.append(difference["p"])
    return ps


@pytest.mark.parametrize("exploratory", [False, True])
def test_contrasts(exploratory: bool, oracle: Oracle) -> None:  # noqa: FBT001 - a parameter
    """Differences on questions scored in both, with intervals and p; Holm over the declared, else the other."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    found = [one for one in oracle.stats["contrasts"] if one["exploratory"] == exploratory]
    assert (2 * 2 if exploratory else 2) == len(found)
    ps = check_differences(oracle, found)
    adjusted = multitest.multipletests(ps, method="fdr_bh" if exploratory else "holm")[1]
    assert adjusted == pytest.approx([one["p_adjusted"] for one in found])


def test_slices(oracle: Oracle) -> None:
    """The same within each category that the primary metric applies to, as one exploratory family."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    found = oracle.stats["slices"]
    assert {"choice", "fact"} == {one["category"] for one in found}
    ps = check_differences(oracle, found)
    assert multitest.multipletests(ps, method="fdr_bh")[1] == pytest.approx([one["p_adjusted"] for one in found])
    assert all(one["exploratory"] for one in found)


def test_leaders(oracle: Oracle) -> None:
    """The highest arm and those whose Holm-adjusted difference from it is not significant; no null row."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    labels = [arm["label"] for arm in oracle.stats["arms"] if not arm["null"]]
    means = {label: fmean(oracle.means(label, PRIMARY).values()) for label in labels}
    best = max(means, key=lambda label: means[label])
    others = [label for label in labels if label != best]
    ps = multitest.multipletests([flip_p(oracle.pairs(best, one, PRIMARY)) for one in others], method="holm")[1]
    tied = {best, *(label for label, p in zip(others, ps, strict=True) if p > 0.05)}
    assert [label for label in labels if label in tied] == oracle.stats["leaders"]


def test_gates(oracle: Oracle) -> None:
    """One-sided bounds at 95 % against the margin; of a cost, less is better; what is not there decides nothing."""
    for gate in oracle.stats["gates"]:
        pairs = oracle.pairs(gate["arm"], gate["vs"], gate["metric"])
        if gate["metric"] == "nosuch":
            assert ("inconclusive", "no question has nosuch in both arms") == (gate["verdict"], gate["reason"])
            continue
        sign = -1 if gate["metric"] == "usd_logical" else 1
        mean, _, low, high = robust_mean([(stream, sign * (a - b)) for stream, a, b in pairs], level=0.9)
        assert (mean, low, high) == pytest.approx((gate["mean"], gate["low"], gate["high"]), abs=1e-9)
        expected = "pass" if low > -gate["margin"] else "fail" if high < -gate["margin"] else "inconclusive"
        assert expected == gate["verdict"]


def test_audit(oracle: Oracle) -> None:
    """What the arms were served, from their rows; two contrasts vary both factors."""
    facts = {fact["name"]: fact["values"] for fact in oracle.stats["audit"]["facts"]}
    for label, most in facts["evidence_tokens_max"].items():
        own = [row for row in oracle.of(label) if row["status"] not in GONE]
        assert max(row["served_tokens"] for row in own) == most
        assert fmean(len(row["served"]) for row in own) == pytest.approx(facts["effective_k"][label])
        assert len(own) == facts["questions"][label]
    assert {("builder", "harness")} == {tuple(one) for one in oracle.stats["audit"]["confounded"].values()}
