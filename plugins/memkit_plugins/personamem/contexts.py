"""PersonaMem's contexts: JSON lines that map an id to the messages between a user and an assistant."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from memkit import DataError, Locator, Session, Turn

SPEAKERS = {"system": "System", "user": "User", "assistant": "Assistant"}


@frozen
class Said:
    """One message of a context."""

    role: str
    content: str


def read_contexts(files: Sequence[Path], wanted: Collection[str]) -> dict[str, tuple[Said, ...]]:
    """The contexts among `wanted` that the files hold, read line by line.

    Raises DataError naming file and line, also for two different contexts of one id.
    """
    found: dict[str, tuple[Said, ...]] = {}
    for file in files:
        try:
            with file.open(encoding="utf-8-sig") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        _take(line, wanted, found, f"{file}:{number}")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"the file cannot be read ({error}); get it anew", where=str(file)) from None
    return found


def make_sessions(messages: Sequence[Said]) -> tuple[Session, ...]:
    """The sessions of a context: each `system` message begins a new one, a block.

    `[B2M3]` is the third message of the second block, its system message counted. That message repeats the persona at
    the head of every block; it is a turn where it says something new and left out where it repeats the last one.
    Contents begin with `User: ` or `Assistant: `, which becomes the speaker, so that a rendered turn reads as the
    source wrote it.
    """
    blocks: list[list[Said]] = []
    for message in messages:
        if message.role == "system" or not blocks:
            blocks.append([])
        blocks[-1].append(message)
    sessions: list[Session] = []
    persona = ""
    for number, block in enumerate(blocks, 1):
        turns = tuple(
            _turn(Locator("B", number, place), message)
            for place, message in enumerate(block, 1)
            if message.role != "system" or message.content != persona
        )
        if block[0].role == "system":
            persona = block[0].content
        if turns:
            sessions.append(Session(number, turns))
    return tuple(sessions)


def _turn(locator: Locator, message: Said) -> Turn:
    speaker = SPEAKERS[message.role]
    return Turn(locator, speaker, message.content.removeprefix(f"{speaker}: "))


def _take(line: str, wanted: Collection[str], found: dict[str, tuple[Said, ...]], where: str) -> None:
    try:
        contexts = json.loads(line)
    except (ValueError, RecursionError):
        raise DataError("this line is not JSON; get the file anew", where=where) from None
    if not isinstance(contexts, dict):
        raise DataError("expected an object that maps a context's id to its messages", where=where)
    for name in (name for name in contexts if name in wanted):
        messages = _messages(contexts[name], f"{where}: {name}")
        if found.setdefault(name, messages) != messages:
            raise DataError(f"another context of the id {name} was read before; remove one", where=where)


def _messages(value: Any, where: str) -> tuple[Said, ...]:
    if not isinstance(value, list):
        raise DataError("expected a list of messages; get the file anew", where=where)
    return tuple(_said(message, f"{where}[{place}]") for place, message in enumerate(value))


def _said(message: Any, where: str) -> Said:
    role, content = (message.get("role"), message.get("content")) if isinstance(message, dict) else (None, None)
    if role not in SPEAKERS or not isinstance(content, str):
        raise DataError(f"expected a text 'content' and a 'role' of {', '.join(SPEAKERS)}", where=where)
    return Said(role, content)
