"""The words and terms of questions and lines, each worked out once."""

from __future__ import annotations

from functools import cache, lru_cache

from memkit import Analyzer

COMMON = frozenset(
    """
    actually again almost already always another anything around away back because been before being best better both
    bring came come coming days didn does doing done down each else enough even ever every everyone everything family
    feel feeling felt find first found friend friends from full gave getting give glad goes going gone good gotta great
    guess happen happy hard have having haven hear heard help here hope idea into isn keep kind knew know known last
    later least left less let like little long look looked looking looks lots love loved made make makes making many
    maybe mean means might mind more most much must myself need needs never next nice night nothing okay once only other
    others over part people perfect person place please plan pretty probably quite read ready real really reason right
    said same saying says seem seen should show since some someone something sometimes soon sorry sounds start started
    still stuff such sure take taken taking talk talking tell thank thanks that thing things think thinking this those
    though thought three time times today together told tomorrow tonight took totally tried true trying until used very
    wait walk want wanted wants week weekend weeks well went whole without wonderful work working world worth would
    wow yeah year years yes yesterday yours yourself image bottom
    amazing awesome beautiful blast cool difference huge important photo photography photos
    picture pictures sign special
    january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """.split()  # noqa: SIM905
)
"""Words of talk that are no subject, though no stop words of a search."""


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
