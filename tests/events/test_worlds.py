"""Text worlds: outcomes and changes from the world's own sentences."""

from __future__ import annotations

import pytest

from memkit.events.reading import Reading
from memkit.events.worlds import World, read_action

OFFER = "\n\nThe current available actions are: take cup 9 from desk 9, move cup 9 to desk 9"
TABLE = [
    (
        "go to desk 1",
        "You arrive at loc 24. On the desk 1, you see a pen 1.",
        "success",
        [("agent.location", "desk 1")],
    ),
    ("go to desk 1", "On the desk 1, you see nothing.", "success", [("agent.location", "desk 1")]),
    ("go to desk 1", "Nothing happens.", "no effect", []),
    (
        "open drawer 1",
        "You open the drawer 1. The drawer 1 is open. In it, you see nothing.",
        "success",
        [("drawer 1.state", "open")],
    ),
    ("close drawer 1", "You close the drawer 1.", "success", [("drawer 1.state", "closed")]),
    (
        "take pen 1 from desk 1",
        "You pick up the pen 1 from the desk 1.",
        "success",
        [("pen 1.location", "inventory"), ("agent.inventory", "pen 1")],
    ),
    (
        "put pen 1 in/on desk 2",
        "You put the pen 1 in/on the desk 2.",
        "success",
        [("pen 1.location", "desk 2"), ("agent.inventory", "empty")],
    ),
    (
        "move pen 1 to desk 2",
        "You move the pen 1 to the desk 2.",
        "success",
        [("pen 1.location", "desk 2"), ("agent.inventory", "empty")],
    ),
    ("clean cup 1 with sink 1", "You clean the cup 1 using the sink 1.", "success", [("cup 1.state", "clean")]),
    ("heat cup 1 with oven 1", "You heat the cup 1 using the oven 1.", "success", [("cup 1.state", "hot")]),
    ("cool cup 1 with fridge 1", "You cool the cup 1 using the fridge 1.", "success", [("cup 1.state", "cool")]),
    ("slice pie 1 with knife 1", "You sliced the pie 1 with the knife 1.", "success", [("pie 1.state", "sliced")]),
    ("use lamp 1", "You turn on the lamp 1.", "success", [("lamp 1.state", "on")]),
    ("look", "You are facing the desk 1. Next to it, you see nothing.", "success", []),
    ("inventory", "You are not carrying anything.", "success", []),
    ("examine desk 1", "There's nothing special about desk 1.", "success", []),
    ("take pen 1 from desk 1", "You can't reach that.", "failure", []),
    ("open drawer 1", "Something else.", "unknown", []),
    ("open drawer 1", "", "unknown", []),
]


@pytest.mark.parametrize(
    ("action", "observation", "outcome", "changes"), TABLE, ids=[f"{r[0]}: {r[1][:30]}" for r in TABLE]
)
def test_sentences(action: str, observation: str, outcome: str, changes: list[tuple[str, str]]) -> None:
    """Each sentence gives its outcome and changes, with and without a list of offered actions below it."""
    for text in (observation, observation + OFFER):
        call = read_action(action)
        assert call is not None
        reading = World().read(call, text)
        assert (outcome, changes) == (reading.outcome, list(reading.changes))
        assert reading.quote in observation


def _read(world: World, action: str, observation: str) -> Reading:
    call = read_action(action)
    assert call is not None
    return world.read(call, observation)


def test_inventory_is_kept() -> None:
    """What is carried is told after each change, in the order of taking."""
    world = World()
    said = [
        _read(world, "take pen 1 from desk 1", "You pick up the pen 1 from the desk 1."),
        _read(world, "take pen 10 from desk 1", "You pick up the pen 10 from the desk 1."),
        _read(world, "put pen 1 in/on desk 2", "Nothing happens."),
        _read(world, "put pen 1 in/on desk 2", "You put the pen 1 in/on the desk 2."),
    ]
    values = [value for reading in said for name, value in reading.changes if name == "agent.inventory"]
    assert ["pen 1", "pen 1, pen 10", "pen 10"] == values


def test_inventory_listing_is_believed() -> None:
    """A listing of the inventory replaces what was pieced together."""
    world = World()
    _read(world, "inventory", "You are carrying: a pen 1, and an egg 2.")
    assert ["pen 1", "egg 2"] == list(world.held)
    _read(world, "inventory", "You are not carrying anything.")
    assert [] == list(world.held)


def test_offered_actions_are_no_event() -> None:
    """Nothing in the list of actions gives an outcome, a quote or a change."""
    offers = "The current available actions are: look. You pick up the pen 1 from the desk 1."
    assert Reading() == _read(World(), "take pen 1 from desk 1", offers)
