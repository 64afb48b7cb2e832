"""Results as text for a reader: exact, within a number of characters, and safe to print.

The first line of each result has a fixed form, `[1] count = 7`, which `memkit.query.values` reads back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias

from attrs import evolve, frozen

from memkit.ledger.row import OUTCOMES, Row
from memkit.query.describe import NAME_CHARACTERS, TEXT_CHARACTERS, describe, named
from memkit.query.plan import Query, Term
from memkit.query.result import Result, support
from memkit.query.text import clip, print_number, print_operation, print_query, quote

RENDER_CHARACTERS: Final = 6_000
"""Characters of all results together (ledger paper, section 5)."""

_QUERY = 600
"""Characters shown of a query, a note or a group."""
_VALUE = 80
"""Characters that a value may take however little room there is."""

_Item: TypeAlias = tuple[str, int]
"""A part of a line that is shown whole or not at all, and how many things it stands for."""


@frozen
class _Line:
    """A line of `total` things, shown as items after `lead`."""

    lead: str
    items: Iterable[_Item] = ()
    total: int = 0

    def fit(self, room: int) -> str:
        """The line with as many items as fit into `room` characters and a mark for the others; empty if none fits."""
        mark = len(f", ... {self.total} more")
        text, left, joint = self.lead, self.total, ""
        for item, count in self.items:
            reserve = mark if left > count else 0
            if len(text) + len(joint) + len(item) + reserve > room:
                text += f"{joint}... {left} more"
                break
            text += joint + item
            left -= count
            joint = ", "
        return text if len(text) <= room else ""


def render_results(results: Sequence[Result], rows: Sequence[Row], characters: int = RENDER_CHARACTERS) -> str:
    """`results` in order, in at most so many characters; `rows` are the ledger they were computed from.

    Each states its operation and value, its filters, how many rows matched, the steps, the outcomes, failures by
    their error. What does not fit is left out, line by line and item by item, and the omission is marked.
    """
    blocks: list[str] = []
    room = characters
    for number, result in enumerate(results, start=1):
        share = room // (len(results) - len(blocks)) - 1
        block = (
            _fit(_head(number, result, rows), _details(result, rows), share) or f"[{number}] left out"[: max(share, 0)]
        )
        blocks.append(block)
        room -= len(block) + 1
    return "\n".join(filter(None, blocks))


def show_value(result: Result, rows: Sequence[Row]) -> str:
    """The value of `result`, whole, as the first line of its rendering has it."""
    line = _value(result, rows)
    return line.lead + ", ".join(item for item, _ in line.items)


def _fit(head: Iterator[_Line], details: Iterator[str], room: int) -> str:
    """The value, which may take half the room, then as many lines as fit, with a mark for those left out."""
    first = next(head)
    lines = [first.fit(max(room // 2, min(room, _VALUE)))]
    if not lines[0]:
        return ""
    room -= len(lines[0])
    mark = "... more left out"
    for line in chain(head, (_Line(text) for text in details)):
        text = line.fit(room - 1 - len(mark) - 1)
        if not text:
            if room > len(mark):
                lines.append(mark)
            break
        lines.append(text)
        room -= len(text) + 1
    return "\n".join(lines)


def _head(number: int, result: Result, rows: Sequence[Row]) -> Iterator[_Line]:
    """The lines that every result has."""
    shown = _shortened(result.query)
    value = _value(result, rows)
    status = "" if result.status == "computed" else f" ({result.status})"
    yield evolve(value, lead=f"[{number}] {print_operation(shown)}{status} = {value.lead}")
    yield _Line(f"query: {clip(print_query(shown), _QUERY)}")
    if result.status in ("computed", "relaxed"):
        yield _Line(f"matched: {len(result.rows)} of {result.checked} rows in scope")
    if result.note:
        yield _Line(f"note: {clip(result.note, _QUERY)}")
    if result.rows and result.query.operation not in ("first", "last", "state"):
        yield from _outcomes(result, rows)


def _outcomes(result: Result, rows: Sequence[Row]) -> Iterator[_Line]:
    """How many rows had each outcome; of a count and the like, at which steps, and failures by their error."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place in result.rows:
        groups[rows[place].outcome].append(place)
    counts = [(f"{outcome} {len(groups[outcome])}", 1) for outcome in OUTCOMES if outcome in groups]
    yield _Line("outcomes: ", counts, len(counts))
    if result.query.operation in ("list", "timeline", "group", "last-per-target"):
        return
    if len(groups) == 1 and "failure" not in groups:
        yield _steps("", result.rows, rows)
        return
    for outcome in OUTCOMES:
        if outcome == "failure":
            for error, places in _by_error(groups[outcome], rows):
                yield _steps(f"failure {error} ", places, rows)
        elif outcome in groups:
            yield _steps(f"{outcome} ", groups[outcome], rows)


