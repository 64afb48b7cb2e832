"""Rows from the units of a stream, by program: one for every step, and one for every turn of a session.

Streaming and linear: a row is ready as soon as its unit is read, and what is remembered between steps is the state
of the world, page or game, and the last parameters of each tool and path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import field, mutable

from memkit.events import bash, receipts, sql, tools
from memkit.events.actions import THINKERS, read_call
from memkit.events.call import Call, Form
from memkit.events.commits import is_commit, read_commit
from memkit.events.games import Game
from memkit.events.reading import Reading, cut
from memkit.events.turns import mentions
from memkit.events.web import Page
from memkit.events.worlds import World
from memkit.ledger.delta import Deltas
from memkit.ledger.row import Change, Row
from memkit.records import Session, Step, Turn, Unit

COMMIT = "commit"
SAY, SHARE = "say", "share"
"""The acts of a turn: without and with a picture."""


def extract_rows(units: Iterable[Unit]) -> Iterator[Row]:
    """The rows of a stream, in its order. Whatever the units hold is data; nothing is raised for it."""
    reader = _Reader()
    for unit in units:
        if isinstance(unit, Step):
            yield reader.step(unit)
        else:
            yield from reader.session(unit)


@mutable
class _Reader:
    """What must be remembered from one unit to the next."""

    _turns: int = 0
    _speakers: dict[str, None] = field(factory=dict)
    _deltas: Deltas = field(factory=Deltas)
    _world: World = field(factory=World)
    _page: Page = field(factory=Page)
    _game: Game = field(factory=Game)

    def step(self, step: Step) -> Row:
        if is_commit(step.action):
            return _commit(step)
        call = read_call(step.action)
        reading = self._reading(call, step)
        return Row(
            step=step.index,
            locator=str(step.locator),
            tool=call.tool,
            act=call.act,
            action=step.action,
            targets=call.targets,
            outcome=reading.outcome,
            quote=reading.quote,
            changes=tuple([Change(name, value) for name, value in reading.changes]),
            delta=self._deltas.of(call) if call.tool else (),
            numbers=dict(reading.numbers),
        )

    def session(self, session: Session) -> Iterator[Row]:
        self._speakers.update(dict.fromkeys(session.speakers))
        for turn in session.turns:
            self._turns += 1
            yield self._turn(turn, turn.time or session.time or "")

    def _turn(self, turn: Turn, time: str) -> Row:
        others = [speaker for speaker in self._speakers if speaker != turn.speaker]
        return Row(
            step=self._turns,
            locator=str(turn.locator),
            tool=turn.speaker,
            act=SHARE if turn.caption else SAY,
            action=turn.text,
            targets=mentions(turn.text, others),
            quote=cut(turn.caption),
            time=time,
        )

    def _reading(self, call: Call, step: Step) -> Reading:
        """What the observation states, by the reader that knows this form of call."""
        seen = step.observation
        readers: dict[Form, Callable[[], Reading]] = {
            "editor": lambda: receipts.read_result(call, seen),
            "shell": lambda: bash.read_result(seen),
            "sql": lambda: sql.read_result(seen),
            "world": lambda: self._world.read(call, seen),
            "web": lambda: self._page.read(call, step.action, seen),
            "move": lambda: self._game.read(call, seen),
            "tool": lambda: tools.read_result(call, seen, thinks=call.tool in THINKERS),
        }
        return readers.get(call.form, Reading)()


def _commit(step: Step) -> Row:
    commit = read_commit(step.action, step.observation)
    return Row(
        step=step.index,
        locator=str(step.locator),
        tool=COMMIT,
        act=COMMIT,
        action=step.action,
        targets=commit.paths,
        outcome="success",
        changes=tuple([Change(name, value) for name, value in commit.changes]),
        numbers=commit.numbers,
        time=commit.time,
    )
