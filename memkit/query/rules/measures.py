"""Typed numbers in a question: `a non-zero exit code`, `longer than 30 seconds`, `the total time`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from attrs import frozen

from memkit.query.plan import Bound, Comparison, Operation
from memkit.query.rules.wording import Asked

_SYNONYMS = {
    "seconds": (
        *("duration", "seconds", "second", "time taken", "time spent", "execution time", "running time"),
        *("elapsed time", "run time", "runtime", "how long"),
    ),
    "exit_code": (
        *("exit code", "exit codes", "exit status", "exit value", "return code", "returncode"),
        *("exited with a code", "exited with code", "exited with a status", "exited with"),
    ),
    "additions": ("lines added", "added lines", "added line", "lines were added"),
    "deletions": (
        *("lines deleted", "deleted lines", "lines removed", "removed lines", "lines were deleted"),
        "lines were removed",
    ),
}
_DIFFS = frozenset({"additions", "deletions"})
"""Numbers whose words are common where there are no commits."""
_COUNTED = frozenset({"files"})
"""Numbers of things that are targets, too: `how many files` asks for those."""
_TESTS = frozenset({"passed", "failed", "errors", "skipped", "warnings", "xfailed", "xpassed", "deselected"})
"""Counts of tests, meant only where tests are named: their names say how anything may end."""
_ADJECTIVES = {"seconds": {"longest": "max", "slowest": "max", "shortest": "min", "fastest": "min", "quickest": "min"}}
_AGGREGATES: tuple[tuple[re.Pattern[str], Operation], ...] = (
    (re.compile(r"\b(?:average|mean)\b"), "mean"),
    (re.compile(r"\b(?:maximum|max|longest|largest|highest|greatest|slowest|most)\b"), "max"),
    (re.compile(r"\b(?:minimum|min|shortest|smallest|lowest|fastest|quickest|fewest|least)\b"), "min"),
    (
        re.compile(
            r"\b(?:total|sum|overall|altogether|combined|cumulative|together|in\s+all|how\s+(?:much|long|many))\b"
        ),
        "sum",
    ),
)
_NUMBER = r"(?P<value>-?\d{1,12}(?:\.\d{1,6})?)"
_COMPARISONS: tuple[tuple[re.Pattern[str], Comparison], ...] = tuple(
    (re.compile(rf"(?:{words})\s*{_NUMBER}(?![\w])"), comparison)  # type: ignore[misc]
    for words, comparison in (
        (r">=|at\s+least|no\s+(?:less|fewer|shorter)\s+than", ">="),
        (r"<=|at\s+most|no\s+(?:more|longer|greater)\s+than", "<="),
        (r"!=|<>|not\s+(?:equal\s+to\s+|of\s+)?|other\s+than\s+", "!="),
        (r">|(?:more|longer|greater|larger|higher|bigger)\s+than|over|above|exceed(?:s|ed|ing)?", ">"),
        (r"<|(?:less|fewer|shorter|smaller|lower|quicker|faster)\s+than|under|below", "<"),
        (r"={1,2}|(?:equal\s+to|of|is|was|being|with|code|status|value|exactly|:)\s", "="),
    )
)
_NON_ZERO = re.compile(
    r"\bnon-?\s?zero\b|\bnot\s+(?:equal\s+to\s+)?(?:zero|0)\b|\bother\s+than\s+(?:zero|0)\b|\bunequal\s+to\s+(?:zero|0)\b|\berroneous\b"
)
_ZERO = re.compile(r"\bzero\b")
_NEAR = 60
"""Characters on either side of a number's name in which it may be compared."""


@frozen
class Measure:
    """A number that a clause names: to be computed over where `operation` is set, and compared in `bounds`."""

    name: str
    operation: Operation | None
    bounds: tuple[Bound, ...] = ()


def read_measures(asked: Asked, names: Collection[str]) -> tuple[Measure, ...]:
    """What a clause says of the numbers that the rows of the log have."""
    return tuple(_measures(asked, sorted(names)))


def unmeasured(asked: Asked, names: Collection[str]) -> bool:
    """Whether a clause compares a number that no row of the log has."""
    missing = _SYNONYMS.keys() - set(names) - _DIFFS
    return any(
        place is not None and _bounds(name, _near(asked.plain, place))
        for name in missing
        for place in (_place(asked.plain, name),)
    )


def _measures(asked: Asked, names: Sequence[str]) -> Iterator[Measure]:
    plain = asked.plain
    for name in names:
        if name in _TESTS and not re.search(r"\btests?\b", plain):
            continue
        place = _place(plain, name)
        if place is None:
            if found := next((word for word in _ADJECTIVES.get(name, {}) if re.search(rf"\b{word}\b", plain)), None):
                yield Measure(name, "max" if _ADJECTIVES[name][found] == "max" else "min")
            continue
        bounds = _bounds(name, _near(plain, place))
        operation = None
        if not bounds:
            operation = next((operation for pattern, operation in _AGGREGATES if pattern.search(plain)), None)
            if operation == "sum" and name in _COUNTED:
                continue
        yield Measure(name, operation, bounds)


def _place(plain: str, name: str) -> tuple[int, int] | None:
    """Where the number is named, by its own words or others for it."""
    for phrase in (name.replace("_", " "), *_SYNONYMS.get(name, ())):
        words = phrase.split()
        pattern = r"[\s_-]+".join(re.escape(word) for word in words)
        if match := re.search(rf"(?<!\w){pattern}(?!\w)", plain):
            return match.span()
    return None


def _near(plain: str, place: tuple[int, int]) -> str:
    return plain[max(0, place[0] - _NEAR) : place[1] + _NEAR]


def _bounds(name: str, near: str) -> tuple[Bound, ...]:
    if _NON_ZERO.search(near):
        return (Bound(name, "!=", 0),)
    for pattern, comparison in _COMPARISONS:
        if match := pattern.search(near):
            return (Bound(name, comparison, float(match["value"])),)
    return (Bound(name, "=", 0),) if _ZERO.search(near) else ()
