"""The questions that one arm of a contrast has right and the other wrong: the largest, with what each arm did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, TypeAlias

from attrs import define, field, frozen

from memkit.compare.replay import Replay, open_replay
from memkit.errors import MemkitError, UserError
from memkit.report.exchange import Step, steps_of
from memkit.report.text import clean
from memkit.runs.contrasts import Flip, flips
from memkit.runs.open import Run
from memkit.runs.sheet import MISSING, Sheet

EACH_WAY = 2
"""Flips shown of a contrast: so many gained, and so many lost."""
FLIPS_SHOWN = 48
"""Of all contrasts together."""
EXCHANGE_BYTES = 3_000_000
"""Of all exchanges together, which leaves the rest of a report of 5 MB for everything else."""
SECONDS = 60.0
"""After so long no further question is asked again: a model that runs here may take minutes for each."""
COLUMNS = (
    "arm", "stream", "question", "attempt", "status", "question_text", "gold", "evidence", "served", "cited",
    "rounds", "tool_calls", "answer", "build_key",
)  # fmt: skip
Place: TypeAlias = tuple[str, str, str]
"""Arm, stream, question."""


@frozen
class Side:
    """What one arm did: the row of its first attempt that has an answer, and the steps to it or why there are none.

    `found` and `missed` are the marked evidence that did and did not reach the model.
    """

    arm: str
    score: float
    row: Mapping[str, Any] = field(repr=False)
    found: tuple[str, ...]
    missed: tuple[str, ...]
    steps: tuple[Step, ...] = field(repr=False)
    reason: str = ""


@frozen
class ShownFlip:
    """A question, the side of the contrast's arm, and that of the one it is held against."""

    flip: Flip
    text: str
    gold: str | None
    side: Side
    other: Side


@frozen
class ContrastFlips:
    """The flips of one declared contrast: how many went each way, and those that are shown."""

    arm: str
    against: str
    gained: int
    lost: int
    shown: tuple[ShownFlip, ...]


def show_flips(run: Run, sheet: Sheet, each_way: int = EACH_WAY) -> tuple[ContrastFlips, ...]:
    """The flips on the primary metric of every declared contrast."""
    primary = sheet.design.primary
    every = [flips(sheet.arms[arm], sheet.arms[against], primary) for arm, against in sheet.design.pairs]
    left, chosen = FLIPS_SHOWN, []
    for found in every:
        chosen.append(_largest(found, each_way)[:left])
        left -= len(chosen[-1])
    pairs = list(zip(sheet.design.pairs, every, chosen, strict=True))
    places = {(label, flip.stream, flip.question) for pair, _, some in pairs for flip in some for label in pair}
    rows, asking = _rows(run, places), _Asking(run)
    return tuple(
        ContrastFlips(
            arm,
            against,
            sum(flip.score > flip.other for flip in found),
            sum(flip.score < flip.other for flip in found),
            tuple(_shown(flip, arm, against, rows, asking) for flip in some),
        )
        for (arm, against), found, some in pairs
    )


def _largest(found: Sequence[Flip], each_way: int) -> list[Flip]:
    gained = [flip for flip in found if flip.score > flip.other][:each_way]
    lost = [flip for flip in found if flip.score < flip.other][:each_way]
    return [*gained, *lost]


def _rows(run: Run, places: set[Place]) -> dict[Place, Mapping[str, Any]]:
    """The row of the first attempt that has an answer; there is one, since the question has a score."""
    if not places:
        return {}
    heads = run.read_items(["arm", "stream", "question", "status"])
    wanted = [
        place
        for place, (arm, stream, question, status) in enumerate(heads.iter_rows())
        if status not in MISSING and (arm, stream, question) in places
    ]
    found: dict[Place, Mapping[str, Any]] = {}
    for row in run.read_items(COLUMNS)[wanted].iter_rows(named=True):
        found.setdefault((row["arm"], row["stream"], row["question"]), row)
    return found


def _shown(flip: Flip, arm: str, against: str, rows: Mapping[Place, Mapping[str, Any]], asking: _Asking) -> ShownFlip:
    ours, theirs = rows[arm, flip.stream, flip.question], rows[against, flip.stream, flip.question]
    sides = _side(flip.score, ours, asking), _side(flip.other, theirs, asking)
    return ShownFlip(flip, ours["question_text"], ours["gold"], *sides)


def _side(score: float, row: Mapping[str, Any], asking: _Asking) -> Side:
    served, evidence = set(row["served"] or ()), row["evidence"] or ()
    found = tuple(one for one in evidence if one in served)
    missed = tuple(one for one in evidence if one not in served)
    steps, reason = asking.steps(row)
    return Side(row["arm"], score, row, found, missed, steps, reason)


@define
class _Asking:
    """Asks again what is shown, each once, while there is room and time; opens the run when it is first needed."""

    run: Run
    room: int = EXCHANGE_BYTES
    until: float = field(factory=lambda: monotonic() + SECONDS)
    opened: Replay | None = None
    refused: str = ""
    known: dict[tuple[str, str, str], tuple[tuple[Step, ...], str]] = field(factory=dict)

    def steps(self, row: Mapping[str, Any]) -> tuple[tuple[Step, ...], str]:
        """The steps to the answer of `row`; or none, and why."""
        place = (row["arm"], row["stream"], row["question"])
        if place not in self.known:
            try:
                self.known[place] = self._ask(row), ""
            except MemkitError as error:
                self.known[place] = (), str(error)
        return self.known[place]

    def _ask(self, row: Mapping[str, Any]) -> tuple[Step, ...]:
        if monotonic() > self.until:
            raise UserError(f"not asked again: the others took {SECONDS:.0f} s")
        build_key = row["build_key"] or ""
        answer = self._replay().ask(row["arm"], row["stream"], row["question"], row["attempt"], build_key=build_key)
        if clean(answer.text) != clean(row["answer"]):
            raise UserError("asked again it gave another answer: the code, a part or the data have changed since")
        steps = steps_of(answer.messages)
        if steps and steps[-1].text == clean(answer.text):  # it is shown above them
            steps = steps[:-1]
        size = sum(step.size for step in steps)
        if size > self.room:
            raise UserError("left out: the exchanges above fill the room there is for them")
        self.room -= size
        return steps

    def _replay(self) -> Replay:
        if self.refused:
            raise UserError(self.refused)
        if self.opened is None:
            try:
                self.opened = open_replay(self.run.directory)
            except MemkitError as error:
                self.refused = str(error)
                raise
        return self.opened
