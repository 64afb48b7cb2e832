"""What a question asks of a stream: the entries and files it names, its terms, and its scope."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import frozen

from memkit.events.files import FileEvent, FileGraph
from memkit.events.references import find_references, named_steps, read_scope, without_references
from memkit.terms import Analyzer
from memkit.view.entries import Entry

_FILE_NAME = re.compile(r"(?<![\w./~-])[\w./~+@-]*\w\.\w+(?![\w/-]|\.\w)")


@frozen
class Asked:
    """Positions of entries, in order.

    `named` are those the question names, `ranged` those of its ranges (`steps 20-40`), `scope` those within its
    explicit bounds, everything where it states none, and the named ones in any case. `terms` are those of the question
    without its mentions of steps. `linked` are the entries of each file the question names.
    """

    named: tuple[int, ...]
    ranged: frozenset[int]
    scope: tuple[int, ...]
    terms: tuple[str, ...]
    linked: Mapping[str, tuple[int, ...]]


def read_question(
    question: str, entries: Sequence[Entry], graph: FileGraph, analyzer: Analyzer, *, by_name: bool
) -> Asked:
    """What `question` asks. `by_name` lets a file's name or the end of its path stand for the one file that has it."""
    numbers = [entry.number for entry in entries]
    places = {number: at for at, number in reversed(list(enumerate(numbers)))}
    named = tuple(sorted({places[number] for number in named_steps(question) if number in places}))
    scope = read_scope(question, numbers, points=False)
    ranges = [reference for reference in find_references(question) if reference.kind == "range"]
    ranged = {
        at
        for at, number in enumerate(numbers)
        if any(reference.low <= number <= reference.high for reference in ranges)  # type: ignore[operator]
    }
    within = {at for at, number in enumerate(numbers) if number in scope} | set(named)
    files = named_files(question, graph.files, by_name=by_name)
    return Asked(
        named,
        frozenset(ranged),
        tuple(sorted(within)),
        analyzer.query(without_references(question)),
        {path: tuple(places[event.step] for event in graph.files[path]) for path in files},
    )


def named_files(question: str, files: Mapping[str, Sequence[FileEvent]], *, by_name: bool) -> list[str]:
    """The paths that a question contains whole; `by_name` also those it names in part, where only one file fits.

    Two files of one name are never taken for each other: an ambiguous name names none.
    """
    found = {path: None for path in files if _contains(question, path)}
    if by_name:
        for word in dict.fromkeys(_FILE_NAME.findall(question)):
            fitting = [path for path in files if path.endswith("/" + word.lstrip("/"))]
            if len(fitting) == 1:
                found[fitting[0]] = None
    return list(found)


def _contains(question: str, path: str) -> bool:
    return path in question and bool(re.search(rf"(?<![\w.~/-]){re.escape(path)}(?![\w/-]|\.\w)", question))