def _by_error(places: Iterable[int], rows: Sequence[Row]) -> Iterator[tuple[str, list[int]]]:
    """Failures by their error text, the most frequent first."""
    errors: defaultdict[str, list[int]] = defaultdict(list)
    for place in places:
        errors[rows[place].quote].append(place)
    for error, failed in sorted(errors.items(), key=lambda item: -len(item[1])):
        yield quote(clip(error, TEXT_CHARACTERS)) if error else "without an error text", failed


def _details(result: Result, rows: Sequence[Row]) -> Iterator[str]:
    """The lines of single groups or rows."""
    operation, of = result.query.operation, result.query.of
    if operation == "group":
        for name, places in result.groups.items():
            yield _group(name, places, rows)
    elif operation == "last-per-target":
        for name, places in result.groups.items():
            yield f"{named(name)} {describe(rows[places[-1]], operation, of)}"
    elif operation != "count":
        for place in result.rows if operation == "state" else support(result, rows):
            yield describe(rows[place], operation, of)


def _group(name: str, places: Sequence[int], rows: Sequence[Row]) -> str:
    counts: defaultdict[str, int] = defaultdict(int)
    for place in places:
        counts[rows[place].outcome] += 1
    outcomes = ", ".join(f"{outcome} {counts[outcome]}" for outcome in OUTCOMES if outcome in counts)
    return _steps(f"{named(name)} {len(places)} ({outcomes}) ", places, rows).fit(_QUERY)


def _value(result: Result, rows: Sequence[Row]) -> _Line:
    """The value as a line without its beginning."""
    if result.query.operation == "group" and result.groups:
        counts = ((f"{named(name)} {len(of)}", 1) for name, of in result.groups.items())
        return _Line("", counts, len(result.groups))
    if result.query.operation == "last-per-target" and result.groups:
        last = ((f"{named(name)} step {rows[of[-1]].step}", 1) for name, of in result.groups.items())
        return _Line("", last, len(result.groups))
    if result.query.operation in ("list", "timeline") and result.rows:
        return _steps("", result.rows, rows)
    match result.value:
        case None:
            return _Line("none")
        case str():
            return _Line(quote(clip(result.value, TEXT_CHARACTERS)))
        case _:
            step = "step " if result.query.operation in ("first", "last") else ""
            return _Line(f"{step}{print_number(result.value)}")


def _steps(lead: str, places: Sequence[int], rows: Sequence[Row]) -> _Line:
    """`steps 0-3, 7, 9-12`."""
    return _Line(f"{lead}steps ", _ranges(rows[place].step for place in places), len(places))


def _ranges(steps: Iterable[int]) -> Iterator[_Item]:
    """Ascending steps with those that follow one another as one range; each stands for how many rows it covers."""
    first = last = None
    count = 0
    for step in steps:
        if first is not None and last is not None and step - last <= 1:
            last, count = step, count + 1
            continue
        if first is not None:
            yield _range(first, last), count
        first, last, count = step, step, 1
    if first is not None:
        yield _range(first, last), count


def _range(first: int, last: int | None) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _shortened(query: Query) -> Query:
    """`query` with its names and terms cut to what is shown of them."""
    where = tuple(
        evolve(clause, terms=tuple(Term(clip(term.text, NAME_CHARACTERS), term.anywhere) for term in clause.terms))
        for clause in query.where
    )
    bounds = tuple(evolve(bound, name=clip(bound.name, NAME_CHARACTERS)) for bound in query.bounds)
    return evolve(query, where=where, bounds=bounds, of=clip(query.of, NAME_CHARACTERS))
