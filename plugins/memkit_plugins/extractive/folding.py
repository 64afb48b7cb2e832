"""Foldering by the embedded manager: files are grouped by the words they share, and folders named by these words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log, sqrt
from typing import TypeAlias

from memkit import ROOT, Message
from memkit_plugins.extractive.filing import read_facts, slug, subjects
from memkit_plugins.extractive.hands import ByTools, Call
from memkit_plugins.extractive.jobs import Job, result_of

Weights: TypeAlias = dict[str, dict[str, float]]
"""File -> term -> how much the file is about it."""

SURVEY: Call = ("view", {"path": ROOT})
MOST_FILES = 150
"""Files sorted; calls of a loop are limited."""
MOST_LINES = 1_600
FEWEST, MOST = 12, 80
"""Lines read of all files together, and of one."""
LARGEST = 0.5
"""Share of the files that one folder may take at first: a word of more is no subject of its own."""


def fold() -> Job:
    """Read the beginning of each file, and move it to the folder of its subject."""
    hands = ByTools()
    results = yield [SURVEY]
    paths = hands.listed(result_of(results, SURVEY))[:MOST_FILES]
    if len(paths) < 3:
        return "There are too few files for folders."
    lines = max(FEWEST, min(MOST, MOST_LINES // len(paths)))
    views: dict[str, Call] = {path: ("view", {"path": path, "view_range": [1, lines]}) for path in paths}
    results = yield list(views.values())
    counts, words = _count({path: result_of(results, call) for path, call in views.items()})
    folders = group(counts, words)
    targets = {path: f"{ROOT}/{folder}/{path.rpartition('/')[2]}" for path, folder in folders.items()}
    moves = [("rename", {"old_path": path, "new_path": new}) for path, new in targets.items() if path != new]
    if not moves:
        return "Every file is in its folder already."
    yield list(moves)
    return f"Sorted {len(moves)} files into {len(set(folders.values()))} folders."


def group(counts: Mapping[str, Counter[str]], words: Mapping[str, str]) -> dict[str, str]:
    """File -> folder. A file that shares no word of weight with another is left out.

    The word of most weight over the files that are left makes the next folder, up to the square root of the number
    of files; the rest joins the folder whose files it shares most with.
    """
    weights = _weights(counts)
    left, folders = set(counts), dict[str, set[str]]()
    while left and len(folders) < max(2, round(sqrt(len(counts)))):
        term = _heaviest(weights, left, room=max(2, int(len(counts) * LARGEST)))
        if not term:
            break
        members = {path for path in left if term in weights[path]}
        folders[_name(term, weights, members, words)] = members
        left -= members
    for path in sorted(left):
        nearest = max(folders, key=lambda name: (_likeness(weights, path, folders[name] - left), name), default="")
        if nearest and _likeness(weights, path, folders[nearest] - left):
            folders[nearest] = folders[nearest] | {path}
    return {path: name for name, members in folders.items() for path in sorted(members)}


def _count(shown: Mapping[str, Message | None]) -> tuple[dict[str, Counter[str]], dict[str, str]]:
    """How many turns of each file mention a term, and the word most used for each term."""
    forms = Counter[tuple[str, str]]()
    counts = {}
    for path, result in shown.items():
        facts = read_facts(ByTools().page(1, result).rows)
        speakers = {fact.speaker for fact in facts}
        mentioned = [item for fact in facts for item in subjects(fact, speakers).items()]
        counts[path] = Counter(term for term, _ in mentioned)
        forms.update(mentioned)
    words: dict[str, str] = {}
    for (term, word), _ in sorted(forms.items(), key=lambda item: (-item[1], item[0])):
        words.setdefault(term, word)
    return counts, words


def _weights(counts: Mapping[str, Counter[str]]) -> Weights:
    spread = Counter(term for terms in counts.values() for term in terms)
    return {
        path: {
            term: (1 + log(n)) * log(len(counts) / spread[term])
            for term, n in terms.items()
            if 1 < spread[term] < len(counts)
        }
        for path, terms in counts.items()
    }


def _heaviest(weights: Weights, left: set[str], room: int) -> str:
    totals, spread = Counter[str](), Counter[str]()
    for path in sorted(left):
        spread.update(weights[path].keys())
        totals.update(weights[path])
    fitting = [term for term in totals if 2 <= spread[term] <= room]
    return min(fitting, key=lambda term: (-totals[term], term), default="")


def _name(term: str, weights: Weights, members: set[str], words: Mapping[str, str]) -> str:
    """The folder's word, with a second one that at least half of its files share where there is one."""
    shared = Counter(other for path in members for other in weights[path] if other != term)
    common = [other for other, n in shared.items() if 2 * n >= len(members) and n > 1]
    weight = {other: sum(weights[path].get(other, 0.0) for path in sorted(members)) for other in common}
    second = min(weight, key=lambda other: (-weight[other], other), default="")
    return slug(f"{words[term]} {words[second]}" if second else words[term])


def _likeness(weights: Weights, path: str, members: set[str]) -> float:
    mine = weights[path]
    others = [weights[other] for other in sorted(members)]
    return sum(weight * other[term] for other in others for term, weight in mine.items() if term in other)
