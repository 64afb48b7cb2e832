"""The studies that ship as specs can be planned."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from memkit.compare.load import load_spec
from memkit.compare.plan import Plan, make_plan
from memkit.compare.spec import Data
from memkit.plugins import build_registry

ROOT = Path(__file__).resolve().parents[2]
STUDIES = {study.stem: study for study in sorted((ROOT / "benchmarks" / "studies").rglob("*.yaml"))}
SHARED = ROOT.parent / "shared"


def plan(study: str) -> Plan:
    """The plan of a study on those of its data that are at hand; the demo stands in where none are."""
    spec = load_spec(STUDIES[study])
    at_hand = [evolve(data, path=str(SHARED / data.path)) if data.path else data for data in spec.data]
    there = [data for data in at_hand if data.path is None or Path(data.path).exists()]
    # Where there is no sandbox the shell is accepted bare: nothing is run here.
    return make_plan(evolve(spec, data=there or [Data("demo")]), build_registry(accept_unsandboxed=True))


@pytest.mark.parametrize("study", STUDIES)
def test_studies(study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each spec is valid, its parts are registered with these options, and several arms have questions to answer."""
    # The probe's plans are made together with its questions.
    plans = tmp_path / "data" / "probe" / "plans.json"
    plans.parent.mkdir(parents=True)
    plans.write_text("{}")
    monkeypatch.chdir(tmp_path)

    planned = plan(study)

    assert 2 <= sum(not arm.null for arm in planned.arms)
    assert len(planned.arms) <= len(planned.cells)
    assert all(cell.items for cell in planned.cells)


def test_there_are_studies() -> None:
    """The tables of the paper that memkit can run have a spec each, and the page beside them names it."""
    page = (ROOT / "benchmarks" / "studies" / "filesystem-memory" / "README.md").read_text(encoding="utf-8")
    names = {study for study, path in STUDIES.items() if path.parent.name == "filesystem-memory"}

    assert {"variants", "ladders", "harnesses", "everything"} == names
    assert all(f"| `{name}.yaml` |" in page for name in names)


def test_everything() -> None:
    """All builders under all harnesses that fit: five stores by three harnesses, chunks, and no store once."""
    stores = ("verbatim", "foldered", "reorg-preserve", "reorg-condense", "curated")
    arms = {f"{store} / {harness}" for store in stores for harness in ("center", "center+bm25", "shell")}

    assert arms | {"chunk-bm25 / chunks", "closed-book / none"} == {
        arm.label for arm in plan("everything").arms if not arm.null
    }
