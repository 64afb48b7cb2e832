from __future__ import annotations

import shutil
from pathlib import Path

from attrs import evolve

from memkit.records import Message, ToolCall
from memkit.report import flips as module
from memkit.report.exchange import LINE_CHARACTERS, MESSAGE_CHARACTERS, STEPS, Step, steps_of
from memkit.report.flips import show_flips
from memkit.runs.open import Run
from memkit.runs.sheet import read_sheet


def test_both_sides(hostile_run: Run) -> None:
    """The largest flips of a contrast, each with the answers of both arms, their evidence, and the steps to them."""
    (contrast,) = show_flips(hostile_run, read_sheet(hostile_run), each_way=3)

    assert contrast.gained + contrast.lost > len(contrast.shown) == 3
    for flip in contrast.shown:
        assert (0.0, 1.0) == (flip.side.score, flip.other.score)
        assert ((), 1) == (flip.side.found, len(flip.side.missed))
        assert (1, ()) == (len(flip.other.found), flip.other.missed)
        assert ("", "") == (flip.side.reason, flip.other.reason)
        assert ["system", "user"] == [step.kind for step in flip.side.steps]
        assert {"system", "user", "call"} <= {step.kind for step in flip.other.steps}
        assert flip.side.row["question_text"] == flip.text


def test_none_shown(hostile_run: Run) -> None:
    """Flips are counted, and nothing is asked again, when none is to be shown."""
    (contrast,) = show_flips(hostile_run, read_sheet(hostile_run), each_way=0)

    assert () == contrast.shown
    assert contrast.lost > 0


def test_gone_data(hostile_run: Run, tmp_path: Path) -> None:
    """Without its data a flip is shown with the reason why there is no transcript."""
    directory = tmp_path / "run"
    shutil.copytree(hostile_run.directory, directory)
    spec = directory / "spec.yaml"
    spec.write_text(spec.read_text().replace("hostile.jsonl", "gone.jsonl"))
    run = Run(directory, directory / "results", hostile_run.spec, hostile_run.summary, {})
    (contrast,) = show_flips(run, read_sheet(run), each_way=1)

    (flip,) = contrast.shown
    assert ((), ()) == (flip.side.steps, flip.other.steps)
    assert "gone.jsonl" in flip.side.reason
    assert flip.side.reason == flip.other.reason


def test_room(hostile_run: Run) -> None:
    """Exchanges beyond the room there is are left out, and that is said."""
    asking = module._Asking(hostile_run, room=10)
    row = next(hostile_run.items.iter_rows(named=True))

    assert ((), "left out: the exchanges above fill the room there is for them") == asking.steps(row)


def test_another_answer(hostile_run: Run) -> None:
    """An exchange that leads to another answer than the one on record is not shown."""
    row = dict(next(hostile_run.items.iter_rows(named=True)), answer="something else")
    steps, reason = module._Asking(hostile_run).steps(row)

    assert () == steps
    assert reason.startswith("asked again it gave another answer")


def test_steps() -> None:
    """A call stands with its result, texts are cleaned and cut in their middle, and what is empty is left out."""
    messages = (
        Message("system", "be\x1bgood"),
        Message("assistant", " ", tool_calls=(ToolCall("1", "grep", '{"a": 1}'), ToolCall("2", "view", "{}"))),
        Message("tool", "x" * (MESSAGE_CHARACTERS + 1), tool_call_id="1"),
        Message("assistant", "done"),
    )
    system, grep, view, last = steps_of(messages)

    assert Step("system", "be\ufffdgood") == system
    assert ("call", "grep", '{"a": 1}', 'grep {"a": 1}') == (grep.kind, grep.name, grep.arguments, grep.line)
    assert "[… 1 characters left out …]" in grep.text
    assert Step("call", "", "view", "{}") == view
    assert Step("assistant", "done") == last


def test_many_steps() -> None:
    """An exchange without end is cut, and so is the line of a call."""
    assert STEPS == len(steps_of([Message("user", "x")] * (STEPS + 5)))
    assert LINE_CHARACTERS == len(Step("call", "", "n", "a" * 500).line)
    assert evolve(Step("user", '"é"'), name="n").size == 4 + 10 + 1
