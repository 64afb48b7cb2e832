"""A recorded run with everything in it: several streams, two attempts, missing rows, null rows, gates, hostile text."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from memkit.accounting.prices import load_prices
from memkit.compare.comparison import Comparison, compare
from memkit.compare.export import write_results
from memkit.compare.results import collect
from memkit.compare.spec import Spec, Use
from memkit.converter import structure
from memkit.runs.open import Run, open_run
from memkit.runs.record import record_results

HERE = Use("local", {"workers": 0})
HOSTILE = "\x1b[2J<script>alert(1)</script>\u202e"
THINGS = ("kite", "lamp", "boat", "drum", "ring", "coat")
COLOURS = ("red", "blue", "green", "black", "white", "brown")
PLACES = ("Porto", "Quito", "Lagos", "Turin", "Osaka", "Perth")
MakeRun = Callable[..., Path]


def write_data(path: Path) -> None:
    """Six streams of four questions: two of facts, one of choice, one of which the stream says nothing."""
    lines: list[dict[str, Any]] = []
    for number, (thing, colour, place) in enumerate(zip(THINGS, COLOURS, PLACES, strict=True)):
        said = [f"I bought the {colour} {thing}.", f"Then I took it to {place}.", "It rained all day.", HOSTILE]
        lines.append({"type": "stream", "id": f"stream-{number}"})
        lines += [
            {"type": "turn", "session": 1 + place // 2, "speaker": "Ana", "text": t} for place, t in enumerate(said)
        ]
        questions: list[dict[str, Any]] = [
            {"question": f"Which {thing} did Ana buy?", "answer": f"the {colour} one", "evidence": ["S1T1"]},
            {"question": f"Where did Ana take it? {HOSTILE}", "answer": place, "evidence": ["S1T2"]},
            {"question": "What colour is it?", "options": list(COLOURS), "answer": colour, "evidence": ["S1T1"]},
            {"question": "What did Bo sing?", "answerable": False},
        ]
        categories = ("fact", "fact", "choice", "none")
        for nth, (question, category) in enumerate(zip(questions, categories, strict=True)):
            lines.append({"type": "question", "id": f"q{number}-{nth}", "category": category, **question})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def make_spec(data: Path, **changes: Any) -> Spec:
    """Three arms that no factor alone tells apart, under gates."""
    spec = {
        "data": [{"use": "jsonl", "path": str(data)}],
        "factors": {"builder": ["verbatim", "chunk-bm25"], "harness": ["center", "center+bm25", "chunks"]},
        "attempts": 2,
        "metrics": {"primary": "answer_f1", "also": ["evidence_recall", "rounds"]},
        "gate": [
            {"metric": "answer_f1", "noninferior": 0.02},
            {"metric": "usd_logical", "vs": "long-context", "noninferior": 0.5},
            {"metric": "nosuch", "noninferior": 0.1},
        ],
        **changes,
    }
    return structure(Spec, spec, where="spec")


def record(done: Comparison, directory: Path, *, lose: int = 0) -> Path:
    """Write the results of `done` into `directory`, without every `lose`th of its answers."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("spec.yaml", "plan.json", "events.jsonl"):
        shutil.copy(done.outcome.directory / name, directory / name)
    records, prices = done.outcome.records, load_prices()
    if lose:
        kept = {key: one for place, (key, one) in enumerate(sorted(records.answer.items())) if place % lose}
        records = evolve(records, answer=kept)
    results = collect(done.plan, records, prices)
    write_results(directory / "results", done.plan, results)
    record_results(directory / "results", done.plan, results, records, prices)
    return directory


@pytest.fixture(scope="session")
def done(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """The comparison, complete."""
    folder = tmp_path_factory.mktemp("done")
    write_data(folder / "data.jsonl")
    return compare(make_spec(folder / "data.jsonl"), runs=folder / "runs", runner=HERE, on_results=record_results)


@pytest.fixture(scope="session")
def whole(done: Comparison) -> Run:
    """The run, complete."""
    return open_run(done.outcome.directory)


@pytest.fixture(scope="session")
def gappy(done: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The same run without every seventh answer."""
    return open_run(record(done, tmp_path_factory.mktemp("gappy") / "gappy-1", lose=7))
