"""The text form of an ALFWorld run: the room and the task, then `> action` lines, each before what it brought."""

from __future__ import annotations

from attrs import frozen

PROMPT = "> "


@frozen
class Transcript:
    """What stood before the first action, and each action with its observation, as written."""

    opening: str
    turns: tuple[tuple[str, str], ...]


def parse_transcript(text: str) -> Transcript:
    """Any text; one without action lines is all opening. Line breaks between parts belong to none of them."""
    parts: list[list[str]] = [[]]
    for line in text.removesuffix("\n").split("\n"):
        if line.startswith(PROMPT):
            parts.append([line.removeprefix(PROMPT)])
        else:
            parts[-1].append(line)
    opening, *turns = parts
    return Transcript("\n".join(opening), tuple((action, "\n".join(rest)) for action, *rest in turns))
