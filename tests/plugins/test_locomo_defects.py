from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from memkit.locators import Locator
from memkit.records import Case
from memkit_plugins.locomo.defects import DEFECTS, find_defect, question_digest
from memkit_plugins.locomo.locomo import LoCoMo

PUBLISHED = (
    "Which places or events has Calvin visited in Tokyo?",
    "What style of guitars does Calvin own?",
    "Which Disney movie did Dave mention as one of his favorites?",
    "When did Calvin first get interested in cars?",
)


@pytest.fixture(scope="module")
def real(shared: Path) -> dict[str, Case]:
    """The conversations beside the checkout, by their names."""
    return {case.stream.id: case for case in LoCoMo().load(shared / "data" / "locomo")}


def test_published_defects_are_listed() -> None:
    """The four questions of the paper on conversation 50 are found by their texts, there and nowhere else."""
    assert all(find_defect("conv-50", text) for text in PUBLISHED)
    assert 4 == sum(defect.conversation == "conv-50" for defect in DEFECTS)
    assert None is find_defect("conv-26", PUBLISHED[0])
    assert None is find_defect("conv-50", PUBLISHED[0].lower())


def test_entries() -> None:
    """Each question is listed once, with a reason on one line and locators."""
    assert len(DEFECTS) == len({(defect.conversation, defect.question) for defect in DEFECTS})
    for defect in DEFECTS:
        assert [defect.reason.strip()] == defect.reason.splitlines()
        assert defect.locators
        assert all(Locator.parse(locator) for locator in defect.locators)


def test_every_entry_names_a_real_question(real: dict[str, Case]) -> None:
    """Of the conversations at hand, each entry is one answerable question, and its locators are turns there."""
    for defect in DEFECTS:
        if defect.conversation in real:
            case = real[defect.conversation]
            named = [q for q in case.questions if question_digest(q.text) == defect.question]
            turns = {str(turn.locator) for session in case.stream.units for turn in session.turns}
            assert [True] == [question.answerable for question in named], defect
            assert set(defect.locators) <= turns, defect


def test_real_questions_carry_them(real: dict[str, Case]) -> None:
    """The listed questions alone have a defect, which ends with the locators that show it."""
    marked = Counter(case.stream.id for case in real.values() for question in case.questions if question.defect)
    assert {"conv-26": 4, "conv-30": 2, "conv-41": 1, "conv-42": 2, "conv-43": 10, "conv-49": 5} == marked
    for case in real.values():
        for question in case.questions:
            defect = find_defect(case.stream.id, question.text)
            assert (defect.said if defect else "") == question.defect
            assert not question.defect or question.defect.endswith("]")


def test_marked(tmp_path: Path) -> None:
    """A listed question is asked like any other and says what contradicts its gold, and where."""
    turns = [{"speaker": "Calvin", "dia_id": "D1:1", "text": "Hello"}]
    asked = [*PUBLISHED, "Who said hello?"]
    questions = [{"question": text, "answer": "x", "evidence": [], "category": 4} for text in asked]
    conversation = {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"qa": questions, "conversation": conversation, "sample_id": "conv-50"}))

    (case,) = LoCoMo().load(path)

    assert 5 == len(case.questions)
    assert () == case.notes
    for question in case.questions[:4]:
        assert re.fullmatch(r".+ \[S\d+T\d+\]", question.defect)
    assert "" == case.questions[4].defect
