"""The steps that a clause is about, by its own bounds or else by those of the question."""

from __future__ import annotations

from collections.abc import Sequence

from memkit.events.references import find_references, read_scope
from memkit.query.plan import Operation, Scope

_SO_FAR = ("so far", "by then", "up to that", "up to this", "at that point", "at this point")
_AS_OF: frozenset[Operation] = frozenset(("state", "last", "first", "last-per-target"))
"""What is asked of a step `at step 9` covers the steps up to it: the state then, the last event by then."""


def scope_of(clause: str, question: str, steps: Sequence[int], operation: Operation) -> Scope:
    """The scope of `operation` in a clause; open where nothing bounds it."""
    text = clause if find_references(clause) else question
    read = read_scope(text, steps)
    if read.low is None and read.high is None:
        return Scope()
    references = find_references(text)
    points = all(reference.kind == "step" for reference in references)
    if points and (operation in _AS_OF or any(words in text.lower() for words in _SO_FAR)):
        return Scope(None, read.high)
    return Scope(read.low, read.high)


def is_half(clause: str) -> bool:
    """Whether a clause names one end of a range and no step for the other: `between step 0 and the answer`."""
    references = find_references(clause)
    alone = [one for one in references if sum(other.start == one.start for other in references) == 1]
    return any(one.kind == "step" and clause[one.start : one.end].lower().startswith("between") for one in alone)


def is_bounded(clause: str) -> bool:
    """Whether a clause names steps."""
    return bool(find_references(clause))
