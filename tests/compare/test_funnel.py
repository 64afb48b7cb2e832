"""The funnel of answers of a real run, as it is recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memkit.compare.comparison import Comparison, compare
from memkit.compare.funnel import funnel_of, held_of, reach_of
from memkit.compare.spec import Spec, Use
from memkit.locators import Locator
from memkit.metrics.funnel import STAGES, Held
from memkit.records import Answer, Question
from memkit.testing.samples import sample_memory

MakeSpec = Callable[..., Spec]
TORN, ABSENT = Locator("S", 3, 1), Locator("S", 9, 9)
ASKED = Question("q", "Who sold the torn kite?", "Ana", evidence=(TORN, ABSENT))


@pytest.fixture(scope="module")
def done(make_spec: MakeSpec, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """A builder that keeps all and one that writes notes, on every question of the demo."""
    factors = {"builder": ["verbatim", "curated"], "harness": ["center"]}
    spec = make_spec(factors=factors, select={"limit": 30})
    return compare(spec, runs=tmp_path_factory.mktemp("runs"), runner=Use("local", {"workers": 0}))


def test_every_answer_has_its_label(done: Comparison) -> None:
    """Each row of the results is lost at one stage, or right, or nobody judged it; an arm's totals are its rows."""
    assert {row.lost_at for row in done.results.rows} <= {None, "", *STAGES}
    for arm in done.results.arms:
        own = [row.lost_at for row in done.results.rows if row.arm == arm.label]
        assert arm.items == sum(arm.lost.values())
        assert own.count("") == arm.lost.get("right", 0)


def test_verbatim_loses_nothing_in_the_build(done: Comparison) -> None:
    """Who keeps every turn loses none; a row without a memory neither keeps nor finds."""
    lost = {arm.label: arm.lost for arm in done.results.arms}
    assert not {"archive", "kept"} & lost["verbatim / center"].keys()
    for null in ("closed-book", "long-context", "oracle"):
        assert not {"archive", "kept", "reachable"} & lost[null].keys()
    assert "served" not in lost["oracle"]


@pytest.mark.parametrize(
    ("layout", "kept", "passages"),
    [("flat", frozenset((TORN,)), True), ("ledger", None, True), ("none", None, True)],
)
def test_held(layout: str, kept: frozenset[Locator] | None, *, passages: bool, tmp_path: Path) -> None:
    """A memory without a store keeps nothing in files, and its archive is what is searched."""
    memory = sample_memory(tmp_path / "memory", layout)  # type: ignore[arg-type]
    assert Held(frozenset((TORN,)), kept, frozenset((TORN,))) == held_of(ASKED, memory)
    assert passages == bool(reach_of(memory.path).passages)

    funnel = funnel_of(ASKED, Answer("Bo"), memory, {"answer_f1": 0.0})
    assert ("archive", (TORN,)) == (funnel.lost_at, funnel.archive)
