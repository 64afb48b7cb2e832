"""The funnel of an answer from a memory of a run: what of its evidence was there, kept, found, served and cited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from memkit.errors import NotFound
from memkit.locators import Locator
from memkit.memory import Memory
from memkit.metrics.funnel import Funnel, Held, cited_places, follow, held, is_right
from memkit.metrics.reach import Reach, archived_passages, passages_of
from memkit.records import STORELESS, Answer, Question
from memkit.store.texts import read_texts

MEMORIES = 8
"""Whose passages are kept at a time: questions come memory by memory."""


def funnel_of(
    question: Question,
    answer: Answer,
    memory: Memory | None,
    scores: Mapping[str, float],
    *,
    computes: bool = False,
) -> Funnel:
    """Follow the evidence of an answer from `memory`, which nobody changes; None is a row without one.

    `scores` are those that the judge gave, and `computes` says that the searcher computes over the event ledger.
    """
    return follow(
        question,
        answer,
        right=is_right(scores),
        held=held_of(question, memory) if memory else None,
        cited=cited_places(answer, memory.store if memory else None),
        computes=computes,
    )


def held_of(question: Question, memory: Memory) -> Held:
    """What a memory that nobody changes holds of the evidence of a question."""
    stored = memory.manifest.layout not in STORELESS
    return held(reach_of(memory.path), question, list(_archived(question, memory)), stored=stored)


@lru_cache(maxsize=MEMORIES)
def reach_of(path: Path) -> Reach:
    """The passages of the store of the memory at `path`, or of its archive where it has no store."""
    memory = Memory.open(path)
    if memory.manifest.layout in STORELESS:
        return Reach(archived_passages(memory.archive.units()))
    files, _ = read_texts(memory.store)
    return Reach(passages_of(files))


def _archived(question: Question, memory: Memory) -> Iterator[Locator]:
    for place in question.evidence:
        try:
            memory.archive.resolve(place)
        except NotFound:
            continue
        yield place
