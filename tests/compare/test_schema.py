from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memkit.compare.schema import spec_schema
from memkit.compare.spec import Budget, Spec
from memkit.converter import make_converter, structure
from memkit.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "docs" / "reference" / "compare.schema.json"
SPECS = sorted(path for path in (ROOT / "benchmarks").rglob("*.yaml") if "factors:" in path.read_text())
IN_PAGES = [
    (page.name, block)
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/**/*.md")])
    for block in re.findall(r"```yaml[^\n]*\n(.*?)```", page.read_text(), re.DOTALL)
    if re.search(r"^(schema|extends|factors):", block, re.MULTILINE)
]
BASE = {"data": ["demo"], "factors": {"builder": ["verbatim"], "harness": ["center"]}}
VALIDATOR = jsonschema.Draft202012Validator(spec_schema())


def faults(data: Any) -> list[str]:
    """What the schema finds wrong."""
    return [error.message for error in VALIDATOR.iter_errors(data)]


def test_published() -> None:
    """The page's schema is the code's, and a schema."""
    jsonschema.Draft202012Validator.check_schema(spec_schema())
    assert spec_schema() == json.loads(PUBLISHED.read_text())


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.name)
def test_our_specs_fit(path: Path) -> None:
    """Every spec of the studies."""
    assert [] == faults(yaml.safe_load(path.read_text()))


@pytest.mark.parametrize(("page", "block"), IN_PAGES, ids=[page for page, _ in IN_PAGES])
def test_specs_of_the_pages_fit(page: str, block: str) -> None:
    """Every spec that the documentation shows whole."""
    data = yaml.safe_load(block)
    if not {"data", "extends"} & data.keys():  # a piece of one
        data = {**BASE, **data}

    assert [] == faults(data)


def test_a_whole_spec_fits() -> None:
    """What a run directory keeps of a spec, defaults and all, can be opened in an editor."""
    spec = structure(Spec, {**BASE, "budget": {"usd": 5, "tokens": "20M", "wall": "2h"}}, where="spec")

    assert [] == faults(make_converter().unstructure(spec))


AMOUNTS = st.one_of(
    st.integers(-5, 10**9),
    st.floats(1, 1e9),
    st.booleans(),
    st.from_regex(r"[1-9][0-9]{0,3}(\.[0-9])? ?[kMGsmhdx]{0,2}", fullmatch=True),
)


@given(AMOUNTS)
def test_amounts(value: Any) -> None:
    """Schema and reader agree on every way of writing an amount."""
    for name in ("tokens", "wall"):
        try:
            structure(Budget, {name: value}, where="spec")
            reads = True
        except ConfigError:
            reads = False
        assert reads == (not faults({**BASE, "budget": {name: value}}))
