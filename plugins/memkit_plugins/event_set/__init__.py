"""Judge `event-set`: what an answer was computed from against the marked events, and its value, with no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memkit import Answer, Question, Registry, Verdict, hookimpl
from memkit_plugins.event_set.events import score_events
from memkit_plugins.event_set.values import same_value, stated_format

if TYPE_CHECKING:
    from memkit import Memory


class EventSet:
    """Compares the rows of the best of an answer's findings, or of their groups, with the question's evidence.

    The scores `event_exact`, `event_precision`, `event_recall` and `event_f1` follow the ledger paper's appendix H:
    exact is 1 when some finding or group selects exactly the marked events; the other three are those of the
    candidate with the highest F1, and 0 where nothing was computed. `value` is 1 when the value in the answer,
    read in the format that the question states, is the gold.
    """

    async def judge(self, question: Question, answer: Answer, memory: Memory | None) -> Verdict:  # noqa: ARG002
        """No event scores for a question without evidence, no `value` for one that states no format or has no gold."""
        scores: dict[str, float] = {}
        notes = []
        if question.evidence:
            scores |= score_events(answer.findings, question.evidence)
        else:
            notes.append("the question marks no events")
        form = stated_format(question.text)
        if form is None or question.gold is None:
            notes.append("the question states no format of its answer" if form is None else "the question has no gold")
        else:
            scores["value"] = float(same_value(form, answer.text, question.gold))
        return Verdict(scores, note="; ".join(notes))


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the judge."""
    registry.judge("event-set", EventSet)
