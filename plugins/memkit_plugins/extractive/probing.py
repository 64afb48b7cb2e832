"""What to probe next: the search moves of the embedded model, by the tools its harness grants."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from math import log
from typing import Any

from memkit import ROOT
from memkit_plugins.extractive.answering import SUPPORT, best_support
from memkit_plugins.extractive.commands import Call, write_command
from memkit_plugins.extractive.reading import Exchange, Line, Probe
from memkit_plugins.extractive.words import analyzer

LINE_TOKENS = 45
"""About what one shown turn of a chat costs, its locator and line number included."""
RANKED_LINE_TOKENS = 28
"""The same for a line asked of the ranked search, which leaves out those that are not relevant enough."""
MOST_FILES = 40
"""Files a ranked search may return."""
WORDS = 10
"""Distinctive words probed at most: later ones of a long question add noise."""
SHORT = 3
"""Words of up to so many letters begin too many others to be searched by their beginning."""
MOST_RANKED = 200
MOST_FOUND = 1_000
"""The most lines that `bm25_search` and `grep` give for one call."""
OUTLINES = 2
"""Files in folders whose outlines are read: curated ones have headings to cite."""
RARE = 12
"""A word on this many lines or fewer is worth reading in full."""
AROUND = 2
"""Lines read on each side of a find: the words of an answer often stand beside those of the question."""


def next_calls(exchange: Exchange, tools: Sequence[str], served_tokens: int) -> list[Call]:
    """The calls of the next round; none when it is time to answer."""
    made = {(probe.tool, probe.arguments) for probes in exchange.rounds for probe in probes}
    calls = {(call[0], write_arguments(call[1])): call for call in _moves(exchange, tools, served_tokens)}
    new = [call for key, call in calls.items() if key not in made]
    return new if "bash" not in tools else [write_command(call) for call in new]


def write_arguments(arguments: dict[str, Any]) -> str:
    """The JSON text of a call's arguments, always the same for the same call."""
    return json.dumps(arguments, ensure_ascii=False)


def _moves(exchange: Exchange, tools: Sequence[str], served_tokens: int) -> list[Call]:
    """The calls that the tools suggest; some may have been made before."""
    words = _probe_words(exchange)
    if not words:
        return []
    if "bm25_chunk_retrieve" in tools:
        return _chunk_calls(exchange, words)
    if "bm25_search" in tools:
        calls = _ranked_calls(exchange, served_tokens)
    elif "grep" in tools:
        calls = _file_calls(exchange, words, served_tokens)
    elif "bash" in tools:
        return [call for call in _file_calls(exchange, words, served_tokens) if call[0] in ("view", "grep")]
    else:
        return []
    return [call for call in calls if call[0] in tools]


def _probe_words(exchange: Exchange) -> list[str]:
    """Words as written; of a script without spaces the pairs of characters, since a whole phrase seldom recurs."""
    of = analyzer()
    words = of.content_words(" ".join((exchange.question, *exchange.options)))
    pieces = (pairs if len(pairs := of.query(word)) > 1 else (word,) for word in words)
    return list(dict.fromkeys(piece for some in pieces for piece in some))[:WORDS]


def _chunk_calls(exchange: Exchange, words: list[str]) -> list[Call]:
    """The question, and each option; again without the names that every chunk holds when that supports no answer."""
    match exchange.rounds:
        case ():
            return [_retrieve(exchange.question), *map(_retrieve, exchange.options)]
        case (_,) if not exchange.options and best_support(exchange) < SUPPORT:
            spoken = {(line.turn["speaker"] or "").casefold() for line in exchange.lines if line.turn}
            bare = " ".join(word for word in words if word not in spoken)
            return [_retrieve(bare)] if bare else []
        case _:
            return []


def _retrieve(query: str) -> Call:
    return ("bm25_chunk_retrieve", {"query": query})


