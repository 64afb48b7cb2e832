"""Questions about a conversation: who said what, and to whom pictures were shown. Only saying is counted there.

What people did in their lives is not an event of the log: `how often did Ana swim` is left to reading.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from memkit.query.plan import Clause, Term
from memkit.query.rules.wording import Asked
from memkit.terms import STOP_WORDS

ACTS = frozenset({"say", "share"})
_SAYING = re.compile(
    r"\b(?:mention(?:s|ed|ing)?|talk(?:s|ed|ing)?\s+(?:about|of)|sa(?:y|ys|id|ying)|discuss(?:es|ed|ing)?|bring(?:s)?\s+up|brought\s+up|refer(?:s|red)?\s+to"
    r"|speak(?:s)?\s+(?:about|of)|spoke\s+(?:about|of)|use(?:s|d)?\s+the\s+words?|wrote|write(?:s)?(?:\s+about)?|ask(?:s|ed)?\s+about|come(?:s)?\s+up|came\s+up)\b"
)
_PICTURES = r"(?:pictures?|photos?|images?|photographs?)"
_SHARES = r"(?:shar(?:e|es|ed|ing)|post(?:s|ed)?|sen(?:d|ds|t))"
_SHARING = re.compile(rf"\b{_SHARES}\b[^.?!]{{0,40}}\b{_PICTURES}\b|\b{_PICTURES}\b[^.?!]{{0,40}}\b{_SHARES}\b")
_PASSIVE = re.compile(
    r"\b(?:was|were|is|are|been)\s+(?P<said>[^.?!,]{1,60}?)\s+(?:mentioned|discussed|brought\s+up|talked\s+about|referred\s+to)\b(?:\s+by\s+(?P<by>[^.?!,]{1,40}))?"
)
_THINGS = re.compile(
    rf"(?<!\bin\s)\b(?:how\s+many|what|which)\s+(?!times\b|messages?\b|turns?\b|utterances?\b|replies\b|{_PICTURES}\b)[a-z]"
)
_WHO = re.compile(r"\bwho\b|\bwhich\s+(?:speaker|person|of\s+(?:them|the\s+two))\b")
_MESSAGES = re.compile(r"\b(?:messages?|turns?|utterances?|replies)\b")
_END = re.compile(
    r"[,.?!;:]|\b(?:in|on|during|before|after|until|between|since|from|to|and\s+(?:how|when|what|which)|at|by)\b"
)
_WORDS = 4
"""Content words of what was said that are looked for, each of them."""


def is_conversation(acts: Collection[str]) -> bool:
    """Whether a log with these acts is a conversation."""
    return bool(acts) and ACTS.issuperset(acts)


def speakers_named(asked: Asked, speakers: Collection[str]) -> tuple[str, ...]:
    """The speakers that a clause names, in the order of the clause."""
    lower = asked.text.lower()
    places = {
        match.start(): name
        for name in speakers
        if name.strip() and (match := re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", lower))
    }
    return tuple(places[place] for place in sorted(places))


def counts_turns(plain: str) -> bool:
    """Whether a count, in lower case, is one of turns: `how many games has Ben mentioned` counts games."""
    return not _THINGS.search(plain)


def asks_who(plain: str) -> bool:
    """Whether a clause, in lower case, asks which of the speakers."""
    return bool(_WHO.search(plain))


def read_talk(asked: Asked, speakers: Collection[str]) -> tuple[Clause, ...] | None:
    """The clauses on who spoke and what of; None where a clause does not ask of saying."""
    saying = _SAYING.search(asked.plain)
    sharing = _SHARING.search(asked.plain)
    if not (saying or sharing or _MESSAGES.search(asked.plain)):
        return None
    if passive := _PASSIVE.search(asked.plain):
        start, end = passive.span("said")
        subjects = tuple(name for name in speakers if name.lower() in (passive["by"] or ""))
        said = _content(asked, start, end, ())
    else:
        verb = saying or sharing
        before = asked.text[: verb.start() if verb else len(asked.text)].lower()
        subjects = tuple(name for name in speakers_named(asked, speakers) if name.lower() in before)
        if sharing and not saying:
            subjects = speakers_named(asked, speakers)
        ended = _END.search(asked.plain, saying.end()) if saying else None
        said = _content(asked, saying.end(), ended.start() if ended else len(asked.text), subjects) if saying else ()
    if saying and not said:
        return None
    clauses = [Clause("tool", tuple(map(Term, subjects)))] if subjects else []
    if sharing and not saying:
        clauses.append(Clause("tool", (Term("share"),)))
    return (*clauses, *(Clause("action", (Term(text),)) for text in said))


def _content(asked: Asked, start: int, end: int, subjects: Collection[str]) -> tuple[str, ...]:
    """What was said: the quotations of a clause, or else the content words from `start` to `end`."""
    if asked.quotes:
        return tuple(quote.text for quote in asked.quotes[:_WORDS])
    own = {word.lower() for name in subjects for word in name.split()}
    words = re.findall(r"[^\W_][\w'’-]*", asked.text[start:end])
    return tuple(re.sub(r"['’]s$", "", word) for word in words if word.lower() not in STOP_WORDS | own)[:_WORDS]
