"""The steps and bounds that a question names: `at step 14`, `steps 20-40`, `before turn 78`, `in the first 20 steps`.

Bounds are inclusive on the source's own step numbers, `before` and `after` leave the named step out, and a range
holds both its ends, `between step 6 and step 9` too: the ledger paper's error analysis (Appendix O) found the last one
read in two ways, and AMA-Bench's golds read it so. `(exclusive)` or `strictly` leaves the ends out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from attrs import frozen

Kind: TypeAlias = Literal["step", "range", "from", "until", "first", "last"]

_DASH = r"[-\u2010-\u2015\u2212~]"
_NUMBER = r"\d{1,9}(?![\w])(?!\.\d)"
# A short aside may stand between a number and what goes on: `between step 3 [12] and step 9`.
_ASIDE = r"(?:\s{0,2}[(\[](?!exclusive)[^()\[\]]{0,60}[)\]])?"
_NOUN = r"(?:steps?|turns?)(?:\s+(?:index|indices|numbers?|no\.?))?"
_JOIN = (
    rf"\s*{_DASH}\s*|\s+(?:up\s+)?to\s+|\s+(?:through|thru|until|till)\s+|\s*,\s*(?:and\s+|or\s+)?"
    r"|\s+(?:and|or)\s+|\s*&\s*"
)
_LEADS: dict[str, str] = {
    "before": r"(?:before|prior\s+to|preceding|earlier\s+than)(?:\s+the\s+(?:start|beginning)\s+of)?",
    "after": r"(?:after|following|later\s+than|beyond)(?:\s+the\s+end\s+of)?",
    "until": r"(?:until|till|through|thru|by|as\s+of|no\s+later\s+than"
    r"|up\s+(?:to|until|through)(?:\s*,?\s*and\s+including)?)(?:\s+the\s+end\s+of)?",
    "from": r"(?:(?:starting|beginning)\s+(?:from|at|with|in)|from|since|no\s+earlier\s+than)"
    r"(?:\s+the\s+(?:start|beginning)\s+of)?",
    "between": r"between",
    "both": r"both",
}
_LEAD = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _LEADS.items())
_REFERENCE = re.compile(
    rf"(?P<strictly>\bstrictly\s+)?(?:\b(?:{_LEAD})\s+(?:and\s+including\s+)?)?"
    rf"(?<![-\w])(?P<noun>{_NOUN})\s*[(\[]?\#?(?P<numbers>{_NUMBER}{_ASIDE}(?:(?:{_JOIN})(?:{_NOUN}\s+)?\#?{_NUMBER}{_ASIDE})*)"
    r"(?P<onward>\s+(?:onwards?|and\s+(?:later|after|onwards?|beyond)))?(?P<exclusive>\s*,?\s*\(?exclusive(?:ly)?\b)?",
    re.IGNORECASE,
)
_ITEM = re.compile(rf"(?P<join>{_JOIN})?(?P<noun>{_NOUN}\s+)?\#?(?P<number>{_NUMBER}){_ASIDE}", re.IGNORECASE)
_RANGE_JOIN = re.compile(rf"{_DASH}|to|through|thru|until|till", re.IGNORECASE)

_WORDS = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
    """.split()  # noqa: SIM905
_ENDS = re.compile(
    rf"\b(?:(?P<first>first|initial|opening)|last|final|closing)\s+(?P<count>\d{{1,9}}|{'|'.join(_WORDS)})\s+(?:steps?|turns?)\b",
    re.IGNORECASE,
)


@frozen
class Reference:
    """One mention of steps, at the characters `start` to `end` of the question.

    A `step` is one step (`low` = `high`), a `range` has both ends, `from` and `until` are open at one. `first` and
    `last` say in `low` how many steps of that end of the log are meant.
    """

    kind: Kind
    low: int | None
    high: int | None
    start: int
    end: int


@frozen
class StepScope:
    """Steps `low` to `high`, both included; None leaves that end open."""

    low: int | None = None
    high: int | None = None

    def __contains__(self, step: int) -> bool:
        return (self.low is None or step >= self.low) and (self.high is None or step <= self.high)


def find_references(question: str) -> tuple[Reference, ...]:
    """Every mention of steps in a question, in order. Mentions of one phrase share its characters."""
    found = [reference for match in _REFERENCE.finditer(question) for reference in _read(match)]
    for match in _ENDS.finditer(question):
        written = match["count"].lower()
        count = int(written) if written.isdigit() else _WORDS.index(written) + 1
        found.append(Reference("first" if match["first"] else "last", count, None, *match.span()))
    return tuple(sorted(found, key=lambda reference: reference.start))


