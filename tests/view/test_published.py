"""As published, a view is admitted and cut by the paper's rules; each test holds one of them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memkit.locators import Locator
from memkit.records import Step
from memkit.view.anchors import distances
from memkit.view.reading import Reading
from memkit.view.sheet import View

LONG = "o" * 5000


def _steps(observations: Sequence[str]) -> list[Step]:
    return [
        Step(Locator("step", 0, number), number, f"wait {number}", observation)
        for number, observation in enumerate(observations)
    ]


def _view(steps: Sequence[Step], question: str, budget: int = 26_000) -> View:
    return Reading(steps).view(question, budget=budget, as_published=True)


def _shown(view: View) -> list[int]:
    """The steps whose observation is in the view."""
    return [span.locator.index for span in view.shown if span.field == "observation"]


def _characters(view: View, step: int) -> int:
    """How much of a step's observation is in the view."""
    return sum(
        span.end - span.start for span in view.shown if (span.locator.index, span.field) == (step, "observation")
    )


def _edit(number: int, path: str, command: str = "create", observation: str = "") -> Step:
    action = f"str_replace_editor: {json.dumps({'command': command, 'path': path, 'file_text': 'x'})}"
    receipt = f"File created successfully at: {path}"
    return Step(Locator("step", 0, number), number, action, observation or receipt)


def test_fields_near_an_anchor_keep_more() -> None:
    """4,000 characters a field within 2 steps of an anchor, 1,200 farther off, and the rest is marked as missing."""
    view = _view(_steps([LONG] * 9), "What was seen at step 4?")

    assert [1200, 1200, 4000, 4000, 4000, 4000, 4000, 1200, 1200] == [_characters(view, step) for step in range(9)]
    assert 5 == view.text.count("[... 1,000 more characters left out]")
    assert 4 == view.text.count("[... 3,800 more characters left out]")
    assert () == view.whole


def test_nearest_to_what_is_named_comes_first() -> None:
    """Named steps, then by distance to the nearest anchor, until the budget is spent; shown in step order."""
    view = _view(_steps(["some words about nothing " * 40] * 30), "At step 20, and again at step 5?", budget=1700)

    assert [4, 5, 6, 19, 20, 21] == _shown(view)


def test_what_no_longer_fits_is_skipped() -> None:
    """A step that is too long for what is left does not keep out a later one that is not."""
    small, large = "few words", "many words " * 300
    view = _view(_steps([small, small, large, small, small]), "At step 0?", budget=200)

    assert [0, 1, 3, 4] == _shown(view)


def test_the_best_four_steps_are_anchors_when_nothing_is_named() -> None:
    """The steps that share most terms with the question, of equals the earlier, and never one that shares none."""
    observations = ["nothing"] * 60
    for step, text in ((7, "a copper kettle"), (22, "kettle"), (30, "copper"), (40, "kettle"), (50, "copper")):
        observations[step] = text
    steps = _steps([text + " of words" * 600 for text in observations])

    wide = [step for step in range(60) if _characters(_view(steps, "A copper kettle?", 90_000), step) == 4000]

    assert [near for step in (7, 22, 30, 40) for near in range(step - 2, step + 3)] == wide


def test_the_numbers_of_named_steps_match_no_term() -> None:
    """References to steps are taken out of the question before terms are matched."""
    observations = ["nothing"] * 40
    observations[30] = "step 3 step 3"
    view = _view(_steps([text + " of words" * 300 for text in observations]), "What about step 3?", budget=2500)

    assert 3 in _shown(view)
    assert 30 not in _shown(view)


def test_bounds_of_the_question_are_the_scope() -> None:
    """No step outside the stated bounds is shown, but for one that the question names."""
    view = _view(_steps(["text"] * 20), "What happened between step 5 and step 8, and before step 15?")

    assert [5, 6, 7, 8, 15] == _shown(view)
    assert "[steps 0-4 left out]" in view.text


def test_a_named_file_brings_its_steps() -> None:
    """Steps linked to a file that the question contains by its exact path are anchors, however far apart."""
    steps = _steps(["filler words " * 150] * 60)
    steps[3] = _edit(3, "/w/a.py")
    steps[50] = _edit(50, "/w/a.py", "view", f"Here's the result of running `cat -n` on /w/a.py:\n{'x ' * 300}")

    assert {3, 50} <= set(_shown(_view(steps, "When was /w/a.py made?", budget=4000)))


def test_thirty_per_cent_are_for_index_records() -> None:
    """Of what is left out, number and action stand in the view as far as the share goes, then the gaps are marked."""
    view = _view(_steps(["filler words " * 150] * 400), "At step 200?", budget=2000)

    records = view.text.count(", left out] wait ")
    assert 40 < records < 100
    assert "[step 203, left out] wait 203\n" in view.text
    assert view.text.startswith("[steps 0-")
    assert view.text.endswith("-399 left out]\n")


def test_records_tell_what_became_of_a_file() -> None:
    """The index record of an editor call is its file event: command, path and status."""
    steps = _steps(["filler words " * 150] * 12)
    steps[9] = _edit(9, "/w/a.py", observation="File created successfully at: /w/a.py\n" + " and more" * 900)
    view = _view(steps, "At step 0?", budget=1200)

    assert "[step 9, left out] create /w/a.py (confirmed)\n" in view.text


def test_distances() -> None:
    """The distance to the nearest anchor on either side; the number of entries where there is none."""
    assert [2, 1, 0, 1, 1, 0] == distances({2, 5}, 6)
    assert [3, 3, 3] == distances(set(), 3)
