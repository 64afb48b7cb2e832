"""Games played in text: the state a log shows after a move, and what it states of the move.

Known states are 2048's board, Baba Is You's rules and objects, Candy Crush's board with its score, MiniHack's message
and cursor, and Crafter's sleep. Where the whole state is shown, a move that leaves it the same had no effect.
"""

from __future__ import annotations

import re

from attrs import mutable

from memkit.events.call import Call
from memkit.events.reading import Reading, cut, first_line

_BOARD_2048 = re.compile(r"\{'board': (\[\[[0-9, \[\]]{1,2000}\]\])")
_TILE = re.compile(r"'highest_tile': ([0-9]{1,9})")
_BOARD_CANDY = re.compile(r"Board:\r?\n((?:[0-9]{1,3}\|[^\n]*\r?\n?)+)")
_SCORE = re.compile(r"(Score): (-?[0-9]{1,9})|(Moves Left): ([0-9]{1,9})")
_CURSOR = re.compile(r"\(x=([0-9]{1,4}), y=([0-9]{1,4})\)")
_HIT_POINTS = re.compile(r"\bHP:(-?[0-9]{1,5})\(([0-9]{1,5})\)")
_NO_MOVE = ("It's a wall", "It's solid stone", "There is nothing here to pick up", "You stop at")
_KILLED = re.compile(r"You kill the ([^!.\n]{1,60})!")
_PICKED = re.compile(r"\b[A-Za-z] - (?:an?|the) ([^.\n]{1,60})\.")
_ASLEEP = "You are sleeping"
_MESSAGE_CHARACTERS = 2000


@mutable
class Game:
    """The state the log showed last."""

    state: str = ""
    rules: str = ""
    position: str = ""

    def read(self, call: Call, observation: str) -> Reading:
        """What the state shown after a move states of it; unknown for a state nobody knows."""
        if observation.startswith("message:"):
            return self._dungeon(observation)
        if board := _BOARD_2048.match(observation):
            numbers = {"highest_tile": float(tile[1])} if (tile := _TILE.search(observation)) else {}
            return self._shown(board[1], cut(board[0]), numbers)
        if board := _BOARD_CANDY.match(observation):
            score = _SCORE.search(observation, board.end())
            return self._shown(board[1], score[0] if score else "Board:", _scores(observation))
        if observation.startswith("Active rules:"):
            return self._rules(observation)
        if observation.startswith(_ASLEEP):
            return Reading("success" if call.tool == "Sleep" else "no effect", first_line(observation))
        return Reading()

    def _shown(self, state: str, quote: str, numbers: dict[str, float]) -> Reading:
        before, self.state = self.state, state
        if not before:
            return Reading(numbers=numbers)
        return Reading("no effect" if before == state else "success", quote, numbers=numbers)

    def _rules(self, observation: str) -> Reading:
        reading = self._shown(observation, first_line(observation), {})
        lines = observation.partition("\n\n")[0].split("\n")[1:]
        rules = ", ".join(line.strip() for line in lines if line.strip())
        before, self.rules = self.rules, rules
        changed = bool(before) and rules != before
        return Reading(reading.outcome, reading.quote, (("rules.active", rules or "none"),) if changed else ())

    def _dungeon(self, observation: str) -> Reading:
        message = observation[len("message:") : _MESSAGE_CHARACTERS].partition("language observation:")[0].strip()
        numbers: dict[str, float] = {}
        changes: list[tuple[str, str]] = []
        if hit := _HIT_POINTS.search(observation):
            numbers["hp"] = float(hit[1])
        moved = False
        if cursor := _CURSOR.search(observation):
            numbers |= {"x": float(cursor[1]), "y": float(cursor[2])}
            moved = self.position not in ("", cursor[0])
            self.position = cursor[0]
        if moved:
            changes.append(("agent.position", self.position))
        if killed := _KILLED.search(message):
            changes.append((f"{killed[1]}.state", "killed"))
        if picked := _PICKED.search(message):
            changes.append((f"{picked[1]}.location", "inventory"))
        if changes:
            return Reading("success", first_line(message) or self.position, tuple(changes), numbers)
        if message.startswith(_NO_MOVE):
            return Reading("no effect", first_line(message), (), numbers)
        return Reading("unknown", first_line(message), (), numbers)


def _scores(observation: str) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for match in _SCORE.finditer(observation):
        name, value = (match[1], match[2]) if match[1] else (match[3], match[4])
        numbers[name.lower().replace(" ", "_")] = float(value)
    return numbers
