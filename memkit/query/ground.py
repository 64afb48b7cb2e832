"""Grounding: what a sub-query names must be in the log, or nothing is computed (ledger paper, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memkit.query.column import Places, within
from memkit.query.columns import Columns
from memkit.query.operations import NEEDS_NUMBER
from memkit.query.plan import Clause, Query
from memkit.query.selection import Selection
from memkit.query.text import clip, print_bound, print_clause, print_term, quote

_SHOWN = 80
"""Characters of a term or name in a note."""


class Match(NamedTuple):
    """The rows in scope that fit a sub-query, and by its filters, in order, those of the whole log that fit each.

    `missing` says of each thing without which nothing can be computed that the log does not have it, `absent` the same
    of a term beside others of its clause that occur.
    """

    rows: Places
    parts: Sequence[Selection]
    missing: tuple[str, ...]
    absent: tuple[str, ...]


def match(columns: Columns, query: Query, span: range) -> Match:
    """The rows of `span` that fit every filter of `query`."""
    parts: list[Selection] = []
    missing = list(_unanswerable(columns, query))
    absent: list[str] = []
    for clause in query.where:
        selection, unknown = columns.find(clause)
        parts.append(selection)
        # Of "create, insert or replace" a log may lack one: the others are what was asked for.
        lacking = missing if len(unknown) == len(clause.terms) else absent
        lacking += [f"no row has {clause.field}: {clip(print_term(term), _SHOWN)}" for term in unknown]
        if not clause.terms:
            missing.append(f"no term is given for {clause.field}")
    for bound in query.bounds:
        parts.append(columns.satisfying(bound))
        if not columns.numbers(bound.name):
            missing.append(f"no row has the number {clip(quote(bound.name), _SHOWN)}")
    rows: Places = span
    for number, part in enumerate(sorted(parts, key=lambda part: part.size)):
        rows = part.among(rows) if number else within(part.places, span)
    return Match(rows, parts, tuple(dict.fromkeys(missing)), tuple(dict.fromkeys(absent)))


def _unanswerable(columns: Columns, query: Query) -> Iterator[str]:
    if query.operation in NEEDS_NUMBER and not columns.numbers(query.of):
        yield f"no row has the number {clip(quote(query.of), _SHOWN)}"
    if query.operation == "state" and not columns.states(query.of):
        yield f"no confirmed change of {clip(quote(query.of), _SHOWN)}"
    if query.operation == "group" and query.by is None:
        yield "group does not say by what"


def checked(query: Query, found: Match, span: range) -> str:
    """What a verified zero rests on: how many rows each filter fits by itself, in scope."""
    names = [*map(print_clause, query.where), *map(print_bound, query.bounds)]
    alone = [
        f"{clip(name, _SHOWN)} alone fits {len(within(part.places, span))}"
        for name, part in zip(names, found.parts, strict=True)
    ]
    return "; ".join([f"none of the {len(span)} rows in scope fits", *alone])


def fewer_filters(query: Query) -> tuple[Clause, ...]:
    """The target and action clauses, with which alone a list or timeline without a match is asked again."""
    return tuple(clause for clause in query.where if clause.field in ("target", "action"))
