"""`memkit explain`: one readable page, and the same as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from memkit.cli.explain import COMPUTED, WORDS
from memkit.metrics.funnel import STAGES, Computation

Memkit = Callable[..., Any]
COMMAND = ("compare", "--data", "demo", "--limit", "3", "--workers", "0", "--builder", "verbatim,curated")


@pytest.fixture(scope="module")
def run(memkit: Memkit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two builders on three questions."""
    folder = tmp_path_factory.mktemp("explain")
    assert 0 == memkit(*COMMAND, cwd=folder).returncode
    (directory,) = (folder / "runs").iterdir()
    return directory


def question(run: Path) -> str:
    """A question with evidence."""
    rows = [json.loads(line) for line in (run / "results" / "items.jsonl").read_text().splitlines()]
    return str(next(row["question"] for row in rows if "evidence_recall" in row["scores"]))


def test_a_page(run: Path, memkit: Memkit) -> None:
    """What was asked, there, kept with file and line, found, served, answered and cited, arm by arm."""
    done = memkit("explain", str(run), question(run))
    assert (0, "") == (done.returncode, done.stderr)
    lines = done.stdout.splitlines()
    arms = ("verbatim / center", "curated / center", "closed-book", "long-context", "oracle")
    for arm in arms:
        assert 1 == sum(line.startswith(f"{arm}: ") for line in lines)
    for name, number in {"asked": 1, "gold": 1, "there": 1, "kept": 2, "found": 2, "served": 5, "answered": 5}.items():
        assert number == sum(line.startswith(f"  {name} ") for line in lines)
    assert any(line.startswith("  kept ") and "/memories/" in line and ":L" in line for line in lines)


def test_json(run: Path, memkit: Memkit) -> None:
    """The same as data, of the arm that is named."""
    done = memkit("explain", str(run), question(run), "--arm", "oracle", "--json")
    data = json.loads(done.stdout)
    assert (1, ["oracle"], question(run)) == (data["schema"], [way["arm"] for way in data["arms"]], data["question"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nosuch",), "no question of"),
        (("",), "could be 3 questions"),
        (("x", "--arm", "nosuch"), "no arm of"),
    ],
)
def test_faults(arguments: tuple[str, ...], message: str, run: Path, memkit: Memkit) -> None:
    """One sentence, and the exit code of a wrong use."""
    done = memkit("explain", str(run), *arguments)
    assert (2, 1) == (done.returncode, len(done.stderr.splitlines()))
    assert message in done.stderr


def test_every_label_has_words() -> None:
    """Each label of the funnel is said in words; of what was computed only a right result needs none."""
    assert {None, "", *STAGES} == WORDS.keys()
    assert {*get_args(Computation)} - {"right"} == COMPUTED.keys()
