"""The words and terms of questions and lines, each worked out once."""

from __future__ import annotations

from functools import cache, lru_cache

from memkit import Analyzer


@cache
def analyzer() -> Analyzer:
    """The analyzer the ranked search uses too: English stems, every script."""
    return Analyzer()


@lru_cache(maxsize=65_536)
def line_terms(text: str) -> frozenset[str]:
    """The distinct terms of a line."""
    return frozenset(analyzer().terms(analyzer().words(text)))


@lru_cache(maxsize=1_024)
def question_terms(text: str) -> tuple[str, ...]:
    """The distinct terms of a question, without stop words."""
    return analyzer().query(text)
