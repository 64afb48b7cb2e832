"""Reorganizing by the embedded manager: transcripts at the root become files by topic and person, a few at a time."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import TypeAlias

from memkit import ROOT
from memkit_plugins.extractive.filing import Fact, condense, file_facts, read_facts, topics_in
from memkit_plugins.extractive.hands import Call, Hands
from memkit_plugins.extractive.jobs import Job, Results, key_of, place, result_of

BATCH = 6
"""Files read at a time."""
PAGES = 40
"""Pages read of one file at most."""

Reading: TypeAlias = Generator[list[Call], Results, dict[str, list[Fact]]]


def reorganize(hands: Hands, tried: Collection[str], *, whole: bool) -> Job:
    """File what the next transcripts hold and remove them; `tried` are the arguments of the calls made before.

    A file that cannot be read whole, or is no transcript, stays as it is. With `whole`, every turn is filed as it
    is, else the salient sentences.
    """
    survey = hands.survey()
    results = yield [survey]
    listed = hands.listed(result_of(results, survey))
    at_root = [path for path in listed if path.rpartition("/")[0] == ROOT]
    batch = [path for path in at_root if key_of(hands.show(path, 1))[1] not in tried][:BATCH]
    if not batch:
        return "The store is in order; nothing is left to be changed."
    read = yield from _read(hands, batch)
    facts = [fact for told in read.values() for fact in told]
    filings = file_facts(facts if whole else condense(facts), topics_in(listed))
    edits = (yield from place(hands, filings)) if filings else []
    done = (yield edits) if edits else {}
    # Nothing is removed before all of it has a place.
    if read and len(edits) == len(filings) and all(hands.succeeded(result_of(done, edit)) for edit in edits):
        yield [hands.delete(path) for path in read]
    yield [survey]
    return "The next files are looked at."


def _read(hands: Hands, batch: Sequence[str]) -> Reading:
    """The facts of the files that were read whole and are transcripts, by path."""
    rows: dict[str, list[str]] = {path: [] for path in batch}
    wanted: dict[str, int] = dict.fromkeys(batch, 1)
    for _ in range(PAGES):
        calls = {path: hands.show(path, line) for path, line in wanted.items()}
        if not calls:
            break
        results = yield list(calls.values())
        for path, call in calls.items():
            page = hands.page(wanted.pop(path), result_of(results, call))
            if not page.whole:
                del rows[path]
                continue
            rows[path] += page.rows
            if page.following:
                wanted[path] = page.following
    facts = {path: read_facts(rows[path]) for path in rows if path not in wanted}
    return {path: told for path, told in facts.items() if told}
