"""The catalogue of a ledger."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memkit.ledger.catalogue import CHANGE_PROPERTIES, TARGETS, Catalogue
from memkit.ledger.row import Change, Row


def test_contents() -> None:
    """Tools and acts with counts, properties without their objects, numbers with their range, first and last step."""
    rows = [
        Row(
            3,
            "[step 3]",
            "go",
            "go to",
            targets=("desk 1",),
            outcome="success",
            changes=(Change("agent.location", "desk 1"),),
        ),
        Row(4, "[step 4]", "bash", "ls", outcome="failure", numbers={"exit_code": 2.0}, time="2024-01-02"),
        Row(
            9, "[step 9]", "bash", "cat", targets=("a.b/c.py", "desk 1"), numbers={"exit_code": 0.0}, time="2024-01-01"
        ),
        Row(10, "[step 10]", "", changes=(Change("a.b/c.py.content", "edited"),)),
    ]
    expected = Catalogue(
        rows=4,
        tools={"bash": 2, "go": 1},
        acts={"go": {"go to": 1}, "bash": {"ls": 1, "cat": 1}},
        targets={"desk 1": 2, "a.b/c.py": 1},
        properties={"location": 1, "content": 1},
        outcomes={"success": 1, "failure": 1, "unknown": 2},
        numbers={"exit_code": (0.0, 2.0)},
        steps=(3, 10),
        times=("2024-01-01", "2024-01-02"),
    )
    assert expected == Catalogue.of(rows)
    assert ["bash", "go"] == list(Catalogue.of(rows).tools)


def test_empty() -> None:
    """A ledger without rows has an empty catalogue."""
    assert Catalogue() == Catalogue.of([])


@given(st.lists(st.lists(st.integers(0, 99).map(str), max_size=4), max_size=60))
def test_most_frequent_targets(targets: list[list[str]]) -> None:
    """The targets listed are the most frequent, equals in order of first appearance, and bounded."""
    rows = [
        Row(i, "", "t", targets=tuple(t), changes=tuple(Change(f"x.{n}", "") for n in t)) for i, t in enumerate(targets)
    ]
    flat = [target for row in targets for target in row]
    ranked = sorted(dict.fromkeys(flat), key=lambda target: (-flat.count(target), flat.index(target)))
    catalogue = Catalogue.of(rows)
    assert {target: flat.count(target) for target in ranked[:TARGETS]} == catalogue.targets
    assert ranked[:TARGETS] == list(catalogue.targets)
    assert ranked[:CHANGE_PROPERTIES] == list(catalogue.properties)
