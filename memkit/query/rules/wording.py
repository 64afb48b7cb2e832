"""A question as the rules read it: its clauses, its words, and what it quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import field, frozen

from memkit.events.references import find_references

QUESTION_CHARACTERS = 4_000
"""The rest of a longer question is not read."""

_FORMAT = re.compile(
    r"\b(?:please\s+)?(?:(?:answer|respond|reply)\s+(?:only\s+)?(?:with|in|as|using)|(?:give|provide|return|write)"
    r"\s+(?:only|just)\s+(?:the|an?|one))\b[^.?!\n]{0,300}(?:[.?!]|$)",
    re.IGNORECASE,
)
"""How to answer says nothing of what to compute."""
_QUOTE = re.compile(
    r"`([^`\n]{1,300})`|\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|(?<![\w'’])['‘]([^'‘’\n]{1,300})['’](?!\w)"
)
_PATH = re.compile(
    r"(?<![\w/.~-])(?:~?/[\w.+@-]+(?:/[\w.+@-]*)*|\.{1,2}/[\w.+@-]+(?:/[\w.+@-]*)*"
    r"|[\w.+@-]+(?:/[\w.+@-]+)*/[\w+@.-]*\.[A-Za-z]\w{0,5}(?!\w)|[\w.+@-]+(?:/[\w.+@-]+){2,}|[\w+@-]{2,}(?:\.[\w+@-]+)*\.[A-Za-z]\w{0,4}(?!\w))"
)
_EXCLUDE = re.compile(
    r"\b(?:exclud(?:ing|e|es)|except(?:ing)?(?:\s+for)?|other\s+than|(?:not|without|ignoring)\s+(?:counting|including)"
    r"|ignor(?:e|ing)|apart\s+from|besides|but\s+not|leaving\s+out)\b[^)?.;]{0,200}"
)
_WORD = re.compile(r"[^\W\d]\w*|\d+")
_SENTENCE = re.compile(r"(?<=[.?!;])\s+|\n+")
_AND = re.compile(
    r",?\s+and\s+(?=(?:how|which|what|when|where|at\s+(?:which|what))\b)|,\s+(?=how\s+(?:many|often|frequently)\b)",
    re.IGNORECASE,
)
_DEPENDENT = re.compile(
    r"(?:how\s+(?:frequently|often|many\s+times)(?:\s+(?:they|it|each\s+(?:one|was|of\s+them)|(?:were|was|did)\s+(?:they|it)|per)\b.{0,80})?"
    r"|(?:at|in|on|during)?\s*(?:which|what)\s+(?:steps?|turns?|order|times?)\b[^,]{0,40}|when|(?:and\s+)?where"
    r"|how\s+many\s+(?:of\s+(?:them|these|those)\s+)?(?:failed|succeeded|errored|timed\s+out|passed|did\s+not|didn't)\b[^,]{0,40}"
    r"|what\s+(?:were|was|are|is)\s+(?:the\s+)?(?:prior|whole|previous|resulting|environment|state)\b.{0,80}|what\s+changed)\W*",
    re.IGNORECASE | re.DOTALL,
)
"""What an `and` may add without asking anew: `and how frequently`, `and at which steps`."""
_ASKS = re.compile(
    r"^\W*(?:question\s*\d*\s*[:.)]\s*)?(?:[^?]{0,200},\s*)?(?:(?:at|in|on|for|of|during|by|from|to)\s+)?(?:how|which|what|when|where|who)\b"
    r"|^\W*(?:[^?,]{0,120},\s*)?(?:please\s+)?(?:list|count|name|give|identify|show|tell|find|enumerate|calculate|compute|determine|trace|report)\b",
    re.IGNORECASE,
)
"""How a sentence asks that ends without a question mark."""


@frozen
class Word:
    """A word of a clause, lower-case, and where it stands there."""

    text: str
    start: int
    end: int


@frozen
class Quote:
    """What a clause sets in quotation marks, or names as a path: the text, and where it stands."""

    text: str
    start: int
    end: int


@frozen
class Asked:
    """One clause of a question.

    `text` is as written, `plain` as long, in lower case, with blanks for step references, quotations and paths.
    `exclusions` are where it says what to leave out.
    """

    text: str
    plain: str
    words: tuple[Word, ...] = field(repr=False)
    quotes: tuple[Quote, ...]
    paths: tuple[Quote, ...]
    exclusions: tuple[tuple[int, int], ...] = ()

    def excludes(self, place: int) -> bool:
        """Whether a place is within an exclusion."""
        return any(start <= place < end for start, end in self.exclusions)

    def before(self, place: int, characters: int = 40) -> str:
        """What is written before a place, in lower case."""
        return self.text[max(0, place - characters) : place].lower()

    def after(self, place: int, characters: int = 40) -> str:
        """What is written after a place, in lower case."""
        return self.text[place : place + characters].lower()


def read_question(question: str) -> tuple[Asked, ...]:
    """The clauses of a question that may each ask for something, in order."""
    text = _FORMAT.sub(" ", question[:QUESTION_CHARACTERS])
    return tuple(read_clause(clause) for clause in _clauses(text))


def read_clause(text: str) -> Asked:
    """A clause with its words, quotations and paths."""
    quotes = tuple(
        Quote(inner.strip(), *match.span())
        for match in _QUOTE.finditer(text)
        if (inner := next(filter(None, match.groups()), "")).strip()
    )
    unquoted = _blank(text, quotes)
    paths = tuple(Quote(match[0].rstrip(".,"), match.start(), match.end()) for match in _PATH.finditer(unquoted))
    plain = _blank(unquoted, paths)
    for reference in find_references(plain):
        plain = plain[: reference.start] + " " * (reference.end - reference.start) + plain[reference.end :]
    # Some letters grow when lowered; those of which the length changes keep their case.
    lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in plain)
    words = tuple(Word(match[0], *match.span()) for match in _WORD.finditer(lowered))
    exclusions = tuple(match.span() for match in _EXCLUDE.finditer(lowered))
    return Asked(text, lowered, words, quotes, paths, exclusions)


def _clauses(text: str) -> Iterator[str]:
    """The sentences that ask, cut where an `and` asks anew."""
    for sentence in _SENTENCE.split(text):
        if not (sentence.rstrip().endswith("?") or _ASKS.match(sentence)):
            continue
        parts: list[str] = []
        start = 0
        for match in _AND.finditer(sentence):
            if _inside_quotes(sentence, match.start()):
                continue
            before = sentence[start : match.start()]
            # `Until step 9, how often ...` has but a scope before its question.
            if (parts or _ASKING.search(before)) and not _DEPENDENT.fullmatch(sentence, match.end()):
                parts.append(before)
                start = match.end()
        parts.append(sentence[start:])
        yield from filter(str.strip, parts)


_ASKING = re.compile(r"\b(?:how|which|what|when|where|who|list|count|name|give|identify|show|tell)\b", re.IGNORECASE)


def _inside_quotes(text: str, place: int) -> bool:
    return any(match.start() < place < match.end() for match in _QUOTE.finditer(text))


def _blank(text: str, quotes: tuple[Quote, ...]) -> str:
    for quote in quotes:
        text = text[: quote.start] + " " * (quote.end - quote.start) + text[quote.end :]
    return text
