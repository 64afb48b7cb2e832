"""What a model says of a step is believed as far as the log bears it out, and no row is ever lost."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.ledger.annotation import Annotation, annotate, believe, quoted, read_annotations
from memkit.ledger.row import OUTCOMES, Change, Row
from memkit.locators import Locator
from memkit.records import Step

SEEN = "You open the drawer 1. The drawer 1 is open.\nIn it, you see a “red”  pen 2."
STEP = Step(Locator("step", 0, 3), 3, "open drawer 1", SEEN)
ROW = Row(3, "[step 3]", "open")
SAID = Annotation(3, "open", ("drawer 1",), "success", "The drawer 1 is open", {"drawer 1.state": "open"})


def test_accepted() -> None:
    """An outcome whose quote the observation holds is taken over, with its changes."""
    expected = Row(
        3,
        "[step 3]",
        "open",
        "open",
        targets=("drawer 1",),
        outcome="success",
        quote="The drawer 1 is open",
        by="model",
        changes=(Change("drawer 1.state", "open", verified=True),),
    )
    assert expected == believe(ROW, STEP, SAID)


def test_rejected() -> None:
    """A quote that is not in the observation leaves the outcome unknown and the changes out; the rest stays."""
    said = Annotation(3, "open", ("drawer 1",), "success", "You see: a pen", {"drawer 1.state": "open"})
    assert Row(3, "[step 3]", "open", "open", targets=("drawer 1",)) == believe(ROW, STEP, said)


def test_the_program_comes_first() -> None:
    """What the log states by a receipt is not overruled, and a change it knows keeps its value."""
    row = Row(3, "[step 3]", "open", "unlock", outcome="failure", quote="It is locked")
    assert row == believe(row, STEP, Annotation(3, "open", (), "success", "The drawer 1 is open", {"a.b": "c"}))
    changed = Row(3, "[step 3]", "open", outcome="success", changes=(Change("drawer 1.state", "open"),))
    said = Annotation(3, changes={"drawer 1.state": "ajar", "pen 2.place": "drawer 9"})
    expected = (Change("drawer 1.state", "open"), Change("pen 2.place", "drawer 9", verified=False))
    assert expected == believe(changed, STEP, said).changes


@pytest.mark.parametrize(
    ("quote", "held"),
    [
        ("the DRAWER 1 is\nopen", True),  # case and spaces do not count
        ("is open", True),
        ("pen", False),  # too short to show anything
        ("", False),
        ("You see: a “red” pen 2", True),  # by letters and digits alone
        ("You see a blue pen 2", False),
        ("the drawer-1", True),
        ("drawer-1", False),  # too short for that
    ],
)
def test_quotes(quote: str, held: bool) -> None:  # noqa: FBT001
    """Four characters suffice as they stand, eight when only letters and digits are compared."""
    assert held is quoted(quote, SEEN)


@pytest.mark.parametrize(
    ("found", "said", "targets"),
    [
        (("/a.py", "/b.py"), ("/a.py", "…"), ("/a.py", "/b.py")),
        (("/src/long/name.py",), ("/src/lo...",), ("/src/long/name.py",)),
        (("drawer 1",), ("Drawer 1", "pen 2"), ("drawer 1", "pen 2")),
        ((), ("pen 2…",), ("pen 2",)),
    ],
)
def test_targets(found: tuple[str, ...], said: tuple[str, ...], targets: tuple[str, ...]) -> None:
    """A name or list that the model cut is restored from the program's; the program's spelling stays."""
    row = Row(3, "[step 3]", "open", targets=found)
    assert targets == believe(row, STEP, Annotation(3, targets=said)).targets


ENTRY = {"step": 3, "act": "open", "targets": ["drawer 1"], "outcome": "success", "quote": "q", "changes": {"a.b": "c"}}
READ = Annotation(3, "open", ("drawer 1",), "success", "q", {"a.b": "c"})


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps({"rows": [ENTRY]}),
        json.dumps([ENTRY]),
        json.dumps(ENTRY),
        f"Here they are:\n```json\n{json.dumps([ENTRY], indent=1)}\n```\nDone.",
        json.dumps({"rows": [ENTRY, {"step": 4, "act": "look"}]})[:-12],  # cut in the second record
        json.dumps([ENTRY, {**ENTRY, "act": "again"}]),
    ],
)
def test_reading(reply: str) -> None:
    """Records are found in whatever stands around them, whole ones in a reply that was cut; the first of two counts."""
    assert (READ,) == read_annotations(reply)


@pytest.mark.parametrize(
    ("changed", "annotation"),
    [
        ({"step": "3"}, None),
        ({"step": True}, None),
        ({"outcome": "great"}, Annotation(3, "open", ("drawer 1",), "unknown", "q", {"a.b": "c"})),
        ({"targets": "drawer 1"}, Annotation(3, "open", (), "success", "q", {"a.b": "c"})),
        ({"targets": ["", 7, None, "x"]}, Annotation(3, "open", ("7", "x"), "success", "q", {"a.b": "c"})),
        ({"changes": {"a": "b", "a.n": 2, "a.t": False, "a.x": [1]}}, None),
        ({"act": 5}, Annotation(3, "5", ("drawer 1",), "success", "q", {"a.b": "c"})),
    ],
)
def test_wrong_types(changed: dict[str, object], annotation: Annotation | None) -> None:
    """A part of the wrong type is left out; without a step number there is no record."""
    if "changes" in changed:
        annotation = Annotation(3, "open", ("drawer 1",), "success", "q", {"a.n": "2", "a.t": "false"})
    assert ((annotation,) if annotation else ()) == read_annotations(json.dumps(ENTRY | changed))


@given(
    st.text()
    | st.recursive(st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)).map(
        json.dumps
    )
)
def test_any_reply_is_read(reply: str) -> None:
    """No reply raises, and every outcome that is read is one there is."""
    assert all(annotation.outcome in OUTCOMES for annotation in read_annotations(reply))


@given(
    st.lists(st.integers(0, 5), unique=True),
    st.lists(
        st.builds(
            Annotation,
            st.integers(0, 7),
            st.text(max_size=5),
            st.lists(st.text(max_size=5)).map(tuple),
            st.sampled_from(OUTCOMES),
            st.text(max_size=9),
            st.dictionaries(st.text(max_size=3), st.text(max_size=3)),
        )
    ),
)
def test_rows_stay(numbers: list[int], annotations: list[Annotation]) -> None:
    """Whatever is said, there are as many rows as before, in order, and changes belong to successes alone."""
    rows = [Row(number, f"[step {number}]", "look") for number in numbers]
    steps = {number: Step(Locator("step", 0, number), number, "look", SEEN) for number in numbers}
    after = annotate(rows, steps, annotations)
    assert numbers == [row.step for row in after]
    assert [] == [row for row in after if row.changes and row.outcome != "success"]
    assert [] == [row for row in after if row.by == "model" and not quoted(row.quote, SEEN)]
