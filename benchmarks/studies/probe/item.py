"""A generated question: its text with the stated answer format, its answer, its events and its correct plan."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

INTEGER = "Answer with an integer."
STEP = "Answer with a step number."
STEPS = 'Answer with a comma-separated list of step numbers, or "none".'
NAMES = 'Answer with a comma-separated list of names, or "none".'
NAME = "Answer with a name."


@frozen
class Item:
    """A question of `template`; `events` are the numbers of the steps that the answer rests on.

    Those are all events of the asked kind in scope; of a first or last event it is that step alone.

    `plan` is the query that the template stands for, with parameters from the question alone.
    """

    id: str
    template: str
    text: str
    answer: str
    events: tuple[int, ...]
    plan: str


def bounds(steps: int) -> tuple[int, int, int]:
    """The last steps of the three scopes of a log of `steps` steps, counted from 0 (ledger paper, appendix H)."""
    return steps // 4 - 1, steps // 2 - 1, steps - 1


def listed(values: Sequence[object]) -> str:
    """Values as a comma-separated list, or `none`."""
    return ", ".join(map(str, values)) or "none"


def only_most(counts: dict[str, int]) -> str | None:
    """The name with the highest count; None where there is none or several share it."""
    most = [name for name, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else None
