"""What the embedded manager writes: facts read from transcripts, where each belongs, and how a file of them looks.

A fact is a turn or step. It goes to the file of a topic, a word that several turns of the material share or that
the store has a file for already, or else to that of its speaker; each is dated and keeps its locator.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TypeAlias

from attrs import evolve, field, frozen

from memkit import ROOT, find_locators, render_frontmatter
from memkit_plugins.extractive.dates import RULES, show_day
from memkit_plugins.extractive.reading import DAY, SESSION
from memkit_plugins.extractive.words import COMMON, analyzer

PEOPLE, TOPICS = f"{ROOT}/people", f"{ROOT}/topics"
ACTIONS = f"{ROOT}/actions.md"
"""Where the steps of a trajectory go that belong to no topic."""

LOCATED = re.compile(r"^(\[(?:S\d+T\d+|B\d+M\d+|M\d+|step \d+)\]) ?(.*)$", re.DOTALL)
SPOKEN = re.compile(r"^([^:\n]{1,60}): (.*)$", re.DOTALL)
SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")
DETAIL = re.compile(r"\d+(?:[.,:]\d+)*|(?<=[^.!?…\s] )[^\W\d_a-z][\w'’-]+")
"""A number, or a capitalised word within a sentence."""

NAMED = re.compile(
    r"\b(?i:the|an?|my|your|his|her|its|our|their|this|that|these|those|some|new|old|used|[^\W\d_]+['’]s)"
    r" ([^\W\d_][\w’'-]+)"
    r"|(?<=[^.!?…\s] )([^\W\d_a-z][\w'’-]+)"
)
"""A word used as a noun, as far as English shows: after an article or its like, or capitalised within a sentence."""

SALIENT = 6
"""What a sentence must score to be worth keeping: a point for each distinct word with a meaning, three for a detail."""
FACTS_A_TOPIC = 12
"""Facts of a chunk for each new topic at most."""
SHARED = 0.03
FEWEST_SHARED = 2
"""Share of the turns, and number of them, that must name a subject before it is a topic."""
SLUG_CHARACTERS = 40
DEVICES = re.compile(r"con|prn|aux|nul|(?:com|lpt)\S")
"""Names that no portable file may have."""


@frozen
class Fact:
    """A turn or step; `speaker` is empty for a step, `day` that of its session where known."""

    locator: str
    speaker: str
    text: str
    day: date | None = None

    @property
    def line(self) -> str:
        """The fact as it is filed: dated, by whom, with what it rests on."""
        head = f"{show_day(self.day)}: " if self.day else ""
        who = f"{self.speaker}: " if self.speaker else ""
        return f"- {head}{who}{_settled(self.text, self.day)} {self.locator}"


@frozen
class Filing:
    """The lines that go to one file, which is about `about`, and who speaks in them."""

    path: str
    about: str
    lines: list[str] = field(factory=list)
    speakers: set[str] = field(factory=set)
    mentioned: Counter[str] = field(factory=Counter)

    @property
    def text(self) -> str:
        """The file as it is made."""
        stem = self.path.rpartition("/")[2].removesuffix(".md")
        words = [word for word, _ in self.mentioned.most_common(4) if slug(word) not in stem][:3]
        description = f"{self.about}: {', '.join(words)}" if words else f"{self.about}, with dates and sources"
        return f"{render_frontmatter(stem, description)}\n# {one_line(self.about)}\n\n" + self.block

    @property
    def block(self) -> str:
        """The lines alone."""
        return "".join(f"{line}\n" for line in self.lines)


def read_facts(rows: Iterable[str]) -> list[Fact]:
    """The turns and steps of a transcript, the further lines of each joined to its first; what comes before is not."""
    facts: list[Fact] = []
    day: date | None = None
    for row in rows:
        if SESSION.match(row):
            day = _day(row)
        elif located := LOCATED.match(row):
            spoken = None if located[1].startswith("[step") else SPOKEN.match(located[2])
            speaker, text = spoken.groups() if spoken else ("", located[2])
            facts.append(Fact(located[1], one_line(speaker), one_line(text), day))
        elif facts and row.strip():
            facts[-1] = evolve(facts[-1], text=one_line(f"{facts[-1].text} {row}"))
    return facts


def condense(facts: Iterable[Fact]) -> list[Fact]:
    """The salient sentences of the facts that have any."""
    short = (evolve(fact, text=" ".join(filter(is_salient, SENTENCE.split(fact.text)))) for fact in facts)
    return [fact for fact in short if fact.text]


def is_salient(sentence: str) -> bool:
    """Whether a sentence says something: enough words with a meaning, or a number or name, and no mere question."""
    details = len(DETAIL.findall(sentence))
    if sentence.rstrip().endswith("?"):
        return details > 1
    return len(analyzer().content_words(sentence)) + 3 * details >= SALIENT


def file_facts(facts: Sequence[Fact], known: Collection[str]) -> list[Filing]:
    """Each fact in the file it belongs to; `known` are the names of the topics the store has. Ordered by path."""
    speakers = {fact.speaker for fact in facts}
    topics = _topics(facts, known, speakers)
    filings: dict[str, Filing] = {}
    for fact in facts:
        path, about = _home(fact, topics, speakers)
        filing = filings.setdefault(path, Filing(path, about))
        filing.lines.append(fact.line)
        filing.speakers.add(fact.speaker)
        filing.mentioned.update(subjects(fact, speakers).values())
    return [filings[path] for path in sorted(filings)]


def subjects(fact: Fact, speakers: Collection[str]) -> dict[str, str]:
    """Term -> word of what a fact speaks of as a thing or by its name; `speakers` are no subjects."""
    return _terms(" ".join(word for found in NAMED.findall(fact.text) for word in found), speakers)


def _terms(text: str, speakers: Collection[str]) -> dict[str, str]:
    own = {word for speaker in speakers for word in analyzer().content_words(speaker)}
    words = (word for word in analyzer().content_words(text) if len(word) > 3 and word not in COMMON)
    kept = [word for word in words if word not in own and not word[0].isdigit()]
    return dict(zip(analyzer().terms(kept), kept, strict=True))


def person_path(name: str) -> str:
    """The file of a person."""
    return f"{PEOPLE}/{slug(name)}.md"


def topics_in(paths: Iterable[str]) -> list[str]:
    """The names of the topics that have a file."""
    prefix = f"{TOPICS}/"
    return [path.removeprefix(prefix).removesuffix(".md") for path in paths if path.startswith(prefix)]


def slug(text: str) -> str:
    """Lower-case letters and digits of any script joined by hyphens, safe as a file name anywhere."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(c if unicodedata.category(c)[0] in "LNM" else "-" for c in folded)
    name = re.sub("-+", "-", kept).strip("-")[:SLUG_CHARACTERS].strip("-") or "someone"
    return f"{name}-x" if DEVICES.fullmatch(name) else name