def named_steps(question: str) -> tuple[int, ...]:
    """The step numbers a question writes, each once, in order; of a range its two ends.

    `before step 9` names step 9. `the first 20 steps` names none.
    """
    named: dict[int, None] = {}
    for match in _REFERENCE.finditer(question):
        named.update((number, None) for _, number in _items(match))
    return tuple(named)


def read_scope(question: str, steps: Sequence[int], *, points: bool = True) -> StepScope:
    """The steps a question is about, by its explicit bounds; open where it states none.

    `steps` are the step numbers of the log in order, which `the first 20 steps` counts on. Half-open bounds are met
    together (`after step 3 ... before step 9` is 4 to 8), ranges are joined into one that covers them, and both are
    met; bounds no step can meet are no bounds. Single steps (`at step 5`, `in steps 3 and 9`) count only where
    there is no other bound, and only with `points`: then the scope spans them.
    """
    references = find_references(question)
    spans = [_span(reference, steps) for reference in references if reference.kind != "step"]
    closed = [(low, high) for low, high in spans if low is not None and high is not None]
    low = max((low for low, high in spans if low is not None and high is None), default=None)
    high = min((high for low, high in spans if high is not None and low is None), default=None)
    if closed:
        first, last = min(low for low, _ in closed), max(high for _, high in closed)
        low = first if low is None else max(low, first)
        high = last if high is None else min(high, last)
    if spans:
        return StepScope() if low is not None and high is not None and low > high else StepScope(low, high)
    if points and references:
        single = [reference.low for reference in references if reference.low is not None]
        return StepScope(min(single), max(single))
    return StepScope()


def without_references(question: str) -> str:
    """The question with a space for each mention of steps, so that `step` and its number match no term."""
    return _ENDS.sub(" ", _REFERENCE.sub(" ", question))


def _read(match: re.Match[str]) -> Iterator[Reference]:
    """The references of one phrase."""
    items = _items(match)
    place = match.span()
    inset = 1 if match["strictly"] or match["exclusive"] else 0
    single = len(items) == 1
    number = items[0][1]
    # `from turn 5's observation` names a step and bounds nothing.
    owned = match.string.startswith(("'s", "’s"), match.end())
    if single and not owned and match["before"]:
        yield Reference("until", None, number - 1, *place)
    elif single and not owned and match["until"]:
        yield Reference("until", None, number - inset, *place)
    elif single and not owned and match["after"]:
        yield Reference("from", number + 1, None, *place)
    elif single and not owned and (match["from"] or match["onward"]):
        yield Reference("from", number + inset, None, *place)
    else:
        yield from _points_and_ranges(items, inset, place, between=bool(match["between"]))


def _points_and_ranges(
    items: Sequence[tuple[str, int]], inset: int, place: tuple[int, int], *, between: bool
) -> Iterator[Reference]:
    """`3, 5 and 7-9` is two steps and a range; `between 3 and 9` is a range."""
    at = 0
    while at < len(items):
        low = items[at][1]
        join = items[at + 1][0] if at + 1 < len(items) else ""
        if join and (_RANGE_JOIN.search(join) or (between and len(items) == 2)):
            high = items[at + 1][1]
            low, high = min(low, high) + inset, max(low, high) - inset
            if low <= high:
                yield Reference("range", low, high, *place)
            at += 2
        else:
            yield Reference("step", low, low, *place)
            at += 1


def _items(match: re.Match[str]) -> list[tuple[str, int]]:
    """(what joins it to the one before, number) of each number of a phrase.

    After `step 5` a bare number goes on only as a range, or with `and` where `between` or `both` leads: `at step 5, 3
    apples` names one step.
    """
    plural = match["noun"].lower().split()[0].endswith("s")
    bare = plural or bool(match["between"] or match["both"])
    items: list[tuple[str, int]] = []
    for item in _ITEM.finditer(match["numbers"]):
        join = item["join"] or ""
        if items and not (bare or item["noun"] or _RANGE_JOIN.search(join)):
            break
        items.append((join, int(item["number"])))
    return items


def _span(reference: Reference, steps: Sequence[int]) -> tuple[int | None, int | None]:
    if reference.kind not in {"first", "last"}:
        return reference.low, reference.high
    count = max(1, reference.low or 0)
    part = steps[:count] if reference.kind == "first" else steps[-count:]
    return (part[0], part[-1]) if part else (None, None)
