"""What questions call what a log holds: its steps, its actions and tools, what they act on, how they end."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Subject: TypeAlias = Literal["event", "thing", "action", "tool", "outcome"]
"""What is counted, listed or grouped: the steps themselves, what they act on, their actions, tools or outcomes."""

THINGS = (
    r"(?:files?|paths?|objects?|items?|things?|locations?|places?|receptacles?|containers?|pages?|links?|elements?|buttons?"
    r"|tables?|director(?:y|ies)|folders?|targets?|filenames?|modules?|urls?|sites?|websites?|documents?)"
)
ACTIONS = r"(?:actions?|commands?|moves?|operations?|interactions?|sub-?commands?|activit(?:y|ies))"
TOOLS = r"(?:tools?|functions?)"
STEPS = (
    r"(?:steps?|turns?|times?|events?|occasions?|calls?|attempts?|invocations?|edits|modifications|changes|visits?"
    r"|messages?|commits?)"
)
WHICH = (
    r"\b(?:which|what|list|name|give|identify|show|enumerate)\b"
    r"(?:\s+(?:me|of|out|down|all|every|each|the|specific|exact|unique|distinct|different|various|other|sequence|set"
    r"|[a-z]+ed|\d+|two|three|four|five))*\s+"
)
"""What leads to the noun of what is listed."""

_NOUNS: dict[Subject, str] = {
    "thing": THINGS,
    "action": ACTIONS,
    "tool": TOOLS,
    "outcome": r"(?:outcomes?|results?)",
}
_EACH = re.compile(
    r"\b(?:(?:for|of|per|by)\s+)?each\s+(?:kind\s+of\s+|type\s+of\s+|different\s+|distinct\s+)?"
    r"(?P<nouns>[a-z-]+(?:\s+[a-z-]+)?)|\b(?:per|by)\s+(?P<by>[a-z-]+)"
)


def subject_of(text: str) -> Subject:
    """The first of the things, actions, tools and outcomes that a text names; the events where it names none."""
    found = {
        match.start(): subject
        for subject, noun in _NOUNS.items()
        if (match := re.search(rf"\b{noun}\b", text)) is not None
    }
    return found[min(found)] if found else "event"


def each_of(plain: str) -> Subject | None:
    """What a clause, in lower case, asks of one by one: `for each file`, `per tool`, `by type`."""
    for match in _EACH.finditer(plain):
        for noun in (match["nouns"] or match["by"]).split():
            if noun in {"type", "kind"}:
                return "tool" if "tool" in plain else "event"
            for subject, pattern in _NOUNS.items():
                if re.fullmatch(pattern, noun):
                    return subject
    return None


def counts_things(plain: str) -> bool:
    """Whether a clause, in lower case, asks how many things there are, not how many steps."""
    return bool(re.search(rf"\b(?:how\s+many|number\s+of)\s+(?:[a-z-]+\s+)?{THINGS}\b", plain))
