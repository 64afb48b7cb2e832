"""Games in text: what the state after a move states of it."""

from __future__ import annotations

from memkit.events.call import Call
from memkit.events.games import Game
from memkit.events.reading import Reading


def _played(observations: list[str], tool: str = "up") -> list[Reading]:
    game = Game()
    return [game.read(Call(tool, tool, form="move"), text) for text in observations]


def test_2048() -> None:
    """A move that leaves the board the same had no effect; the first one has nothing to compare with."""
    boards = ["[[0, 2], [0, 2]]", "[[0, 4], [2, 0]]", "[[0, 4], [2, 0]]"]
    readings = _played([f"{{'board': {board}, 'highest_tile': 4, 'analysis': 'x'}}" for board in boards])
    assert ["unknown", "success", "no effect"] == [reading.outcome for reading in readings]
    assert {4.0} == {reading.numbers["highest_tile"] for reading in readings}


def test_candy_crush() -> None:
    """Only the board decides; score and moves left are numbers."""
    texts = ["Board:\n0| A B\n1| B A\nScore: 0\nMoves Left: 9\n", "Board:\n0| A B\n1| B A\nScore: 0\nMoves Left: 8\n"]
    readings = _played([*texts, "Board:\n0| A A\n1| B A\nScore: 3\nMoves Left: 7\n"])
    assert ["unknown", "no effect", "success"] == [reading.outcome for reading in readings]
    assert {"score": 3.0, "moves_left": 7.0} == dict(readings[2].numbers)


def test_baba_is_you() -> None:
    """Rules that changed are a change of state."""
    first, second = (
        "Active rules:\nbaba is you\n\nObjects:\nball 1 up",
        "Active rules:\nbaba is you\nball is win\n\nObjects:\nball 1 up",
    )
    readings = _played([first, first, second])
    assert ["unknown", "no effect", "success"] == [reading.outcome for reading in readings]
    assert [(), (), (("rules.active", "baba is you, ball is win"),)] == [reading.changes for reading in readings]


def _dungeon(message: str, x: int, hp: int = 9) -> str:
    return f"message:\n{message}\n\nlanguage observation:\nlava near east\n\ncursor:\n(x={x}, y=5)\n\nHP:{hp}(15)"


def test_minihack() -> None:
    """Moves, kills and pickings are changes; walls are no effect; hit points are a number."""
    texts = [_dungeon("", 3), _dungeon("", 4), _dungeon("It's a wall.", 4), _dungeon("You kill the giant rat!", 4, 7)]
    readings = _played([*texts, _dungeon("i - a melon.", 4)])
    assert ["unknown", "success", "no effect", "success", "success"] == [reading.outcome for reading in readings]
    expected = [("agent.position", "(x=4, y=5)"), ("giant rat.state", "killed"), ("melon.location", "inventory")]
    assert expected == [change for reading in readings for change in reading.changes]
    assert {"hp": 7.0, "x": 4.0, "y": 5.0} == dict(readings[3].numbers)


def test_crafter() -> None:
    """Asleep, nothing but sleep has an effect; what is only seen says nothing of a move."""
    asleep = "You are sleeping, and will not be able take actions until energy level is restored."
    outcomes = [
        _played([text], tool)[0].outcome for text, tool in ((asleep, "Sleep"), (asleep, "Noop"), ("You see:\n", "Do"))
    ]
    assert ["success", "no effect", "unknown"] == outcomes
