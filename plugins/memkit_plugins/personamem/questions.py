"""PersonaMem's questions: a CSV file, one row a question, with its options as a Python list."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from memkit import DataError, Question

COLUMNS = (
    "question_id",
    "question_type",
    "user_question_or_message",
    "correct_answer",
    "all_options",
    "shared_context_id",
    "end_index_in_shared_context",
)
"""The columns that are read; the others describe the context's length."""

_OPTION = re.compile(r"\(([a-z])\)\s*(.+)", re.DOTALL)


@frozen
class Asked:
    """A question, the context it is about, and how many of the context's messages had been said: `end`.

    `repeats` says that the source offers some option more than once.
    """

    question: Question
    context: str
    end: int
    repeats: bool
    where: str


def read_questions(file: Path) -> Iterator[Asked]:
    """Each row of the file. Raises DataError naming the line."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as text:
            rows = csv.DictReader(text)
            if missing := [column for column in COLUMNS if column not in (rows.fieldnames or ())]:
                raise DataError(f"there is no column {missing[0]!r}; this is not PersonaMem's CSV", where=f"{file}:1")
            for row in rows:
                yield _asked(row, f"{file}:{rows.line_num}")
    except (csv.Error, OSError, UnicodeDecodeError) as error:
        raise DataError(f"the file cannot be read ({error}); get it anew", where=str(file)) from None


def parse_options(text: str) -> dict[str, str]:
    """The options by their letters: `["(a) Tea.", "(b) Milk."]` is `{"a": "Tea.", "b": "Milk."}`.

    Raises ValueError for text that is no list of options, each with a letter of its own.
    """
    try:
        listed = ast.literal_eval(text.strip())
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not isinstance(listed, list):
        raise ValueError("not a list")  # noqa: TRY004 - one kind of fault for the caller
    matches = [_OPTION.fullmatch(option) if isinstance(option, str) else None for option in listed]
    options = {match[1]: match[2].strip() for match in matches if match}
    if len(options) != len(listed):
        raise ValueError("an option has no letter of its own")
    return options


def _asked(row: Mapping[str, str | None], where: str) -> Asked:
    value = {column: _need(row, column, where) for column in COLUMNS}
    try:
        options = parse_options(value["all_options"])
    except ValueError:
        fault = 'all_options must be a list such as ["(a) Tea.", "(b) Milk."]; get the file anew'
        raise DataError(fault, where=where) from None
    letter = value["correct_answer"].strip().strip("()")
    if letter not in options:
        raise DataError(f"correct_answer {letter!r} is the letter of no option; get the file anew", where=where)
    end = value["end_index_in_shared_context"].strip()
    if not re.fullmatch(r"[0-9]{1,9}", end):
        raise DataError(f"end_index_in_shared_context {end!r} is no whole number; get the file anew", where=where)
    different = tuple(dict.fromkeys(options.values()))
    if len(different) < 2:
        raise DataError("there is no choice among fewer than two options; get the file anew", where=where)
    question = Question(
        value["question_id"],
        value["user_question_or_message"],
        gold=options[letter],
        options=different,
        category=value["question_type"],
    )
    return Asked(question, value["shared_context_id"], int(end), len(different) < len(options), where)


def _need(row: Mapping[str, str | None], column: str, where: str) -> str:
    if not (value := row[column]):
        raise DataError(f"{column} is empty; get the file anew", where=where)
    return value
