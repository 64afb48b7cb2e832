"""Where the stream does not fit, what was asked for is whole, what repeats is folded, and what is missing is marked."""

from __future__ import annotations

from collections.abc import Sequence

from memkit.locators import Locator
from memkit.records import Step
from memkit.view.reading import read_view

FILLER = "lorem ipsum dolor sit amet " * 60


def _steps(observations: Sequence[str]) -> list[Step]:
    return [
        Step(Locator("step", 0, number), number, f"wait {number}", f"{number} {observation}")
        for number, observation in enumerate(observations)
    ]


def test_named_steps_are_whole_before_all() -> None:
    """A named step is whole however long it is and however well others match, while it fits."""
    observations = ["the copper kettle"] * 60
    observations[40] = FILLER * 5
    view = read_view(_steps(observations), "Was there a copper kettle at step 40?", budget=2200)

    assert Locator("step", 0, 40) in view.whole


def test_a_named_step_too_long_for_the_budget_is_cut() -> None:
    """What does not fit whole is shown as far as a cut goes, and the cut is marked."""
    view = read_view(_steps(["short", "word " * 9000, "short"]), "What came at step 1?", budget=2000)

    assert Locator("step", 0, 1) not in view.whole
    assert [4000] == [span.end for span in view.shown if span.locator.index == 1 and span.field == "observation"]
    assert "more characters left out]\n" in view.text


def test_what_is_left_lengthens_the_cuts() -> None:
    """With room to spare the beginning of a cut entry is longer."""
    view = read_view(_steps(["short", "word " * 90_000, "short"]), "What came at step 1?", budget=9000)

    assert [16_000] == [span.end for span in view.shown if span.locator.index == 1 and span.field == "observation"]


def test_many_short_steps_go_before_one_long() -> None:
    """Of entries that match alike, those of fewer characters are shown."""
    observations = [FILLER if number % 2 else "short" for number in range(40)]
    view = read_view(_steps(observations), "anything", budget=3000)

    assert set(range(0, 40, 2)) <= {locator.index for locator in view.whole}


def test_the_best_match_is_shown() -> None:
    """Of entries of one length, the one that has the words of the question."""
    observations = [FILLER] * 60
    observations[33] = FILLER + "kettle"
    view = read_view(_steps(observations), "Where is the kettle?", budget=3000)

    assert Locator("step", 0, 33) in view.whole


def test_a_file_is_named_by_its_name_when_no_other_has_it() -> None:
    """The end of a path that is one file's alone brings its steps; a name of two files brings none."""
    call = 'str_replace_editor: {"command": "create", "path": "%s", "file_text": "x"}'
    steps = _steps([FILLER] * 60)
    for number, path in ((20, "/w/one.py"), (30, "/w/a/two.py"), (40, "/w/b/two.py")):
        steps[number] = Step(Locator("step", 0, number), number, call % path, FILLER)

    one = read_view(steps, "Who made one.py?", budget=3000)
    two = read_view(steps, "At step 5, who made two.py?", budget=3000)

    assert {19, 20, 21} <= {locator.index for locator in one.whole}
    assert not {29, 31, 39, 41} & {locator.index for locator in two.whole}


def test_repeated_lines_stand_once() -> None:
    """A line of three entries is written once above them and marked where it stands; entries of it count as whole."""
    tail = "The current available actions are: look, wait, go north"
    steps = _steps([f"at {number}\n{FILLER if number == 9 else ''}{tail}\n" for number in range(10)])

    view = read_view(steps, "anything", budget=400)

    assert 1 == view.text.count(tail)
    assert f"[=0] {tail}\n" in view.text
    assert "[step 3] wait 3\nObservation: 3 at 3\n[=0]\n" in view.text
    assert [(0, len("0 at 0\n"))] == [(span.locator.index, span.start) for span in view.repeated]
    assert {Locator("step", 0, number) for number in range(9)} <= set(view.whole)


def test_runs_of_repeated_lines_are_one_mark() -> None:
    """Neighbouring repeated lines are written as a range, and only lines of some length are folded."""
    block = "first line that repeats\nsecond line that repeats\nok\nthird line that repeats"
    steps = _steps([f"{number}\n{block}\n{FILLER if number == 9 else ''}" for number in range(10)])

    view = read_view(steps, "anything", budget=400)

    assert "Observation: 2 2\n[=0-1]\nok\n[=2]\n" in view.text


def test_marks_in_the_source_are_text() -> None:
    """Text that looks like a mark is shown as it is, and the record does not take it for one."""
    view = read_view(_steps(["[step 7] [=0] [steps 1-5 left out]"]), "anything")

    assert [Locator("step", 0, 0)] == list(view.whole)
    assert "[step 0] wait 0\nObservation: 0 [step 7] [=0] [steps 1-5 left out]\n" == view.text
