from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from memkit.compare.audit import Fact, Measured, audit, audit_rows, measure
from memkit.compare.comparison import compare
from memkit.compare.spec import FACTORS, HELD, Spec, Use

MakeSpec = Callable[..., Spec]
SAME = dict.fromkeys(FACTORS, "x")
ARM = Measured("a", SAME, "token-f1", ["f00"], 4, [100.0, 200.0, None, 300.0], [1, 2, 3, 2])


def verdicts(*arms: Measured) -> dict[str, str]:
    """Name -> verdict."""
    return {fact.name: fact.verdict for fact in audit(arms)}


def test_equal() -> None:
    """Arms that are alike are, in everything there is; so is one arm alone."""
    assert dict.fromkeys(HELD, "equal") == verdicts(ARM, evolve(ARM, label="b")) == verdicts(ARM)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"factors": {**SAME, "harness": "y"}}, {"harness": "unequal"}),
        ({"judge": "llm"}, {"judge": "unequal"}),
        ({"prompts": ["bad"]}, {"answer_prompt": "unequal"}),
        ({"prompts": []}, {"answer_prompt": "unknown"}),
        ({"answers": 3}, {"questions": "unequal"}),
        ({"served_tokens": [100.0, 200.0, 300.0, 216.0]}, {}),
        ({"served_tokens": [100.0, 190.0, 340.0, None]}, {"evidence_tokens_max": "unequal"}),
        ({"served_tokens": [50.0, 50.0, 300.0, None]}, {"served_tokens": "unequal"}),
        ({"served_tokens": []}, {"served_tokens": "unknown", "evidence_tokens_max": "unknown"}),
        ({"served_places": [4, 4, 4, 4]}, {"effective_k": "unequal"}),
    ],
)
def test_what_differs(change: dict[str, object], found: dict[str, str]) -> None:
    """Each fact is looked at alone; measured ones count as equal within a tenth."""
    other = evolve(ARM, label="b", **change)

    assert found == {name: one for name, one in verdicts(ARM, other).items() if one != "equal"}


def test_breach() -> None:
    """What the spec holds equal has to be shown to be; the sentence tells what it is in each arm."""
    facts = audit([ARM, evolve(ARM, label="b", served_places=[4, 4, 4, 4])], ["effective_k", "judge"])

    (breach,) = [fact for fact in facts if fact.breach]
    assert "effective_k (mean places served to a question) is unequal: 2 in a, 4 in b" == breach.sentence
    assert {"effective_k", "judge"} == {fact.name for fact in facts if fact.required}
    assert Fact("judge", "who scores", {"a": "x", "b": None}, "unknown", required=True).breach


def test_recorded_units(make_spec: MakeSpec, tmp_path: Path) -> None:
    """Arms are measured on what is on record; null rows are left out, and all ask in the same words."""
    factors = {"builder": ["verbatim"], "harness": ["center", "center+bm25"]}
    done = compare(make_spec(factors=factors), runs=tmp_path, runner=Use("local", {"workers": 0}))
    one, other = measure(done.plan, done.results.rows, done.outcome.records)

    assert ["verbatim / center", "verbatim / center+bm25"] == [one.label, other.label]
    assert (3, one.prompts, 1) == (one.answers, other.prompts, len(one.prompts))
    rows = [row for row in done.results.rows if row.arm == one.label]
    assert [len(row.served) for row in rows] == one.served_places
    assert [row.effort["served_tokens"] for row in rows] == one.served_tokens
    assert done.facts == audit_rows(done.plan, done.results.rows, done.outcome.records)
    assert () == done.breaches
