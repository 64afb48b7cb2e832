"""One question of a run: what was there, kept, found, served and cited, from the run alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memkit.compare.comparison import Comparison
from memkit.errors import UserError
from memkit.runs.explain import explain
from memkit.runs.open import Run, open_run


def test_a_question(whole: Run) -> None:
    """Every arm and attempt has its way, and the places are those of the gold evidence."""
    found = explain(whole, "q0-0")
    assert ("stream-0", "q0-0", "fact", "Which kite did Ana buy?") == (
        found.stream,
        found.question,
        found.category,
        found.text,
    )
    assert {"[S1T1]": "[S1T1] Ana: I bought the red kite."} == found.there
    rows = whole.items.filter(whole.items["question"] == "q0-0")
    assert [(row["arm"], row["attempt"], row["lost_at"]) for row in rows.iter_rows(named=True)] == [
        (way.arm, way.attempt, way.lost_at) for way in found.arms
    ]
    for way, row in zip(found.arms, rows.iter_rows(named=True), strict=True):
        (place,) = way.places
        assert (row["served"], row["cited"]) == (list(way.served), [one.citation for one in way.cited])
        assert place.served == ("[S1T1]" in way.served)
        if row["null"]:
            assert ((), False, 0) == (place.kept, way.stored, way.passages)
        else:
            assert (True, True) == (way.stored, place.found)
            (kept,) = place.kept
            assert "[S1T1] Ana: I bought the red kite." == kept.text


def test_names(whole: Run) -> None:
    """An id, its stream before it, and the beginning of one that is no other's all name a question."""
    for name in ("q1-1", "stream-1/q1-1"):
        assert "q1-1" == explain(whole, name).question
    assert "q3-0" == explain(whole, "stream-3/q3-0", ["oracle"]).question
    with pytest.raises(UserError, match=r"'q2' could be 4 questions: stream-2/q2-0, .*; give more of the name"):
        explain(whole, "q2")
    with pytest.raises(UserError, match=r"no question of .* is called 'q0-7'; did you mean 'q0-\d'\?"):
        explain(whole, "q0-7")


def test_one_arm(whole: Run) -> None:
    """Only the arms that are named."""
    assert {"oracle"} == {way.arm for way in explain(whole, "q0-1", ["oracle"]).arms}


def test_a_question_without_an_answer(whole: Run) -> None:
    """It has no gold evidence, and nothing was there."""
    found = explain(whole, "q0-3")
    assert (False, {}) == (found.answerable, found.there)
    assert {()} == {way.places for way in found.arms}


def test_what_is_missing(gappy: Run, done: Comparison, tmp_path: Path) -> None:
    """Without its memories a run still says what was served, and says that they are gone; so with answers."""
    copy = tmp_path / done.outcome.directory.name
    shutil.copytree(done.outcome.directory, copy)
    shutil.rmtree(copy / "memories")
    for way in explain(open_run(copy), "q0-0").arms:
        assert way.note.startswith(("its memory is gone", "a null row"))
        assert ("[S1T1]" in way.served) == way.places[0].served

    notes = {way.note for way in explain(gappy, "q0-0").arms}
    assert {"there is no answer on record"} == notes
