"""A turn of a conversation as an event: whom and what it mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import dropwhile

from memkit.terms import STOP_WORDS

MENTIONS = 40
"""Mentions of one turn that are kept."""
CHARACTERS = 20_000
"""Names and quoted strings are looked for so far into a turn; speakers in all of it."""
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{2,120})[\"”]")
_TOKEN = re.compile(r"[^\W\d_][\w'’-]*|[.!?:;\n…\"“”()]|[^\w\s]|\d+")
_ENDS = frozenset('.!?:;\n…"“”()')
_POSSESSIVE = ("'s", "’s")
_NOT_NAMES = frozenset(
    "i i'm i’m i'll i’ll i've i’ve i'd i’d ok okay mr mrs ms dr am pm tv lol omg btw".split()  # noqa: SIM905
)
_OPENERS = STOP_WORDS | frozenset(
    """
    absolutely agreed ah amazing and awesome aw aww bye cheers congrats congratulations cool dear exactly glad
    good great haha happy hello hey hi hmm hooray hope let's love maybe nah nice nope now oh ok okay please
    really right same see sorry sounds sure thank thanks totally true welcome well woah wow yay yea yeah yep yes
    yup
    """.split()  # noqa: SIM905
)
"""What often stands before a name at the beginning of a sentence and is no part of it."""


def mentions(text: str, speakers: Iterable[str]) -> tuple[str, ...]:
    """What a text mentions, in order and once each: speakers, capitalised names, quoted strings.

    A speaker counts in any case, but only as whole words. A single capitalised word that begins a sentence is no
    name by that alone.
    """
    found: dict[str, None] = {}
    lowered = text.lower()
    for speaker in speakers:
        if speaker and _has_words(lowered, speaker.lower()):
            found[speaker] = None
    known = {name.lower() for name in found}
    text = text[:CHARACTERS]
    for name in _names(text):
        if name.lower() not in known:
            found[name] = None
    found.update(dict.fromkeys(quoted.strip() for quoted in _QUOTED.findall(text) if quoted.strip()))
    return tuple(found)[:MENTIONS]


def _has_words(text: str, words: str) -> bool:
    at = text.find(words)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(words) : at + len(words) + 1]
        if not (_is_word(before) and _is_word(words[0])) and not (_is_word(after) and _is_word(words[-1])):
            return True
        at = text.find(words, at + 1)
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _names(text: str) -> Iterator[str]:
    """Runs of capitalised words; a run of one word at the beginning of a sentence is left out."""
    run: list[str] = []
    starts = begins = True
    end = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        name = token[0].isupper() and token.lower() not in _NOT_NAMES
        joined = run and text[end : match.start()] == " "
        if run and not (name and joined):
            yield from _named(run, begins=begins)
            run = []
        if name:
            if not run:
                begins = starts
            run.append(token)
        starts = token in _ENDS
        end = match.end()
        if run and token.endswith(_POSSESSIVE):
            yield from _named(run, begins=begins)
            run = []
    yield from _named(run, begins=begins)


def _named(run: list[str], *, begins: bool) -> Iterator[str]:
    kept = list(dropwhile(lambda word: word.lower() in _OPENERS, run))
    if kept and not (begins and len(kept) == len(run) == 1):
        last = kept[-1]
        for ending in _POSSESSIVE:
            last = last.removesuffix(ending)
        yield " ".join([*kept[:-1], last.rstrip("'’")])
