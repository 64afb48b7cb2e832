"""How many events an answer rests on, read from the gold: the counts it states and the steps it cites.

An approximation of the load (ledger paper, appendix G), for questions whose events nobody listed. What is not
certainly a reference to a step is not taken for one: "step 5 and 3 rows" cites step 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST_RANGE = 1000
"""Steps that one written range may stand for; of a longer one, which no log has, only the ends are taken."""

_NUMBER = r"\d{1,6}(?![\w%°])(?![.:]\d)"
_TO = r"\s?[-–—]\s?|\s+through\s+"
_ITEM = rf"{_NUMBER}(?:(?:{_TO}|\s+to\s+){_NUMBER}(?!-\d))?"
_AND = r"\s*(?:,|/|&|,?\s*(?:and|or|vs\.?)\s)\s*"
_LIST = rf"{_ITEM}(?:{_AND}{_ITEM})*"
# Not "10 steps" nor "the step-by-step": the word stands before its number, and no number before the word.
_CITED = re.compile(
    rf"(?<![\w-])(?<!\d )(?P<word>step|turn)(?P<many>s?)(?:[ \u00a0-]|\s+)(?:\#\s?)?"
    rf"(?:(?P<list>{_LIST})|\((?P<inner>{_LIST})\))(?P<rest>\s*\S*)",
    re.ASCII | re.IGNORECASE,
)
_PARTS = re.compile(rf"(?P<low>\d+)(?:(?P<to>{_TO}|\s+to\s+)(?P<high>\d+))?", re.ASCII | re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:[.,;:!?)\]}\"'`”’]|$)")
# After "steps 3 and 5" a verb has no -s: a word with one counts things, and so does the number before it.
_COUNTED = re.compile(
    r"\s+(?:more|other|further|new|additional|different|(?!(?:as|was|is|has|vs|its|this|thus)\b)\w+s)\b"
)
_UNIT = re.compile(r"\s+(?:times|degrees?)\b", re.IGNORECASE)
_SLASHED = re.compile(r"/\d+$", re.ASCII)
_SINGULAR_LIST = 3
"""Steps from which on commas may follow the word in the singular: "at step 4, 6 and 8", but not "at step 4, 6 rows"."""

_WORDS = {
    word: number
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2
    )
}
_TIMES = re.compile(
    rf"(?<![\w.-])(?P<number>\d{{1,6}}|{'|'.join(_WORDS)})(?:\s+(?:separate|different|consecutive))?[ \u00a0-]times\b"
    r"(?!\s+(?:as|more|less|fewer|the|\w+er)\b)|\b(?P<few>twice|thrice)\b",
    re.ASCII | re.IGNORECASE,
)
_FEW = {"twice": 2, "thrice": 3}


def reference_load(gold: str) -> int | None:
    """The larger of the gold's "N times" counts, added up, and the number of steps it cites; None where it has neither.

    Counts are added because an event used in two counts is two events of the load.
    """
    return max(sum(stated_counts(gold)), len(cited_steps(gold))) or None


def stated_counts(text: str) -> tuple[int, ...]:
    """Each count: "N times" in digits or in words up to twelve, "twice" and "thrice"; not "10 times more"."""
    return tuple(
        _FEW[match["few"].lower()] if match["few"] else _WORDS.get(match["number"].lower()) or int(match["number"])
        for match in _TIMES.finditer(text)
    )


def cited_steps(text: str) -> tuple[int, ...]:
    """The step numbers that a text cites, rising, each once: `step 2`, `steps 3, 5-8`, `turns 3 and 6`."""
    return tuple(sorted({step for match in _CITED.finditer(text) for step in _steps(match)}))


def _steps(match: re.Match[str]) -> Iterator[int]:
    written = match["list"] or match["inner"]
    items = [_item(part, many=bool(match["many"])) for part in _PARTS.finditer(written)]
    if match["inner"] is None and _counts_things(match, several=len(items) > 1):
        items.pop()
    if not match["many"] and "," in written and len(items) < _SINGULAR_LIST:
        del items[1:]
    for item in items:
        yield from item


def _counts_things(match: re.Match[str], *, several: bool) -> bool:
    """Whether the last number belongs to what comes after it."""
    rest = match["rest"]
    if _ENDS.match(rest):
        return False
    if _UNIT.match(rest):
        return True
    return several and not _SLASHED.search(match["list"]) and (not match["many"] or bool(_COUNTED.match(rest)))


def _item(part: re.Match[str], *, many: bool) -> tuple[int, ...]:
    low, high = int(part["low"]), int(part["high"] or part["low"])
    if part["high"] is None:
        return (low,)
    if not many and part["to"].strip().lower() == "to":  # "it changed at step 3 to 16"
        return (low,)
    if not low < high:
        return (low, high)
    return tuple(range(low, high + 1)) if high - low < LONGEST_RANGE else (low, high)
