"""Questions about commits: what became of files, and the values that a name was given."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memkit.query.plan import Clause, Term
from memkit.query.rules.wording import Asked

COMMIT = "commit"
_STATUSES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:add(?:ed|s|ing)?|creat(?:ed|e|es|ing)|introduc(?:ed|es?)|appear(?:ed|s)?|new)\b"), "added"),
    (re.compile(r"\b(?:delet(?:ed|es?|ing)|remov(?:ed|es?|ing)|disappear(?:ed|s)?)\b"), "deleted"),
    (re.compile(r"\b(?:renam(?:ed|es?|ing)|mov(?:ed|es?|ing))\b"), "renamed to"),
    (re.compile(r"\b(?:modif(?:ied|y|ies)|edit(?:ed)?|updat(?:ed|es?))\b"), "modified"),
)
_NAME = re.compile(r"(?<!\w)(?:[A-Za-z]\w*_\w+|_\w+|[A-Z][A-Z0-9]{2,}|[a-z]+[A-Z]\w*)(?!\w)")
_VALUE = re.compile(r"\bvalues?\b|\bassign\w*|\bset\s+to\b|\bversions?\b|\bconstants?\b|\bvariables?\b")


def is_history(tools: Sequence[str]) -> bool:
    """Whether a log with these tools is a history of commits."""
    return list(tools) == [COMMIT]


def read_commits(asked: Asked, targets: Sequence[str]) -> tuple[Clause, ...] | None:
    """The clauses on what commits did; None where a clause asks of neither files nor values."""
    if _VALUE.search(asked.plain) and (names := _names(asked)):
        return (Clause("change", tuple(Term(f":{name}.value") for name in names)),)
    status = next((status for pattern, status in _STATUSES if pattern.search(asked.plain)), "")
    if targets and status:
        return (Clause("change", tuple(Term(f"{target}.status -> {status}") for target in targets)),)
    if targets:
        return (Clause("target", tuple(map(Term, targets))),)
    if status and re.search(r"\bfiles?\b", asked.plain):
        return (Clause("change", (Term(f"status -> {status}"),)),)
    return () if re.search(r"\bcommits?\b", asked.plain) else None


def _names(asked: Asked) -> tuple[str, ...]:
    """Names as code writes them: quoted, or by their underscores or capitals."""
    quoted = [quote.text for quote in asked.quotes if re.fullmatch(r"[\w.]+", quote.text)]
    return tuple(dict.fromkeys(quoted or _NAME.findall(asked.text)))
