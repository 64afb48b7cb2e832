"""What is said of single rows in a rendering."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memkit.ledger.row import Row
from memkit.locators import PATTERN
from memkit.query.match import fold
from memkit.query.operations import plain
from memkit.query.plan import Operation
from memkit.query.text import clip, print_number, quote

NAME_CHARACTERS = 120
"""Characters shown of a name: a group, a term, a change."""
TEXT_CHARACTERS = 300
"""Characters shown of an action or an error."""
_CHANGES = 8
"""Changes shown of a row."""


def named(name: str) -> str:
    """A name, quoted and cut to what is shown of it."""
    return quote(clip(name, NAME_CHARACTERS))


def describe(row: Row, operation: Operation, of: str) -> str:
    """A line about a row of a result of `operation`, which may be over `of`."""
    return f"{place_of(row)}: {_DESCRIBE[operation](row, of)}"


def place_of(row: Row) -> str:
    """The step, with its locator where that says more, and its time."""
    located = "" if row.locator == f"[step {row.step}]" or not PATTERN.fullmatch(row.locator) else f" {row.locator}"
    return f"step {row.step}{located}{f' at {named(row.time)}' if row.time else ''}"


def _action(row: Row, _: str) -> str:
    error = f" {quote(clip(row.quote, TEXT_CHARACTERS))}" if row.outcome == "failure" and row.quote else ""
    return f"{quote(clip(row.action, TEXT_CHARACTERS))} {row.outcome}{error}"


def _event(row: Row, _: str) -> str:
    changes = "; ".join(f"{named(change.name)} -> {named(change.value)}" for change in row.changes[:_CHANGES])
    more = f"; ... {len(row.changes) - _CHANGES} more" if len(row.changes) > _CHANGES else ""
    return f"{named(row.tool)} {row.outcome}{f', {changes}{more}' if changes else ''}"


def _number(row: Row, name: str) -> str:
    return print_number(plain(row.numbers[name]))


def _states(row: Row, name: str) -> str:
    wanted = fold(name)
    return ", ".join(named(change.value) for change in row.changes if fold(change.name) == wanted)


_DESCRIBE: Mapping[Operation, Callable[[Row, str], str]] = {
    "list": _action,
    "last-per-target": _action,
    "first": _action,
    "last": _action,
    "timeline": _event,
    "min": _action,
    "max": _action,
    "sum": _number,
    "mean": _number,
    "state": _states,
}
"""What is said of each row, after its step. Of a count or a group there are no single rows."""
