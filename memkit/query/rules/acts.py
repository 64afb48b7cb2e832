"""Which acts a clause asks about, whether only those that succeeded, and which it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from memkit.ledger.row import Outcome
from memkit.query.rules.lexicon import EDITS, WRITES, Lexicon, Mention
from memkit.query.rules.wording import Asked

_ITEM = r"(?:\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|nor)\s+|\s+(?:vs\.?|versus)\s+|\s*/\s*)(?:the\s+)?['\"`]?"
_OTHER = rf"(?:['\"`]?{_ITEM}[\w-]+){{0,4}}?"
"""Items of a list that the log does not know: `insert` where nothing was ever inserted."""
_JOINED = re.compile(rf"{_OTHER}['\"`]?{_ITEM}")
_COMMANDS = re.compile(
    rf"{_OTHER}['\"`\s]*(?:(?:editor|tool|bash|shell)\s+)?(?:sub-?)?"
    r"(?:commands?|calls?|operations?|tools?|actions?|invocations?|methods?)\b"
)
_VERBS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"\b(?:modif(?:y|ied|ies|ying|ications?)|chang(?:e|ed|es|ing)|alter(?:ed|s|ing|ations?)?)\b"), WRITES),
    (re.compile(r"\b(?:updat(?:e|ed|es|ing)|wr(?:ote|ite|ites|itten|iting)(?:\s+to)?)\b"), WRITES),
    (re.compile(r"\b(?:edit(?:ed|s|ing)?)\b"), EDITS),
    (re.compile(r"\bcreat(?:e|ed|es|ing|ions?)\b"), ("create", "write", "write_file", "file_saver")),
)
"""Verbs that say what became of a file. What they name is done: a write that failed modified nothing."""
_OUTCOMES: tuple[tuple[re.Pattern[str], Outcome | None], ...] = (
    (re.compile(r"\b(?:whether|regardless|no\s+matter)\b|\b(?:successful(?:ly)?|failed)\s+or\s+(?:not|un)|\binclud\w+\s+[^.?;]{0,40}"
                r"\b(?:fail\w*|unsuccessful|errors?|timeouts?)\b"
                r"|\battempt(?:s|ed)?\b(?!.{0,200}\b(?:fail|do(?:es)?\s+not))"), None),
    (re.compile(r"\b(?:fail\w*|unsuccessful\w*)\b[^.?;]{0,200}\b(?:not|exclud\w+|ignor\w+|omit\w*|leave\s+out)\b"
                r"|\b(?:exclud\w+|ignor\w+|omit\w*|without|except|not\s+count\w*)\b[^.?;]{0,200}\b(?:fail\w*|unsuccessful\w*)\b"
                r"|\b(?:did\s+not|didn't|never)\s+fail\b"), "success"),
    (re.compile(r"\b(?:no|not\s+have\s+any|without)\s+effect\b|\bnothing\s+happen\w*|\bineffective\b"), "no effect"),
    (re.compile(r"\b(?:fail(?:ed|s|ing|ures?)?|unsuccessful(?:ly)?|error(?:s|ed)?|timed?[\s-]*outs?"
                r"|not\s+success\w*|(?:did\s+not|didn't)\s+succeed)\b"), "failure"),
    (re.compile(r"\bsucce(?:ed|eds|eded|eding|ss(?:es|ful|fully)?)\b|\bconfirmed\b"), "success"),
)  # fmt: skip
"""What says which outcome, the first that is there; None asks for any."""


@frozen
class Acts:
    """The acts a clause selects: `names` (empty for any), those left out, and the outcome (None for any).

    `written` are those of the names that are quoted or listed as commands.
    `apart` says that each name is to be computed by itself, `places` where acts are named.
    """

    names: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    outcome: Outcome | None = None
    apart: bool = False
    places: tuple[tuple[int, int], ...] = ()


def read_acts(asked: Asked, lexicon: Lexicon, question: str) -> Acts:
    """The acts of a clause; what outcome counts may be said in another clause of the question."""
    quoted = [
        Mention(names, quote.start, quote.end, exact=True)
        for quote in asked.quotes
        if (names := lexicon.exactly(quote.text))
    ]
    mentions = [
        mention
        for mention in sorted([*lexicon.mentions(asked), *quoted], key=lambda mention: mention.start)
        if not asked.excludes(mention.start)
    ]
    left_out = _left_out(asked, lexicon)
    listed, lists = _command_list(asked, mentions)
    done = _done(asked, lexicon, lists)
    written = _names(listed or quoted)
    names = written or _names(done or mentions)
    said = _outcome(asked, question)
    outcome = said[0] if said else ("success" if done else None)
    apart = (
        bool(re.search(r"\b(?:each|respectively|separately|individually|vs|versus)\b", asked.plain)) and len(names) > 1
    )
    places = (*asked.exclusions, *lists, *((mention.start, mention.end) for mention in (*mentions, *done)))
    names, written = (
        tuple(name for name in _refined(some, lexicon) if name not in left_out) for some in (names, written)
    )
    return Acts(names, written, left_out, outcome, apart, places)


def _left_out(asked: Asked, lexicon: Lexicon) -> tuple[str, ...]:
    """The acts that a clause leaves out."""
    names = [name for quote in asked.quotes if asked.excludes(quote.start) for name in lexicon.exactly(quote.text)]
    names += _names(mention for mention in lexicon.mentions(asked) if asked.excludes(mention.start))
    return tuple(dict.fromkeys(names))


def _command_list(asked: Asked, mentions: Sequence[Mention]) -> tuple[list[Mention], list[tuple[int, int]]]:
    """The mentions that are listed as commands, and where: `the create, replace and insert commands`."""
    found: list[Mention] = []
    places: list[tuple[int, int]] = []
    run: list[Mention] = []
    lower = asked.text.lower()
    for mention in mentions:
        if run and not _JOINED.fullmatch(lower[run[-1].end : mention.start]):
            run = []
        run.append(mention)
        if ended := _COMMANDS.match(lower, mention.end):
            found += run
            places.append((run[0].start, ended.end()))
            run = []
    return found, places


def _done(asked: Asked, lexicon: Lexicon, lists: Sequence[tuple[int, int]]) -> tuple[Mention, ...]:
    """The verbs of what became of a file, with the acts they stand for, where the log has any."""
    if lexicon.names.isdisjoint(("create", *EDITS)):
        return ()
    return tuple(
        Mention(known, *match.span(), exact=False)
        for pattern, names in _VERBS
        for match in pattern.finditer(asked.plain)
        if (known := lexicon.known(names)) and not any(start <= match.start() < end for start, end in lists)
    )


def _outcome(asked: Asked, question: str) -> tuple[Outcome | None] | None:
    """The outcome asked for, in a tuple; None where nothing is said of it."""
    lower = question.lower()
    for pattern, outcome in _OUTCOMES[:2]:
        if pattern.search(lower):
            return (outcome,)
    for pattern, outcome in _OUTCOMES[2:]:
        if pattern.search(asked.plain):
            return (outcome,)
    return None


def _names(mentions: Iterable[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for mention in mentions for name in mention.names))


def _refined(names: tuple[str, ...], lexicon: Lexicon) -> tuple[str, ...]:
    """Without the tools of which an act is named, too: `the view command of the editor` is about views."""
    return tuple(name for name in names if not lexicon.acts_of(name).intersection(names))
