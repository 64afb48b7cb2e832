"""References to files and sections that are not there, and where a file seems to have gone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from memkit.lint.finding import Finding
from memkit.metrics.references import REFERENCE, Reference, find_references, read_reference
from memkit.store.frontmatter import end_line

COMMON_STEMS = frozenset({"index", "readme", "notes", "overview", "summary", "log", "todo", "misc", "main", "general"})
"""Names that many folders give a file: another file of such a name is no sign of a move."""


def check_references(files: Mapping[str, str]) -> Iterator[Finding]:
    """A finding for each reference that leads nowhere; moved ones to exactly one place are fixable."""
    places = _places(files)
    for path, text in files.items():
        for reference in find_references(text):
            if reference.target not in files:
                yield _lost(path, reference, files, places)
            elif not reference.reaches(files[reference.target]):
                yield Finding(
                    path,
                    reference.line,
                    "reference-section",
                    f"{reference.text} leads to a section that {reference.target} does not have",
                    "name a heading of that file, or the file alone",
                )


def fix_references(text: str, files: Mapping[str, str]) -> str:
    """`text` with each reference to a file that moved to exactly one place leading there."""
    places = _places(files)

    def moved(match: re.Match[str]) -> str:
        reference = read_reference(match, 0)
        new = "" if reference.target in files else _moved_to(reference, files, places)
        return match[0].replace(reference.target, new, 1) if new else match[0]

    lines, head = text.split("\n"), end_line(text)
    return "\n".join([*lines[:head], *(REFERENCE.sub(moved, line) for line in lines[head:])])


def _lost(path: str, reference: Reference, files: Mapping[str, str], places: Mapping[str, list[str]]) -> Finding:
    target = reference.target
    if new := _moved_to(reference, files, places):
        message = f"{target} is not there any more; a file of that name is {new}"
        return Finding(path, reference.line, "reference-moved", message, f"write {new}", fixable=True)
    if others := places.get(PurePosixPath(target).stem):
        listed = ", ".join(others[:3])
        message = f"{target} is not there; files of that name are elsewhere: {listed}"
        return Finding(path, reference.line, "reference-moved", message, "name the right one, or remove the reference")
    mend = "name a file that exists, or remove the reference"
    return Finding(path, reference.line, "reference-dangling", f"{target} does not exist", mend)


def _places(files: Mapping[str, str]) -> dict[str, list[str]]:
    """The paths of each telling name."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in files:
        if (stem := PurePosixPath(path).stem).casefold() not in COMMON_STEMS:
            places[stem].append(path)
    return places


def _moved_to(reference: Reference, files: Mapping[str, str], places: Mapping[str, list[str]]) -> str:
    """Where the one file of that name is now; empty without one, and when it lacks the section."""
    found = places.get(PurePosixPath(reference.target).stem, [])
    return found[0] if len(found) == 1 and reference.reaches(files[found[0]]) else ""
