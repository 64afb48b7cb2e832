"""How memories grow: what is recorded after every unit, what is asked on the way, and what a second call repeats."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memkit.compare.comparison import Comparison, compare
from memkit.compare.growing import CONSOLIDATED, growth_dir, history_of
from memkit.compare.growth import GROWTH_FILE, Growth, answerable_from, first_units, grow
from memkit.compare.models import Calling
from memkit.compare.spec import Spec, Use
from memkit.compare.units import UnitLog, memory_dir
from memkit.history import LOG_NAME
from memkit.ledger.log import load_rows
from memkit.memory import Memory
from memkit.records import Question
from memkit.testing.samples import CHAT, QUESTIONS, RUN, contents

HERE = Use("local", {"workers": 0})
KILLS = 6
MakeSpec = Callable[..., Spec]


def run(make_spec: MakeSpec, runs: Path) -> Comparison:
    """Verbatim and curated memories on a few questions of the demo."""
    spec = make_spec(
        factors={"builder": ["verbatim", "curated"], "harness": ["center"]},
        nulls={"rows": ["closed-book"]},
        select={"limit": 8},
    )
    return compare(spec, runs=runs, runner=HERE)


def grown(done: Comparison, *, every: int | None = None) -> Growth:
    """Watch the memories of a comparison grow."""
    return grow(done.plan, Calling(done.outcome.directory), runner=HERE, every=every)


@pytest.fixture(scope="module")
def ran(make_spec: MakeSpec, tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Growth]:
    """A comparison with its growth, asked at every second unit."""
    done = run(make_spec, tmp_path_factory.mktemp("runs"))
    return done, grown(done, every=2)


def test_rows(ran: tuple[Comparison, Growth]) -> None:
    """A row a unit and one after consolidation, for each arm with a memory; what the last ones say is the build's."""
    done, found = ran
    assert ((), "", True) == (found.errors, found.stopped, found.complete)
    units = len(done.plan.cells[0].case.stream.units)
    for arm in ("verbatim / center", "curated / center"):
        rows = [row for row in found.rows if row.arm == arm]
        assert list(range(1, units + 2)) == [row.unit for row in rows]
        assert ["session 1", "session 2", CONSOLIDATED] == [rows[0].name, rows[1].name, rows[-1].name]
        (key,) = {cell.build_key for cell in done.plan.cells if cell.arm.label == arm}
        record = done.outcome.records.build[key]
        for name in ("files", "bytes", "sections", "mean_depth", "kept_locators", "kept_names"):
            assert record[name] == rows[-1].facts[name]
        for name in ("rounds", "tool_calls"):
            assert record[name] == sum(row.facts[name] or 0 for row in rows)
    assert {"verbatim / center", "curated / center"} == {row.arm for row in found.rows}


def test_snapshots_are_the_memory(ran: tuple[Comparison, Growth], tmp_path: Path) -> None:
    """Every M_t, restored, opens as the memory that is built from the first units."""
    done, _ = ran
    for cell in (cell for cell in done.plan.cells if cell.build_key):
        history, calling = history_of(done.outcome.directory, cell.build_key), Calling(done.outcome.directory)
        stream = cell.case.stream
        for number in (1, len(stream.units), len(stream.units) + 1):
            copy = tmp_path / f"{cell.build_key[:8]}-{number}"
            history.restore(number, copy)
            restored = Memory.open(copy)
            assert min(number, len(stream.units)) == len(restored.archive) == restored.manifest.units
        assert contents(Memory.open(memory_dir(calling.run_dir, cell.build_key)).store) == contents(restored.store)


@pytest.mark.parametrize("builder", ["verbatim", "curated"])
def test_checkpoints_ask_what_is_in(builder: str, ran: tuple[Comparison, Growth]) -> None:
    """A checkpoint asks the questions whose evidence is in, more and more of them; the last has the run's scores."""
    done, found = ran
    cell = next(one for one in done.plan.cells if one.arm.label == f"{builder} / center")
    units = len(cell.case.stream.units)
    asked = {row.unit: row for row in found.rows if row.arm == cell.arm.label and row.questions}
    expected = {
        unit: len(answerable_from(first_units(cell.case.stream, unit), cell.case.questions))
        for unit in (*range(2, units, 2), units)
    }
    assert {unit: number for unit, number in expected.items() if number} == {
        unit: row.questions for unit, row in asked.items()
    }
    whole = [
        row.scores["evidence_recall"]
        for row in done.results.rows
        if row.arm == cell.arm.label and "evidence_recall" in row.scores
    ]
    assert pytest.approx(sum(whole) / len(whole)) == asked[units].scores["evidence_recall"]


