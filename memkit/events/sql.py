"""A database query read as text: its leading keyword and the tables it names; and what the database answered."""

from __future__ import annotations

import re

from memkit.events.reading import Reading, cut, first_line

TABLES = 40
SUCCESS = "Query executed successfully"

_NOISE = re.compile(r"--[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|'(?:[^']|'')*+'?", re.DOTALL)
_KEYWORD = re.compile(r"[A-Za-z]+", re.ASCII)
_IN_FUNCTION = re.compile(
    r"\b(?:extract|trim|substring|position)\s{0,40}\(\s{0,40}\w{1,40}\s{1,40}from\b", re.IGNORECASE | re.ASCII
)
_NAME = r'(?:"[^"\n]{1,128}"|`[^`\n]{1,128}`|(?<![\w$])[A-Za-z_][\w$]{0,127}+)'
_TABLE = re.compile(
    rf"\b(?:from|join|into|update|table)\s{{1,40}}(?:only\s{{1,40}})?({_NAME}(?:\s?\.\s?{_NAME}){{0,3}})(?![\w.$])(?!\s{{0,40}}\()",
    re.IGNORECASE | re.ASCII,
)
_DEFINED = re.compile(
    rf"({_NAME})\s{{0,40}}(?:\([^()]{{0,400}}\))?\s{{1,40}}as\s{{1,40}}(?:(?:not\s{{1,40}})?materialized\s{{1,40}})?\(",
    re.IGNORECASE | re.ASCII,
)
_NOT_TABLES = frozenset({"select", "lateral", "values", "unnest", "table", "set", "exists", "if"})
_ERROR = re.compile(r"(?:EXECUTION RESULT of \[[\w.-]{1,64}\]:\s*)?(SQL Error\b|\{'error'|\{\"error\"|Error\b|ERROR\b)")


def keyword(query: str) -> str:
    """The first word of a query in lower case (`select`, `with`), comments and brackets left out."""
    match = _KEYWORD.search(_NOISE.sub(" ", query[:4000]))
    return match[0].lower() if match else ""


def tables(query: str) -> tuple[str, ...]:
    """Tables after from, join, into, update and table, once each, as written but for their quotes.

    Names that the query itself defines with `AS (` and functions are none.
    """
    plain = _IN_FUNCTION.sub(" ", _NOISE.sub(" ", query))
    defined = {_unquote(match[1]).lower() for match in _DEFINED.finditer(plain)}
    named = (_unquote(match[1]) for match in _TABLE.finditer(plain))
    kept = dict.fromkeys(name for name in named if name.lower() not in defined and name.lower() not in _NOT_TABLES)
    return tuple(kept)[:TABLES]


def read_result(observation: str) -> Reading:
    """Success or failure where the tool says so at the beginning of its answer."""
    if match := _ERROR.match(observation):
        return Reading("failure", first_line(observation, match.start(1)))
    at = observation.find(SUCCESS, 0, 200)
    if at >= 0:
        return Reading("success", cut(observation[at : at + len(SUCCESS)]))
    return Reading()


def _unquote(name: str) -> str:
    return re.sub(r"\s?\.\s?", ".", name.replace('"', "").replace("`", ""))
