"""A reading view keeps to its budget by exact count and shows the source word for word, whatever the source says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import Dataset, build_registry
from memkit.locators import Locator, Span
from memkit.records import Session, Step, Turn, Unit
from memkit.testing.samples import HOSTILE
from memkit.testing.strategies import conversations, texts
from memkit.tokens import count_tokens
from memkit.view.contexts import long_context
from memkit.view.reading import BUDGET, Reading, read_view
from memkit.view.sheet import View

LINES = (
    "You see nothing special here.",
    "[=3] or [step 2, left out] or",
    "",
    "  ",
    "/a path",
    "x" * 40,
    "\tindented",
    "a\r",
)
QUESTIONS = (
    "What was done at step 2?",
    "How many times did it look between step 1 and step 3?",
    "What became of /work/a.py before step 4?",
    "nothing special",
    "",
)


def _step(number: int, action: str, observation: str = "") -> Step:
    return Step(Locator("step", 0, number), number, action, observation)


def _blocks() -> st.SearchStrategy[str]:
    """Text of several lines, some of which recur."""
    lines = st.lists(st.sampled_from(LINES) | texts(max_size=30), max_size=6).map("\n".join)
    return lines | st.sampled_from(HOSTILE) | texts(max_size=20).map(lambda text: text * 400)


@st.composite
def _trajectories(draw: st.DrawFn) -> tuple[Step, ...]:
    count = draw(st.integers(0, 9))
    write = '{"command": "create", "path": "/work/a.py", "file_text": "x"}'
    actions = _blocks() | st.just(f"str_replace_editor: {write}")
    return tuple(_step(number, draw(actions), draw(_blocks())) for number in range(count))


def _streams() -> st.SearchStrategy[Sequence[Unit]]:
    return _trajectories() | conversations().map(lambda conversation: conversation.units)


def _source(units: Sequence[Unit]) -> dict[Locator, Turn | Step]:
    places = [place for unit in units for place in (unit.turns if isinstance(unit, Session) else (unit,))]
    return {place.locator: place for place in places}


def _characters(units: Sequence[Unit], span: Span) -> str:
    text: str = getattr(_source(units)[span.locator], span.field)
    return text[span.start : span.end]


def _assert_true_to(view: View, units: Sequence[Unit]) -> None:
    """Every span stands in the text word for word, in the order of the record."""
    for spans in (view.repeated, view.shown):
        at = 0
        for span in spans:
            shown = _characters(units, span)
            found = view.text.find(shown, at)
            assert found >= 0, span
            at = found + len(shown)


@given(
    units=_streams(),
    question=st.sampled_from(QUESTIONS) | texts(),
    budget=st.integers(0, 700),
    as_published=st.booleans(),
    counter=st.booleans(),
)
def test_counts_exactly_within_its_budget(
    *, units: Sequence[Unit], question: str, budget: int, as_published: bool, counter: bool
) -> None:
    """The recorded count is that of the text, and never over the budget."""
    view = read_view(units, question, budget=budget, as_published=as_published, counter=counter)

    assert count_tokens(view.text) == view.tokens
    assert view.tokens <= budget


@given(
    units=_streams(),
    question=st.sampled_from(QUESTIONS) | texts(),
    budget=st.integers(0, 700),
    as_published=st.booleans(),
)
def test_shows_the_source_word_for_word(
    *, units: Sequence[Unit], question: str, budget: int, as_published: bool
) -> None:
    """Spans are byte-equal to the source and in its order; each belongs to an entry of the stream."""
    view = read_view(units, question, budget=budget, as_published=as_published)

    _assert_true_to(view, units)
    order = list(_source(units))
    places = [order.index(span.locator) for span in view.shown]
    assert sorted(places) == places


@given(_streams(), st.sampled_from(QUESTIONS), st.integers(0, 700))
def test_whole_entries_miss_nothing(units: Sequence[Unit], question: str, budget: int) -> None:
    """Each line of a whole entry is in one of its spans or among the repeated lines."""
    view = read_view(units, question, budget=budget)

    repeated = {_characters(units, span) for span in view.repeated}
    for locator in view.whole:
        place = _source(units)[locator]
        for name in ("action", "observation") if isinstance(place, Step) else ("speaker", "text", "caption"):
            shown = [_characters(units, span) for span in view.shown if (span.locator, span.field) == (locator, name)]
            kept = {line for text in shown for line in text.split("\n")}
            assert {line for line in getattr(place, name).split("\n") if line} <= kept | repeated


@given(_streams(), st.sampled_from(QUESTIONS))
def test_shows_everything_that_fits(units: Sequence[Unit], question: str) -> None:
    """What fits is shown whole, with no line folded and nothing marked, as the long context shows it too."""
    view = read_view(units, question, budget=10**6)

    assert tuple(_source(units)) == view.whole
    assert () == view.repeated
    assert long_context(units, 10**6).text == view.text


@given(_streams(), st.integers(0, 400))
def test_ranked_entries_are_whole(units: Sequence[Unit], budget: int) -> None:
    """A view by a ranking shows whole entries alone, within the budget, and the first that fits."""
    reading = Reading(units)
    ranking = range(len(reading.entries) - 1, -1, -1)

    view = reading.whole_view(ranking, budget=budget)

    assert count_tokens(view.text) == view.tokens <= budget
    assert {span.locator for span in view.shown} <= set(view.whole)
    _assert_true_to(view, units)


def test_a_reading_serves_many_questions() -> None:
    """A second question finds the same view as a fresh reading."""
    units = [_step(number, f"go to shelf {number}", "You see a mug. " * 200) for number in range(40)]
    reading = Reading(units)
    first = reading.view("shelf 3", budget=2000)

    assert reading.view("What of shelf 17 at step 20?", budget=2000) == read_view(
        units, "What of shelf 17 at step 20?", budget=2000
    )
    assert reading.view("shelf 3", budget=2000) == first


def test_a_text_too_long_to_encode_at_once_keeps_to_the_budget() -> None:
    """The count of a view of several encoded pieces is that of its text too."""
    units = [_step(n, "wait", "".join(f"{' ' * 97}{n}.{line}\n\n\n" for line in range(99))) for n in range(200)]

    view = read_view(units, "wait", budget=30_000)

    assert len(view.text) > 200_000
    assert count_tokens(view.text) == view.tokens <= 30_000


@pytest.mark.parametrize("budget", [-5, 0, 3])
def test_no_budget(budget: int) -> None:
    """A budget that holds not even the mark of what is left out gives an empty view."""
    units = [_step(0, "go north", "You see a mug. " * 50)]

    assert View("") == read_view(units, "mug", budget=budget) == Reading(units).whole_view([0], budget=budget)


def test_turns_stand_under_their_sessions() -> None:
    """A conversation is shown by turns with their locators, each session headed by its date."""
    first = Session(
        1, (Turn(Locator("S", 1, 1), "Ana", "Hi", "a dog"), Turn(Locator("S", 1, 2), "Bo", "Ho")), "2024-02-29"
    )
    second = Session(2, (Turn(Locator("S", 2, 1), "Ana", "Bye"),))

    view = read_view([first, second], "dog")

    expected = "Session 1, 2024-02-29\n[S1T1] Ana: Hi [image: a dog]\n[S1T2] Bo: Ho\nSession 2\n[S2T1] Ana: Bye\n"
    assert expected == view.text


def test_real_episodes(shared: Path) -> None:
    """On episodes of every family the view is exact, within 26,000 tokens, and true to the source."""
    dataset = cast("Dataset", build_registry().make("dataset", "ama-bench"))
    cases = islice(dataset.load(shared / "data" / "ama-bench" / "episodes.tar.xz"), 0, None, 9)
    for case in cases:
        reading = Reading(case.stream.units)
        for question in case.questions[:3]:
            for as_published in (False, True):
                view = reading.view(question.text, as_published=as_published)
                assert count_tokens(view.text) == view.tokens <= BUDGET
                _assert_true_to(view, case.stream.units)


@pytest.mark.parametrize("as_published", [False, True])
def test_an_empty_stream(*, as_published: bool) -> None:
    """Nothing to show is no error."""
    assert View("") == read_view([], "What happened at step 3?", as_published=as_published)
