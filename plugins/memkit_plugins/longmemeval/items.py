"""The items of a LongMemEval file, in either of two schemas, brought into one form.

The original is a list of items with `haystack_sessions` and parallel `haystack_dates`. The flat one is an object with
`data`: items with one `conversation` of dated messages and a list of `questions`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from attrs import field, frozen

from memkit import DataError

T = TypeVar("T")
UNANSWERABLE = "_abs"
"""Ends the id of an item whose question the chats do not answer."""

_NAMES: dict[type, str] = {dict: "an object", list: "a list", str: "text"}


@frozen
class Said:
    """One message; `marked` says that it is evidence."""

    role: str
    content: str
    marked: bool


@frozen
class Sitting:
    """A session as the source has it; `date` is as written."""

    date: str
    messages: tuple[Said, ...]


@frozen
class Ask:
    """A question of an item; `date` is when it is asked, as written, and empty where that is not given."""

    id: str
    text: str
    answer: str
    answerable: bool
    date: str = ""


@frozen
class Item:
    """A chat and what is asked of it."""

    id: str
    category: str
    sittings: tuple[Sitting, ...] = field(repr=False)
    asks: tuple[Ask, ...]


def read_items(file: Path) -> Iterator[Item]:
    """Each item of a file. Raises DataError naming file and place."""
    try:
        data = json.loads(file.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError, OSError) as error:
        raise DataError(f"the file cannot be read as JSON ({error}); get it anew", where=str(file)) from None
    flat = isinstance(data, dict) and isinstance(data.get("data"), list)
    if not flat and not isinstance(data, list):
        raise DataError("expected a list of items, or an object with 'data'; this is not LongMemEval", where=str(file))
    read = _flat if flat else _original
    for place, item in enumerate(data["data"] if flat else data):
        yield read(item, f"{file}: {'data' if flat else ''}[{place}]")


def _original(item: Any, where: str) -> Item:
    name = _need(item, "question_id", str, where)
    dates = _need(item, "haystack_dates", list, where)
    sessions = _need(item, "haystack_sessions", list, where)
    if len(dates) != len(sessions):
        raise DataError(f"{len(dates)} haystack_dates for {len(sessions)} haystack_sessions; repair it", where=where)
    sittings = tuple(
        Sitting(str(date), tuple(_messages(session, f"{where}.haystack_sessions[{place}]")))
        for place, (date, session) in enumerate(zip(dates, sessions, strict=True))
    )
    ask = Ask(
        name,
        _need(item, "question", str, where),
        _label(item, "answer", where),
        answerable=not name.endswith(UNANSWERABLE),
        date=str(item.get("question_date") or ""),
    )
    return Item(name, _need(item, "question_type", str, where), sittings, (ask,))


def _flat(item: Any, where: str) -> Item:
    name = _need(item, "id", str, where)
    chat = _need(item, "conversation", list, where)
    messages = zip(chat, _messages(chat, f"{where}.conversation"), strict=True)
    sittings = tuple(
        Sitting(date, tuple(said for _, said in group))
        for date, group in groupby(messages, lambda pair: str(pair[0].get("date") or ""))
    )
    asks = []
    for place, question in enumerate(_need(item, "questions", list, where)):
        here = f"{where}.questions[{place}]"
        ask = Ask(
            f"{name}-{_need(question, 'id', str, here)}",
            _need(question, "question", str, here),
            _label(question, "answer", here),
            answerable=not (question.get("is_abstention") or name.endswith(UNANSWERABLE)),
            date=str(question.get("question_date") or ""),
        )
        asks.append(ask)
    return Item(name, _need(item, "question_type", str, where), sittings, tuple(asks))


def _messages(session: Any, where: str) -> Iterator[Said]:
    if not isinstance(session, list):
        raise DataError("expected a list of messages; repair it", where=where)
    for place, message in enumerate(session):
        here = f"{where}[{place}]"
        role, content = _need(message, "role", str, here), _need(message, "content", str, here)
        yield Said(role, content, marked=message.get("has_answer") is True)


def _need(record: Any, key: str, kind: type[T], where: str) -> T:
    if not isinstance(record, dict):
        raise DataError("expected an object; repair it", where=where)
    if key not in record:
        raise DataError(f"lacks the key {key!r}; repair it, or get the file anew", where=where)
    if type(value := record[key]) is not kind:
        raise DataError(f"expected {_NAMES[kind]}, not {type(value).__name__}; repair it", where=f"{where}.{key}")
    return value


def _label(record: dict[str, Any], key: str, where: str) -> str:
    """Text, or a number as text: some answers are counts."""
    value = record.get(key)
    return str(value) if type(value) in (int, float) else _need(record, key, str, where)
