"""The embedded model over the event ledger: plans by rules, no annotations, and answers from computed results."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memkit import Catalogue, DataError, ReadValue, compile_by_rules, plan_to_json, read_values

ASKED = re.compile(r"\A<catalogue>\n(.*)\n</catalogue>\n\n<question>\n(.*)\n</question>\n", re.DOTALL)
ANNOTATING = re.compile(r"\A<log>\n.*\n</log>\n\nAnnotate these steps: ", re.DOTALL)
NO_ANNOTATIONS = '{"rows": []}'
"""What the rules say of a step that the program did not understand: nothing."""
LISTED_STEPS = 500
"""Steps written out one by one; more are left as ranges."""
_MOST = re.compile(r"\b(?:most|least)\b", re.IGNORECASE)
_NAMES = re.compile(r"comma-separated list|^\s*(?:which|what)\b(?!.*\bhow (?:many|often|frequently)\b)", re.IGNORECASE)


def compile_asked(asked: str) -> str | None:
    """The plan, as JSON, of a request to compile one; None for any other request."""
    request = ASKED.match(asked)
    if request is None:
        return None
    try:
        catalogue = Catalogue.from_json(request[1])
    except DataError:
        catalogue = Catalogue()
    return plan_to_json(compile_by_rules(request[2], catalogue))


def answer_computed(question: str, computed: str) -> str:
    """The values of the results, in plan order; empty where none has a value to give."""
    values = [value for value in read_values(computed) if value.status != "ungrounded"]
    if not values:
        return ""
    first = "; ".join(_said(question, value) for value in values)
    return "\n".join((f"{first}.", *(f"Computed: {value.operation} = {value.text}" for value in values)))


def _said(question: str, value: ReadValue) -> str:
    if value.value is None:
        return "none"
    if isinstance(value.value, Mapping):
        return _groups(question, value.value)
    return _steps(value.value, value.text) if isinstance(value.value, tuple) else str(value.value)


def _groups(question: str, groups: Mapping[str, int]) -> str:
    """The one that is asked for, the names, or each with its count."""
    if groups and (most := _MOST.search(question)):
        return f'"{next(reversed(list(groups)) if most[0].lower() == "least" else iter(groups))}"'
    if _NAMES.search(question):
        return ", ".join(groups)
    return ", ".join(f"{name} {count}" for name, count in groups.items())


def _steps(ranges: tuple[tuple[int, int], ...], text: str) -> str:
    """The steps one by one, where they are not too many."""
    if sum(last - first + 1 for first, last in ranges) > LISTED_STEPS:
        return text.removeprefix("steps ")
    return ", ".join(str(step) for first, last in ranges for step in range(first, last + 1))
