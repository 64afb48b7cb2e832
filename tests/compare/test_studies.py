"""The studies that ship as specs can be planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from memkit.compare.arms import make_arms
from memkit.compare.load import load_spec
from memkit.plugins import build_registry

STUDIES = sorted((Path(__file__).resolve().parents[2] / "benchmarks" / "studies").rglob("*.yaml"))


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.stem)
def test_studies(study: Path) -> None:
    """Each spec is valid, its parts are registered with these options, and several arms fit; no model is asked."""
    # Where there is no sandbox the shell is accepted bare: nothing is run here.
    arms, _ = make_arms(load_spec(study), build_registry(accept_unsandboxed=True))

    assert 2 <= sum(not arm.null for arm in arms)


def test_there_are_studies() -> None:
    """The test above ran on something."""
    assert {"variants", "ladders", "harnesses"} <= {study.stem for study in STUDIES}