def test_again(ran: tuple[Comparison, Growth]) -> None:
    """Called again nothing is done: no answer is recorded, no snapshot taken, and the file is the same."""
    done, found = ran
    file = done.outcome.directory / "results" / GROWTH_FILE
    before, answers = file.read_bytes(), len(UnitLog(done.outcome.directory / "units").load().answer)

    assert found == grown(done, every=2)
    assert (before, answers) == (file.read_bytes(), len(UnitLog(done.outcome.directory / "units").load().answer))


def _grow_alone(done: Comparison) -> None:
    grown(done)


def test_killed(ran: tuple[Comparison, Growth], tmp_path: Path, make_spec: MakeSpec) -> None:
    """Killed at any moment and run again, it ends with the same rows, and has no unit twice."""
    done = run(make_spec, tmp_path)
    draw, context = random.Random(7), multiprocessing.get_context("fork")
    for _ in range(KILLS):
        process = context.Process(target=_grow_alone, args=(done,))
        process.start()
        time.sleep(draw.uniform(0.1, 0.9))
        if process.pid is not None and process.is_alive():
            os.kill(process.pid, signal.SIGKILL)
        process.join()
    found = grown(done)

    expected = [(row.arm, row.unit, row.name, row.changed, row.facts) for row in ran[1].rows]
    assert expected == [(row.arm, row.unit, row.name, row.changed, row.facts) for row in found.rows]


def test_a_build_that_fails(ran: tuple[Comparison, Growth], tmp_path: Path) -> None:
    """What cannot be grown is said, and the others are grown all the same."""
    done, _ = ran
    directory = tmp_path / done.outcome.directory.name
    shutil.copytree(done.outcome.directory, directory)
    key = next(cell.build_key for cell in done.plan.cells if cell.arm.label == "curated / center")
    history = growth_dir(directory, key) / "history"
    (history / LOG_NAME).write_bytes((history / LOG_NAME).read_bytes().split(b"\n")[0] + b"\n")
    shutil.rmtree(history / "objects")
    found = grow(done.plan, Calling(directory), runner=HERE)

    assert not found.complete
    (error,) = found.errors
    assert error.endswith("a content is missing; restore the history from a copy")
    rows = [row.arm for row in found.rows]
    assert 1 == rows.count("curated / center") < rows.count("verbatim / center")


def test_first_units() -> None:
    """A stream is cut after so many units; one that is shorter stays whole."""
    assert CHAT.sessions[:2] == first_units(CHAT, 2).units
    assert RUN.steps[:1] == first_units(RUN, 1).units
    assert CHAT == first_units(CHAT, 9)


def test_answerable_from() -> None:
    """Evidence in part is not enough, and questions without any are never asked."""
    bare = Question("bare", "What?", "that")
    assert [] == [one.id for one in answerable_from(first_units(CHAT, 0), (*QUESTIONS, bare))]
    assert ["price"] == [one.id for one in answerable_from(first_units(CHAT, 1), (*QUESTIONS, bare))]
    assert ["price", "when", "breed"] == [one.id for one in answerable_from(CHAT, (*QUESTIONS, bare))]


def test_without_a_store(make_spec: MakeSpec, tmp_path: Path) -> None:
    """An event ledger has nothing to measure, and each of its snapshots opens as a memory."""
    factors = {"builder": ["ledger"], "harness": ["center"], "searcher": ["tm"]}
    done = compare(make_spec(factors=factors, nulls={"rows": []}), runs=tmp_path, runner=HERE)
    found = grown(done)

    assert found.complete
    assert {None} == {row.facts["files"] for row in found.rows}
    (key,) = {cell.build_key for cell in done.plan.cells}
    for number in (1, len(found.rows)):
        history_of(done.outcome.directory, key).restore(number, tmp_path / f"copy-{number}")
        assert [] == Memory.open(tmp_path / f"copy-{number}").store.paths()
    assert [] == load_rows(tmp_path / "copy-1") != load_rows(tmp_path / f"copy-{len(found.rows)}")
