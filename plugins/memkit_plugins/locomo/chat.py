"""What both corpora share: sessions of turns under `session_N`, and questions with dialogue ids as evidence."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import field, frozen

from memkit import Case, Conversation, Locator, Question, Session, Turn
from memkit_plugins.locomo.dialog_ids import DialogId, find_evidence, parse_dialog_id
from memkit_plugins.locomo.files import Node

UNANSWERABLE = "5"
"""LoCoMo's category of questions whose premise the conversation does not support."""

_SESSION = re.compile(r"session_([1-9]\d{0,8})", re.ASCII)


@frozen
class Format:
    """How a corpus writes: the key of a turn's words, and its times, read as ISO 8601 (None for no time)."""

    text_key: str
    iso_time: Callable[[str], str | None]


@frozen
class Chat:
    """One conversation being read. `turns` says where each dialogue id went, `notes` what could not be used."""

    format: Format
    turns: dict[DialogId, Locator] = field(factory=dict, init=False)
    notes: list[str] = field(factory=list, init=False)

    def sessions(self, source: Node) -> tuple[Session, ...]:
        """Every `session_N` that has turns, in order of N; a date without its session is no session."""
        numbers = sorted(int(match[1]) for key in source.record if (match := _SESSION.fullmatch(key)))
        found = tuple(session for number in numbers if (session := self._session(source, number)))
        if not found:
            raise source.fault("there is no 'session_1' with turns; get the file anew")
        return found

    def questions(self, source: Node, stream: str) -> tuple[Question, ...]:
        """Every question of `qa`, evidence as locators; call it after `sessions`."""
        return tuple(self._question(node, f"{stream}-q{n}") for n, node in enumerate(source.children("qa"), 1))

    def _session(self, source: Node, number: int) -> Session | None:
        turns = tuple(
            self._turn(node, Locator("S", number, place))
            for place, node in enumerate(source.children(f"session_{number}"), 1)
        )
        if not turns:
            self.notes.append(f"session {number} has no turns and was left out")
            return None
        return Session(number, turns, self._time(source, f"session_{number}_date_time"))

    def _turn(self, node: Node, locator: Locator) -> Turn:
        written = node.need("dia_id", str)
        dialog_id = parse_dialog_id(written)
        if dialog_id is None:
            raise node.fault(f"{written!r} is no dialogue id such as 'D5:3'; repair it", "dia_id")
        if self.turns.setdefault(dialog_id, locator) != locator:
            self.notes.append(f"{locator} repeats the dialogue id {written}; evidence means the earlier turn")
        return Turn(
            locator,
            speaker=node.need("speaker", str),
            text=node.need(self.format.text_key, str),
            caption=node.need("blip_caption", str) if node.record.get("blip_caption") else "",
            time=self._time(node, "date_time") if "date_time" in node.record else None,
        )

    def _time(self, node: Node, key: str) -> str | None:
        if key not in node.record:
            self.notes.append(f"there is no {key}")
            return None
        written = node.need(key, str)
        time = self.format.iso_time(written)
        if time is None:
            self.notes.append(
                f"{node.path}{'.' if node.path else ''}{key} {written!r} is in no known form and was kept as written"
            )
        return time or written

    def _question(self, node: Node, name: str) -> Question:
        category = node.label("category")
        answerable = category != UNANSWERABLE
        gold = node.label("answer") if node.record.get("answer") is not None else None
        if answerable and gold is None:
            self.notes.append(f"question {name} has no answer")
        if not answerable and gold is not None:
            self.notes.append(
                f"question {name} has no support in the chat (category 5); its answer {gold!r} was left out"
            )
        listed = node.record.get("evidence") or []
        evidence, notes = find_evidence([listed] if isinstance(listed, str) else listed, self.turns)
        self.notes.extend(f"question {name}: {note}" for note in notes)
        return Question(
            name,
            node.need("question", str),
            gold=gold if answerable else None,
            evidence=evidence,
            category=category,
            answerable=answerable,
        )


def read_case(source: Node, conversation: Node, written: Format, stream: str) -> Case:
    """The case in a file: sessions under `conversation`, questions under `source`."""
    chat = Chat(written)
    sessions = chat.sessions(conversation)
    questions = chat.questions(source, stream)
    return Case(Conversation(stream, sessions), questions, tuple(chat.notes))
