"""Judge `exact`: multiple choice by exact match, with no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memkit import Answer, Question, Registry, Verdict, hookimpl

if TYPE_CHECKING:
    from memkit import Memory


class Exact:
    """1 when the answer chooses the right one of the options, by letter or by text, else 0."""

    async def judge(self, question: Question, answer: Answer, memory: Memory | None) -> Verdict:  # noqa: ARG002
        """The score `exact`; none for a question without options, without gold, or that cannot be answered."""
        # Imported late: the scorers bring a parser of markdown, which listing plugins does without.
        from memkit import exact_option

        if not question.options:
            return Verdict({}, note="the question has no options")
        if not question.answerable or question.gold is None:
            return Verdict({}, note="none of the options is marked as right")
        return Verdict({"exact": exact_option(question, answer.text)})


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the judge."""
    registry.judge("exact", Exact)
