"""The judge of AMA-Bench's form reads yes or no, and nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memkit.records import Answer, Question, Verdict
from memkit.testing.samples import sample_memory
from memkit.testing.scripted import ScriptedModel
from memkit_plugins.llm_judge.yes_no import YesNoJudge, read_yes_no

HOW_OFTEN = Question("often", "How often was the drawer opened?", "3 times")


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("yes", True),
        ("No.", False),
        ("I thought no at first, but the count agrees: YES", True),
        ("Yes in part, yet the step is wrong, so no", False),
        ("**yes**", True),
        ("yesterday I knew nothing", None),
        ("", None),
        ("The answers are the same.", None),
    ],
)
def test_the_last_whole_word_decides(reply: str, verdict: bool | None) -> None:  # noqa: FBT001
    """Only the words themselves count, whatever their case and the text about them."""
    assert verdict is read_yes_no(reply)


def test_verdict(tmp_path: Path) -> None:
    """One call at temperature 0 shows the model task, question, gold and answer; its word is the score."""
    model = ScriptedModel(["Yes"])
    memory = sample_memory(tmp_path / "memory", "flat")
    memory.amend(task="Tidy the room.")
    verdict = asyncio.run(YesNoJudge(model).judge(HOW_OFTEN, Answer("Three times."), memory))
    assert Verdict({"correctness": 1.0}, note="correctness: Yes") == verdict
    (request,) = model.requests
    assert (0.0, "judge", 1) == (request.temperature, request.role, len(request.messages))
    shown = request.messages[0].content
    assert [True] * 4 == [text in shown for text in ("Tidy the room.", HOW_OFTEN.text, "3 times", "Three times.")]


def test_neither_is_no_score() -> None:
    """A reply with neither word is unparsed, not wrong, and nothing is asked again."""
    model = ScriptedModel(["Hard to say."])
    verdict = asyncio.run(YesNoJudge(model).judge(HOW_OFTEN, Answer("Three times."), None))
    assert Verdict({}, note="correctness: unparsed\nHard to say.") == verdict


def test_no_gold_is_no_score() -> None:
    """A question without gold costs no call."""
    verdict = asyncio.run(YesNoJudge(ScriptedModel([])).judge(Question("q", "Why?"), Answer("So."), None))
    assert Verdict({}, note="the question has no gold answer") == verdict
