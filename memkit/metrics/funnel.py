"""Where the evidence of a question was lost on its way into the answer: by locators, and without a model.

Gold evidence is in the archive, is kept by the builder, can be reached by a search, is served to the model, is cited;
then there is an answer, and it is right. A place that came further was also in all stages before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeAlias, get_args

from attrs import frozen

from memkit.citations import find_citations, resolve_citation
from memkit.errors import StoreError
from memkit.locators import Locator, find_locators
from memkit.metrics.reach import FOUND, Reach
from memkit.metrics.text import abstains
from memkit.records import Answer, Finding, Question
from memkit.store.files import Store

Stage: TypeAlias = Literal["archive", "kept", "reachable", "served", "cited", "answered", "judged"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Computation: TypeAlias = Literal["right", "declined", "not grounded", "wrong event set", "misread"]
"""What became of what was computed over the event ledger (ledger paper, section 8 and appendix H)."""
JUDGEMENTS = ("correctness", "abstention", "exact", "value", "answer_f1")
"""Scores that say whether an answer is right, the one that says it best first."""
RIGHT_FROM = 0.5
"""From this score on an answer counts as right where it must be one or the other."""
RIGHT, UNKNOWN = "right", "unknown"


@frozen
class Funnel:
    """How far the gold evidence of one question came. Each stage is a subset of the one before it.

    A stage is None where it does not apply: a null row keeps and finds nothing, and an answer without any citation
    cites none. `lost_at` is the first stage at which a place was missing from an answer that is wrong, empty for a
    right one, None where nobody judged it. `computation` is None for a searcher that computes nothing, and where
    the data do not tell the events.
    """

    gold: tuple[Locator, ...]
    archive: tuple[Locator, ...] | None
    kept: tuple[Locator, ...] | None
    reachable: tuple[Locator, ...] | None
    served: tuple[Locator, ...]
    cited: tuple[Locator, ...] | None
    answered: bool
    lost_at: Stage | Literal[""] | None
    computation: Computation | None = None

    @property
    def stages(self) -> Iterator[tuple[Stage, tuple[Locator, ...]]]:
        """The stages of evidence that apply, in order."""
        found = (self.archive, self.kept, self.reachable, self.served, self.cited)
        yield from ((name, places) for name, places in zip(STAGES, found, strict=False) if places is not None)


@frozen
class Held:
    """What of the gold a memory holds: in its archive, in its store (None where it has none), found by a search."""

    archive: frozenset[Locator]
    kept: frozenset[Locator] | None
    found: frozenset[Locator]


def held(reach: Reach, question: Question, archived: Collection[Locator], *, stored: bool) -> Held:
    """Look for the evidence among the passages of a memory: of its store, or of its archive unless `stored`."""
    ranks = reach.ranks(question.text, question.evidence)
    kept = frozenset(place for place in question.evidence if reach.holding(place)) if stored else None
    found = frozenset(place for place, rank in ranks.items() if rank <= FOUND)
    return Held(frozenset(archived), kept, found)


def follow(
    question: Question,
    answer: Answer,
    *,
    right: bool | None,
    held: Held | None,
    cited: Collection[Locator] | None,
    computes: bool = False,
) -> Funnel:
    """The funnel of an answer. `held` is None for a row without a memory, `cited` for an answer that cites nothing.

    What marks the premise of a question that cannot be answered is no evidence for an answer: it has no gold.
    """
    gold = tuple(dict.fromkeys(question.evidence)) if question.answerable else ()
    served = frozenset(answer.effort.served)
    marks: list[Collection[Locator] | None] = [None, None, None, served, cited]
    if held is not None:
        marks[:3] = held.archive, None if held.kept is None else held.kept | served, held.found | served
    stages: list[tuple[Locator, ...] | None] = []
    left = gold
    for places in marks:
        if places is not None:
            left = tuple(place for place in left if place in places)
        stages.append(None if places is None else left)
    said = answer.end == "answered" and bool(answer.text.strip())
    answered = said and not (question.answerable and abstains(answer.text))
    computed = _computation(answer.findings, gold, right=right) if computes or answer.findings else None
    lost: Stage | Literal[""] | None = None if right is None else ""
    if right is False:
        # Whoever had the very events computed needed none of them served.
        gaps = [] if computed == "misread" else _gaps(gold, stages)
        lost = gaps[0] if gaps else "judged" if answered else "answered"
    archive, kept, reachable, _, told = stages
    return Funnel(gold, archive, kept, reachable, stages[3] or (), told, answered, lost, computed)


def _gaps(gold: Sequence[Locator], stages: Iterable[Collection[Locator] | None]) -> list[Stage]:
    """The stages without all of the gold, in order."""
    return [
        stage for stage, places in zip(STAGES, stages, strict=False) if places is not None and len(places) < len(gold)
    ]


def _computation(findings: Sequence[Finding], gold: Collection[Locator], *, right: bool | None) -> Computation | None:
    """Exact is a finding, or one of its groups, that rests on the gold's events and no other."""
    if right is None:
        return None
    if right:
        return "right" if findings else None
    if not findings:
        return "declined"
    if all(finding.status == "ungrounded" for finding in findings):
        return "not grounded"
    if not gold:  # the data do not tell the events
        return None
    sets = (rows for finding in findings for rows in (finding.rows, *finding.groups.values()))
    return "misread" if any(set(rows) == set(gold) for rows in sets) else "wrong event set"


def cited_places(answer: Answer, store: Store | None) -> frozenset[Locator] | None:
    """The locators in what an answer cites, and those it writes itself; None when it cites nothing at all."""
    citations = tuple(dict.fromkeys((*answer.citations, *find_citations(answer.text))))
    places = set(find_locators(answer.text))
    if not citations and not places:
        return None
    if store is not None:
        for citation in citations:
            with suppress(StoreError):  # what does not exist holds nothing
                places.update(resolve_citation(citation, store).locators)
    return frozenset(places)


def is_right(scores: Mapping[str, float]) -> bool | None:
    """Whether the scores of a judge say so; None when none does. Of a name that is not known, one alone does."""
    name = next((name for name in JUDGEMENTS if name in scores), next(iter(scores)) if len(scores) == 1 else None)
    return None if name is None else scores[name] >= RIGHT_FROM


def totals(labels: Iterable[str | None]) -> dict[str, int]:
    """How many answers each label of `lost_at` has, in the order of the stages: right ones first, unknown ones last."""
    counts = Counter(UNKNOWN if label is None else label or RIGHT for label in labels)
    return {label: counts[label] for label in (RIGHT, *STAGES, UNKNOWN) if counts[label]}
