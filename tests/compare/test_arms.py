from __future__ import annotations

from collections.abc import Callable

import pytest

from memkit.compare.arms import Excluded, baseline, make_arms
from memkit.compare.spec import Spec
from memkit.errors import ConfigError
from memkit.plugins import build_registry
from memkit.registry import Registry

MakeSpec = Callable[..., Spec]

FACTORS = {"builder": ["verbatim", "chunk-bm25"], "harness": ["center", "chunks"]}
NULLS = ["closed-book", "long-context", "oracle"]


def test_product_without_misfits(make_spec: MakeSpec, registry: Registry) -> None:
    """Every combination is an arm, or left out with its reason; null rows come last."""
    arms, excluded = make_arms(make_spec(factors=FACTORS), registry)

    assert ["verbatim / center", "chunk-bm25 / chunks", *NULLS] == [arm.label for arm in arms]
    assert (
        Excluded("verbatim / chunks", "needs a chunk store"),
        Excluded("chunk-bm25 / center", "a chunk store has no folders to navigate"),
    ) == excluded


@pytest.mark.parametrize("rows", [[], ["oracle"]])
def test_null_rows_are_chosen(rows: list[str], make_spec: MakeSpec, registry: Registry) -> None:
    """`nulls.rows` says which there are, down to none."""
    arms, _ = make_arms(make_spec(nulls={"rows": rows}), registry)

    assert ["verbatim / center", *rows] == [arm.label for arm in arms]


def test_exclude_by_labels(make_spec: MakeSpec, registry: Registry) -> None:
    """A rule leaves out the arms that have all its labels, and the table says so."""
    factors = {"builder": [{"use": "verbatim", "label": "plain"}], "harness": ["center", "center+bm25"]}
    spec = make_spec(factors=factors, matrix={"exclude": [{"builder": "plain", "harness": "center"}]})
    arms, excluded = make_arms(spec, registry)

    assert ["plain / center+bm25", *NULLS] == [arm.label for arm in arms]
    assert (Excluded("plain / center", "excluded by the spec"),) == excluded


def test_varied_factors_are_named(make_spec: MakeSpec, registry: Registry) -> None:
    """A label names builder and harness always, and what else varies."""
    models = {"search": ["memkit/extractive", {"use": "memkit/extractive", "label": "again"}]}
    arms, _ = make_arms(make_spec(factors={"builder": ["verbatim"], "harness": ["center"], "models": models}), registry)

    assert "verbatim / center / again" == arms[1].label
    assert {
        "builder": "verbatim",
        "harness": "center",
        "searcher": "agent",
        "search_model": "again",
        "manage_model": "memkit/extractive",
    } == arms[1].shown


def test_baseline(make_spec: MakeSpec, registry: Registry) -> None:
    """The first arm unless the spec names another; a name whose arm is left out is an error."""
    spec = make_spec(factors=FACTORS, baseline={"builder": "chunk-bm25"})
    arms, _ = make_arms(spec, registry)

    assert "chunk-bm25 / chunks" == baseline(spec, arms).label
    assert "verbatim / center" == baseline(make_spec(factors=FACTORS), arms).label
    unmet = make_spec(factors=FACTORS, baseline={"builder": "chunk-bm25", "harness": "center"})
    with pytest.raises(ConfigError, match=r"^baseline: no arm has these labels; name one that is not left out$"):
        baseline(unmet, arms)


@pytest.mark.parametrize("harnesses", [["center"], ["center", "center+bm25"], ["center", "none"], ["none", "center"]])
def test_a_builder_without_a_store(harnesses: list[str], make_spec: MakeSpec, registry: Registry) -> None:
    """It is one arm under the harness `none`, which need not be named; what has a store does not fit that one."""
    factors = {"builder": ["verbatim", "closed-book"], "harness": harnesses}
    arms, excluded = make_arms(make_spec(factors=factors, nulls={"rows": []}), registry)

    stores = [f"verbatim / {name}" for name in harnesses if name != "none"]
    assert [*stores, "closed-book / none"] == [arm.label for arm in arms]
    left_out = [Excluded("verbatim / none", "gives no tools to reach the store with")] if "none" in harnesses else []
    assert left_out == list(excluded)


def test_a_builder_without_a_store_keeps_its_other_factors(make_spec: MakeSpec, registry: Registry) -> None:
    """There is one such arm for each model that searches, and rules that name it leave it out."""
    models = {"search": ["memkit/extractive", {"use": "memkit/extractive", "label": "again"}]}
    factors = {"builder": ["closed-book"], "harness": ["center", "shell"], "models": models}
    rule = {"builder": "closed-book", "search_model": "again"}
    arms, excluded = make_arms(
        make_spec(factors=factors, nulls={"rows": []}, matrix={"exclude": [rule]}),
        build_registry(accept_unsandboxed=True),
    )

    assert ["closed-book / none / memkit/extractive"] == [arm.label for arm in arms]
    assert (Excluded("closed-book / none / again", "excluded by the spec"),) == excluded


def test_include_by_labels(make_spec: MakeSpec, registry: Registry) -> None:
    """With rules to include, only the arms that fit one are taken, less those excluded; the others are no news."""
    factors = {"builder": ["verbatim", "foldered"], "harness": ["center", "center+bm25"]}
    matrix = {
        "include": [{"harness": "center"}, {"builder": "foldered"}],
        "exclude": [{"builder": "foldered", "harness": "center"}],
    }
    arms, excluded = make_arms(make_spec(factors=factors, matrix=matrix, nulls={"rows": []}), registry)

    assert ["verbatim / center", "foldered / center+bm25"] == [arm.label for arm in arms]
    assert (Excluded("foldered / center", "excluded by the spec"),) == excluded
