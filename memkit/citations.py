"""Citations: reading them out of an answer, and the text they point at.

Forms: `[/memories/f.md]`, `[/memories/f.md:L10]`, `[/memories/f.md:L10-15]`,
`[/memories/f.md > # Section > ## Subsection]`.
"""

from __future__ import annotations

import re

from attrs import frozen

from memkit.errors import NotFound
from memkit.locators import Locator, find_locators
from memkit.records import Citation
from memkit.store.files import Store
from memkit.store.lines import split_lines
from memkit.store.outline import section

PATTERN = re.compile(
    r"""
    \[ (?P<path> /memories (?: / [^\[\]\n>]*? )? )
    (?: :L (?P<first> \d{1,9} ) (?: -L? (?P<last> \d{1,9} ) )?
      | (?P<section> (?: [ ]>[ ]\#{1,6}[ ] [^\[\]\n>]+ )+ )
    )? \]
    """,
    re.VERBOSE | re.ASCII,
)
STEP = re.compile(r" > #{1,6} ")
"""What comes before each title of a section's path."""


@frozen
class Passage:
    """The text a citation points at, with its 1-based line range."""

    path: str
    first: int
    last: int
    text: str

    @property
    def locators(self) -> tuple[Locator, ...]:
        """The distinct locators written in the passage, in order."""
        return tuple(dict.fromkeys(find_locators(self.text)))


def find_citations(text: str) -> tuple[Citation, ...]:
    """The distinct citations in `text`, in order of first appearance. What does not parse is not a citation."""
    return tuple(dict.fromkeys(map(_from_match, PATTERN.finditer(text))))


def render_citation(citation: Citation) -> str:
    """The citation in brackets, as an answer writes it.

    `find_citations` gives it back unless the path or a title holds a bracket or `>`.
    """
    if citation.section:
        titles = "".join(f" > {'#' * depth} {title}" for depth, title in enumerate(citation.section, 1))
        return f"[{citation.path}{titles}]"
    if citation.lines is None:
        return f"[{citation.path}]"
    first, last = citation.lines
    return f"[{citation.path}:L{first}]" if first == last else f"[{citation.path}:L{first}-{last}]"


def resolve_citation(citation: Citation, store: Store) -> Passage:
    """The passage cited; StoreError (NotFound and its kin) when file, lines or section do not exist."""
    text = store.read(citation.path)
    lines = split_lines(text)
    first, last = citation.lines or (1, len(lines))
    if citation.section:
        found = section(text, citation.section)
        first, last = found.line, found.end_line
    if citation.lines and not 1 <= first <= last <= len(lines):
        raise NotFound(f"{citation.path} has {len(lines)} lines, not {first} to {last}", path=citation.path)
    return Passage(citation.path, first, last, "\n".join(lines[first - 1 : last]))


def _from_match(match: re.Match[str]) -> Citation:
    lines = None
    if match["first"]:
        lines = (int(match["first"]), int(match["last"] or match["first"]))
    titles = STEP.split(match["section"] or "")[1:]
    return Citation(match["path"].strip(), lines, tuple(title.strip() for title in titles))