def one_line(text: str) -> str:
    """The text with runs of white space made one space."""
    return " ".join(text.split())


def locators(lines: Iterable[str]) -> set[str]:
    """Every locator written in the lines."""
    return {str(locator) for line in lines for locator in find_locators(line)}


def _home(fact: Fact, topics: Mapping[str, _Rank], speakers: Collection[str]) -> tuple[str, str]:
    mine = [topics[term] for term in _terms(fact.text, speakers) if term in topics]
    if mine:
        _, _, name = max(mine)
        return f"{TOPICS}/{slug(name)}.md", name.capitalize()
    if fact.speaker:
        return person_path(fact.speaker), fact.speaker
    return ACTIONS, "What was done and what came of it"


_Rank: TypeAlias = tuple[bool, int, str]
"""Whether the store has the topic, how many facts name it, its word: the greater is the better home."""


def _topics(facts: Sequence[Fact], known: Collection[str], speakers: Collection[str]) -> dict[str, _Rank]:
    named = Counter(item for fact in facts for item in subjects(fact, speakers).items())
    shared = Counter[str]()
    for (term, _), n in named.items():
        shared[term] += n
    old = {term: name for name in known for term in analyzer().terms([name])}
    ranked = sorted((term for term in shared if term not in old), key=lambda term: (-shared[term], term))
    enough = max(FEWEST_SHARED, SHARED * len(facts))
    new = [term for term in ranked if shared[term] >= enough][: max(1, len(facts) // FACTS_A_TOPIC)]
    best = {term: max((n, word) for (of, word), n in named.items() if of == term)[1] for term in new}
    return {term: (term in old, shared[term], name) for term, name in {**best, **old}.items()}


def _settled(text: str, day: date | None) -> str:
    """The text with what is exact relative to `day` put as dates; a weekday that may be past or to come stays."""
    if day is None:
        return text
    for pattern, resolve in RULES:
        for match in reversed(list(re.finditer(pattern, text.lower()))):
            if match[0].startswith("on ") or len(text.lower()) != len(text):
                continue
            try:
                text = text[: match.start()] + resolve(match, day) + text[match.end() :]
            except OverflowError:
                continue
    return text


def _day(row: str) -> date | None:
    found = DAY.search(row)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def rows_of(text: str) -> Iterator[str]:
    """The lines of a text as a transcript has them."""
    return (row.rstrip("\r") for row in text.split("\n"))
