"""Cross-references of a store: whole paths as the management prompts prescribe them, to a file or a section in it.

`/memories/plants/ferns.md`, or `/memories/plants/ferns.md > ## Watering`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from memkit.errors import StoreError
from memkit.store.frontmatter import end_line
from memkit.store.lines import split_lines
from memkit.store.outline import section

REFERENCE = re.compile(
    r"/memories/[^\s*?{}|\[\]()`'\"<>,;]+?\.md(?!\w)(?: > #{1,6} [^\n\[\]`>]+?(?= > #|[\]`.,;)]|$))*", re.MULTILINE
)
_HEADING = re.compile(r" > #{1,6} ")


@frozen
class Reference:
    """A reference as `text` on `line` (1-based) of a file, to `target`; `titles` lead to a section, outermost first."""

    text: str
    line: int
    target: str
    titles: tuple[str, ...]

    def dangles(self, files: Mapping[str, str]) -> bool:
        """Whether `files` lack the target, or the target lacks the section."""
        return self.target not in files or not self.reaches(files[self.target])

    def reaches(self, text: str) -> bool:
        """Whether a file of this text has the section; any has when none is named."""
        if not self.titles:
            return True
        try:
            section(text, self.titles)
        except StoreError:
            return False
        return True


def find_references(text: str) -> Iterator[Reference]:
    """The references in a file below its frontmatter, in order, repeats included."""
    head = end_line(text)
    for number, line in enumerate(split_lines(text)[head:], head + 1):
        for match in REFERENCE.finditer(line):
            yield read_reference(match, number)


def read_reference(match: re.Match[str], line: int) -> Reference:
    """The reference that a match of `REFERENCE` on a line is."""
    target, *titles = _HEADING.split(match[0])
    return Reference(match[0], line, target, tuple(title.strip() for title in titles))