def _ranked_calls(exchange: Exchange, served_tokens: int) -> list[Call]:
    match exchange.rounds:
        case ():
            pass
        case (first,):
            return _outlines([line for probe in first for line in probe.lines if line.number])
        case _:
            return []
    query = " ".join((exchange.question, *exchange.options))
    lines = min(max(1, served_tokens // RANKED_LINE_TOKENS), MOST_RANKED)
    files = min(lines, MOST_FILES)
    return [("view", {"path": ROOT}), ("bm25_search", {"query": query, "max_results": files, "max_lines": lines})]


def _file_calls(exchange: Exchange, words: list[str], served_tokens: int) -> list[Call]:
    """Count each word, then read the rare ones and the lines that join two others, then around the best finds."""
    match exchange.rounds:
        case ():
            counts: list[Call] = [("grep", {"pattern": f"(?i){_pattern(word)}", "max_results": 1}) for word in words]
            return [("view", {"path": ROOT}), *counts]
        case (first,):
            half = min(max(1, served_tokens // LINE_TOKENS // 2), MOST_FOUND)
            pattern = _joined_pattern(first, half)
            return [("grep", {"pattern": pattern, "max_results": half})] if pattern else []
        case (first, second):
            spare = served_tokens // LINE_TOKENS // 2
            finds = _rank(second[0].lines, _weights(first))
            return [*_around(finds, spare), *_outlines(finds)]
        case _:
            return []


def _outlines(finds: Sequence[Line]) -> list[Call]:
    """Outlines of the best finds' files, for those in folders."""
    nested = dict.fromkeys(find.path for find in finds if find.path.count("/") > ROOT.count("/") + 1)
    return [("toc", {"path": path}) for path in list(nested)[:OUTLINES]]


def _pattern(word: str) -> str:
    """A regular expression for the word and its other forms; a short word stands for itself alone."""
    prefix = analyzer().prefix(word)
    if not prefix.isascii():  # RE2's word border knows ASCII only
        return re.escape(prefix)
    return rf"\b{re.escape(prefix)}" if len(prefix) > SHORT else rf"\b{re.escape(word)}\b"


def _counts(probes: Sequence[Probe]) -> dict[str, int]:
    """How many lines each probed pattern is on; those on none are left out."""
    return {
        json.loads(probe.arguments)["pattern"].removeprefix("(?i)"): probe.total
        for probe in probes
        if probe.tool == "grep" and probe.total
    }


def _weights(probes: Sequence[Probe]) -> dict[str, float]:
    counts = _counts(probes)
    return {pattern: log(1 + sum(counts.values()) / count) for pattern, count in counts.items()}


def _joined_pattern(probes: Sequence[Probe], room: int) -> str:
    """Alternatives expected to match about `room` lines: rare words alone, then pairs of words, rarest first.

    How often a pair meets on a line is estimated as if words fell independently over the lines of
    the store, of which the most frequent word is taken to be on about half.
    """
    counts = _counts(probes)
    if not counts:
        return ""
    lines = 2 * max(counts.values())
    ranked = sorted(counts, key=counts.__getitem__)
    expected = [(counts[word] * 1.0, word) for word in ranked if counts[word] <= RARE]
    expected += [
        (counts[a] * counts[b] / lines, f"{a}.*{b}|{b}.*{a}")
        for number, a in enumerate(ranked)
        for b in ranked[number + 1 :]
        if counts[b] > RARE
    ]
    chosen: list[str] = []
    for hits, pattern in sorted(expected):
        room -= int(hits) + 1
        if chosen and room < 0:
            break
        chosen.append(pattern)
    return "(?i)" + "|".join(chosen or ranked[:1])


def _rank(lines: Sequence[Line], weights: dict[str, float]) -> list[Line]:
    patterns = [(re.compile(pattern, re.IGNORECASE), weight) for pattern, weight in weights.items()]

    def score(line: Line) -> float:
        return sum(weight for pattern, weight in patterns if pattern.search(line.text))

    return sorted((line for line in lines if line.number), key=lambda line: (-score(line), line.path, line.number))


def _around(finds: Sequence[Line], spare: int) -> list[Call]:
    """Views of the lines around the best finds, each line once, within `spare` lines."""
    taken: set[tuple[str, int]] = set()
    for find in finds:
        number = find.number or 1
        fresh = {(find.path, n) for n in range(max(1, number - AROUND), number + AROUND + 1)} - taken
        if len(taken) + len(fresh) > spare:
            break
        taken |= fresh
    calls: list[Call] = []
    for path, number in sorted(taken):
        if calls and calls[-1][1]["path"] == path and calls[-1][1]["view_range"][1] == number - 1:
            calls[-1][1]["view_range"][1] = number
        else:
            calls.append(("view", {"path": path, "view_range": [number, number]}))
    return calls
