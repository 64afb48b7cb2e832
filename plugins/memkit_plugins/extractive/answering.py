"""The embedded model's last reply: the best supported sentence, cited, or that there is none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from attrs import evolve, frozen

from memkit import ROOT, Citation, find_citations, render_citation
from memkit_plugins.extractive.computing import answer_computed
from memkit_plugins.extractive.dates import resolve_when
from memkit_plugins.extractive.reading import Exchange, Line, Section
from memkit_plugins.extractive.words import analyzer, line_terms, question_terms

WHEN = re.compile(r"^\s*(?:when\b|(?:on |in )?(?:what|which) (?:date|day|month|year)\b)", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")
ABSENT = "No information available: the store does not mention this"
SUPPORT = 0.4
"""Share of the question's weight that the best lines must hold; below it the answer is absence."""
NEXT_TO = 0.5
"""How much of a neighbour's score a line takes: a reply seldom repeats the words it replies to."""
ASKING = 0.3
"""Share of the question's weight that a line loses for being a question itself."""
FURTHER = 2
"""Supporting lines quoted after the answer."""
SECTION_LINES = 20
"""A section of up to so many lines is cited by its heading, a longer one by the lines in it."""


def compose_answer(exchange: Exchange) -> str:
    """First sentence the answer, then further evidence, every statement cited."""
    computed = "" if exchange.options else answer_computed(exchange.question, exchange.computed)
    if computed:
        return computed
    lines = exchange.lines
    if exchange.options:
        return _choose_option(exchange, lines)
    ranked = _rank(lines, _subject_terms(exchange))
    if not ranked or ranked[0].support < SUPPORT:
        searched = ", ".join(analyzer().content_words(exchange.question)) or "nothing that can be matched"
        return f"{ABSENT}. I searched for: {searched}."
    best = ranked[0]
    said = _best_sentence(best.line, exchange.question)
    sections = exchange.sections
    if WHEN.match(exchange.question) and best.line.day:
        said, further = resolve_when(said, best.line.day), ranked[: FURTHER + 1]
    else:
        further = ranked[1 : FURTHER + 1]
    return _cited(said, best, sections) + "".join("\n" + _quoted(one, sections) for one in further)


def best_support(exchange: Exchange) -> float:
    """Share of the question's weight that its best line holds, in [0, 1]; 0 when nothing was seen."""
    ranked = _rank(exchange.lines, _subject_terms(exchange))
    return ranked[0].support if ranked else 0.0


def _subject_terms(exchange: Exchange) -> tuple[str, ...]:
    """The terms of the question without those that ask for a date: an answer seldom says "date"."""
    return question_terms(WHEN.sub("", exchange.question)) or question_terms(exchange.question)


@frozen
class _Scored:
    """`leans_on` is the number of the neighbouring line that holds more of the question, or else the line's own."""

    line: Line
    score: float
    support: float
    leans_on: int | None


def _rank(lines: Sequence[Line], query: Sequence[str]) -> list[_Scored]:
    """Lines best first: matched weight by rarity among the lines seen, neighbours helping, questions last."""
    held = [line_terms(line.text) for line in lines]
    wanted = dict.fromkeys(query)
    spread = Counter(term for terms in held for term in terms & wanted.keys())
    # Added up in the order of the question: that of a set, and so the last digit, differs between processes.
    weight = {term: log(1 + len(lines) / max(spread[term], 1)) for term in wanted}
    total = sum(weight.values()) or 1.0
    own = [sum(heavy for term, heavy in weight.items() if term in terms) for terms in held]
    scored = []
    for line, score, (beside, number) in zip(lines, own, _neighbours(lines, own), strict=True):
        if score:
            asks = ASKING * total if line.text.rstrip().endswith("?") else 0.0
            support = max(score, (score + beside) / 2) / total
            leans_on = number if beside > score else line.number
            scored.append(_Scored(line, score + NEXT_TO * beside - asks, support, leans_on))
    return sorted(scored, key=lambda found: (-found.score, found.line.path, found.line.number or 0, found.line.text))


def _neighbours(lines: Sequence[Line], own: Sequence[float]) -> list[tuple[float, int | None]]:
    """Score and number of each line's better neighbour; of unnumbered lines the one shown before is it."""
    at = {(line.path, line.number): score for line, score in zip(lines, own, strict=True) if line.number}
    before = [0.0, *own]
    return [
        max((at.get((line.path, number), 0.0), number) for number in (line.number - 1, line.number + 1))
        if line.number
        else (before[position], None)
        for position, line in enumerate(lines)
    ]


def _best_sentence(line: Line, question: str) -> str:
    turn = line.turn
    said = turn["said"] if turn else line.text
    wanted = set(question_terms(question))
    sentences = [sentence for sentence in SENTENCE.split(said) if sentence.strip()] or [said]
    return max(sentences, key=lambda s: (len(wanted & line_terms(s)), not s.endswith("?"))).strip() or line.text


def _choose_option(exchange: Exchange, lines: Sequence[Line]) -> str:
    """The option best supported by a line that holds words of its own; a choice is always made."""
    shared = Counter(term for option in exchange.options for term in set(question_terms(option)))
    ranked = []
    for number, option in enumerate(exchange.options):
        distinct = dict.fromkeys(term for term in question_terms(option) if shared[term] < len(exchange.options))
        found = _rank(lines, [*distinct, *question_terms(exchange.question)])
        # A line about the question alone supports every option alike.
        own = [one for one in found if distinct.keys() & line_terms(one.line.text)]
        best = (own or found)[:1]
        ranked.append((-best[0].support if own else 0.0, number, option, best))
    _, number, option, best = min(ranked)
    choice = f"({chr(ord('a') + number)}) {option.rstrip('.')}"
    if not best:
        return f"{choice}. Nothing in the store bears on the options, so this is a guess."
    return _cited(choice, best[0], exchange.sections)


def _quoted(found: _Scored, sections: Sequence[Section]) -> str:
    return _cited(f"Evidence: {found.line.text}", evolve(found, leans_on=found.line.number), sections)


def _cited(statement: str, found: _Scored, sections: Sequence[Section]) -> str:
    # A citation that someone wrote into the store is none of ours.
    statement = statement.replace(f"[{ROOT}", ROOT).rstrip(".")
    line = found.line
    if line.path:
        return f"{statement} {render_citation(_citation(found, sections))}."
    return f"{statement} {line.turn['locator']}." if line.turn else f"{statement}."


def _citation(found: _Scored, sections: Sequence[Section]) -> Citation:
    """The short section that holds the evidence, where the outline was read; else its lines, or the file."""
    path, number = found.line.path, found.line.number
    if number is None:
        return Citation(path)
    first, last = sorted((number, found.leans_on or number))
    around = [one for one in sections if one.path == path and one.first <= first and last <= one.last]
    if around:
        inner = min(around, key=lambda one: one.last - one.first)
        cited = Citation(path, section=inner.titles)
        # A heading may hold a bracket, or the file have two sections of one name.
        sure = [one.titles for one in sections if one.path == path].count(inner.titles) == 1
        if sure and inner.last - inner.first < SECTION_LINES and find_citations(render_citation(cited)) == (cited,):
            return cited
    return Citation(path, (first, last))
