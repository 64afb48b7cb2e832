"""Admission: which entries a sheet gets and in which form, as the paper publishes it and as memkit does it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import sqrt
from typing import TypeAlias

from memkit.view.asked import Asked
from memkit.view.forms import Form
from memkit.view.sheet import Sheet

NEIGHBOURHOOD = 2
"""Entries within this distance of an anchor keep more of their text (ledger paper, appendix C: w = 2)."""
NEAR_CHARACTERS = 4_000
"""Of a field of an entry near an anchor (ledger paper, appendix C)."""
FAR_CHARACTERS = 1_200
"""Of a field of any other entry (ledger paper, appendix C)."""
RECORD_SHARE = 0.3
"""Of the budget, for index records (ledger paper, appendix C)."""
LINKED_SHARE = 0.2
"""Of what remains after named steps and their neighbours, for steps linked to named files (appendix C)."""
LINKED_STEPS = 8
"""At most as many linked steps are admitted from that share (ledger paper, appendix C)."""

# Ours, chosen on half of the episodes of AMA-Bench (docs/explanation/reading-view.md).
RELEVANCE = 4.0
"""What the entry of the best BM25 score is worth, where any entry is worth 1."""
NEARNESS = 8.0
"""What an entry in a named range, or within `NEIGHBOURHOOD` of a named entry, is worth more."""
IN_SCOPE = 1.0
"""What an entry within the bounds of the question is worth more."""
CUTS = (NEAR_CHARACTERS, FAR_CHARACTERS, 300)
"""An entry that does not fit whole is cut to the first of these that fits."""
WIDER_CUTS = (64_000, 16_000)
"""What is left at the end goes to longer beginnings of the entries that were cut."""

FormOf: TypeAlias = Callable[[int], Form]
CutOf: TypeAlias = Callable[[int, int], Form]


def admit_as_published(
    sheet: Sheet, budget: int, asked: Asked, far: Sequence[int], cut: CutOf, record: FormOf, *, linked: Sequence[int]
) -> None:
    """Greedy admission in lexicographic order of (named, distance to the nearest anchor), then the earlier entry.

    `far` are the distances of all positions. What no longer fits is skipped. `linked` are the entries of files the
    question names, best first; index records of what is left out follow in the same order.
    """
    named = set(asked.named)
    order = sorted(asked.scope, key=lambda at: (at not in named, far[at], at))
    close = {at for at in asked.scope if any(abs(at - other) <= NEIGHBOURHOOD for other in named)}
    reserve = int(budget * RECORD_SHARE)

    def admit(places: Iterable[int], room: float) -> None:
        stop = sheet.left - room
        for at in places:
            if sheet[at] is None:
                characters = NEAR_CHARACTERS if far[at] <= NEIGHBOURHOOD else FAR_CHARACTERS
                sheet.place(at, cut(at, characters), room=int(sheet.left - max(stop, reserve)))

    admit((at for at in order if at in close), sheet.left)
    admit(linked, LINKED_SHARE * (sheet.left - reserve))
    admit(order, sheet.left)
    for at in order:
        if sheet[at] is None and not sheet.place(at, record(at)):
            break


def admit_whole(
    sheet: Sheet, budget: int, asked: Asked, values: Sequence[float], whole: FormOf, cut: CutOf, record: FormOf
) -> None:
    """Named entries, then what is worth most for its length, whole while the budget lasts; the rest cut, or a record.

    Every entry begins as an index record, as far as `RECORD_SHARE` allows, and pays only the difference when it gets
    more. The root of the length keeps one long entry from outweighing many short ones, and short ones from
    displacing what was asked for.
    """
    named = set(asked.named)
    by_value = sorted(range(len(values)), key=lambda at: (at not in named, -values[at], at))
    records = int(budget * RECORD_SHARE)
    for at in by_value:
        before = sheet.left
        if not sheet.place(at, record(at), room=records):
            break
        records -= before - sheet.left
    lengths = [sum(map(len, whole(at).lines)) for at in range(len(values))]
    order = sorted(by_value, key=lambda at: (at not in named, -values[at] / sqrt(lengths[at])))
    for at in order:
        if not sheet.place(at, whole(at)) and at in named:
            _place_widest(sheet, at, cut, CUTS)
    for at in order:
        form = sheet[at]
        if form is None or not (form.whole or at in named):
            _place_widest(sheet, at, cut, CUTS)
    for at in order:
        form = sheet[at]
        if form is not None and not form.whole:
            _place_widest(sheet, at, cut, WIDER_CUTS)


def _place_widest(sheet: Sheet, at: int, cut: CutOf, cuts: Iterable[int]) -> None:
    """Place the first of the cuts that fits, if one does."""
    any(sheet.place(at, cut(at, characters)) for characters in cuts)


def values(asked: Asked, scores: Sequence[float]) -> list[float]:
    """What each entry is worth to the question, by its BM25 score, its nearness to what is named, and the scope."""
    best = max(scores, default=0.0) or 1.0
    scope = set(asked.scope)
    near = set(asked.ranged)
    for at in chain(asked.named, *asked.linked.values()):
        near.update(range(at - NEIGHBOURHOOD, at + NEIGHBOURHOOD + 1))
    return [
        1 + RELEVANCE * score / best + NEARNESS * (at in near) + IN_SCOPE * (at in scope)
        for at, score in enumerate(scores)
    ]
