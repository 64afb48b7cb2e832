"""The dataset: each item is a stream with its question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from memkit import Case, Conversation, DataError, Locator, Question, Session, Turn
from memkit_plugins.longmemeval.items import Ask, Item, Sitting, read_items

_TIME = re.compile(r"(\d{4})/(\d{2})/(\d{2})(?: \([A-Za-z]{3}\))? (\d{2}):(\d{2})", re.ASCII)


class LongMemEval:
    """LongMemEval: a folder of its JSON files, or one such file; a stream is an item.

    Reads the original schema, and a flat one whose sessions are told apart by their dates. Sessions come in the order
    of their dates, as they happened. Messages marked `has_answer` are the evidence. The day a question is asked is
    written behind it, since "last week" means nothing without it. Items of abstention are not answerable; their gold
    says what is missing. The category is the source's question_type.
    """

    def load(self, path: Path | None) -> Iterator[Case]:
        """A case for each item, in the order of files and items. Raises DataError naming file and place."""
        taken: set[str] = set()
        for file in _files(path):
            for item in read_items(file):
                if item.id in taken:
                    raise DataError(f"two items are called {item.id!r}; name one file", where=str(file))
                taken.add(item.id)
                yield _Reader(item).case()

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        for case in self.load(path):
            yield from (f"{case.stream.id}: {note}" for note in case.notes)


def iso_time(text: str) -> str | None:
    """`2023/06/01 (Thu) 00:58` as `2023-06-01T00:58`, local since no zone is known; None for text of another form."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    try:
        return datetime(*map(int, match.groups())).isoformat(timespec="minutes")  # type: ignore[arg-type] # noqa: DTZ001
    except ValueError:
        return None


class _Reader:
    """One item on its way to a case."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.notes: list[str] = []
        self.evidence: list[Locator] = []

    def case(self) -> Case:
        """The sessions in order, then the questions about them."""
        sittings = self._in_order([sitting for sitting in self.item.sittings if sitting.messages])
        if empty := len(self.item.sittings) - len(sittings):
            self.notes.append(f"sessions without messages were left out: {empty}")
        sessions = tuple(self._session(number, sitting) for number, sitting in enumerate(sittings, 1))
        questions = tuple(self._question(ask, sessions) for ask in self.item.asks)
        return Case(Conversation(self.item.id, sessions), questions, tuple(self.notes))

    def _in_order(self, sittings: list[Sitting]) -> list[Sitting]:
        unread = [sitting.date for sitting in sittings if iso_time(sitting.date) is None]
        if not unread:
            return sorted(sittings, key=lambda sitting: iso_time(sitting.date) or "")
        self.notes.append(f"the date {unread[0]!r} is in no known form; sessions were kept in the order of the file")
        return sittings

    def _session(self, number: int, sitting: Sitting) -> Session:
        turns = []
        for place, said in enumerate(sitting.messages, 1):
            turns.append(Turn(Locator("S", number, place), said.role, said.content))
            if said.marked:
                self.evidence.append(turns[-1].locator)
        return Session(number, tuple(turns), iso_time(sitting.date) or sitting.date or None)

    def _question(self, ask: Ask, sessions: tuple[Session, ...]) -> Question:
        asked = iso_time(ask.date) or ask.date
        later = [session.number for session in sessions if iso_time(ask.date) and (session.time or "") > asked]
        if later:
            self.notes.append(f"question {ask.id} is asked before session {later[0]} took place; all were kept")
        return Question(
            ask.id,
            f"{ask.text} (asked on {asked})" if asked else ask.text,
            gold=ask.answer,
            evidence=tuple(self.evidence),
            category=self.item.category,
            answerable=ask.answerable,
        )


def _files(path: Path | None) -> list[Path]:
    if path is None:
        raise DataError("LongMemEval needs a path: one of its JSON files, or a folder of them")
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise DataError("there is no such file or folder; give the path to LongMemEval's JSON", where=str(path))
    found = sorted(file for file in path.glob("*.json") if file.is_file() and not file.name.startswith("."))
    if not found:
        raise DataError("this folder holds no .json file; give the one with LongMemEval's", where=str(path))
    return found
