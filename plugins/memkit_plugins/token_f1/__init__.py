"""Judges `token-f1` and `locomo`: answers scored by their words, with no model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from memkit import Answer, Question, Registry, Verdict, hookimpl

if TYPE_CHECKING:
    from memkit import Memory


class TokenF1:
    """Token F1 of an answer's first sentence against the gold; the exact choice where there are options.

    `scorer`: `f1` treats every question alike, `locomo` follows LoCoMo's rule for the question's category. A question
    the stream cannot answer has a score of its own, `abstention`: mixed into F1, it would reward knowing nothing.
    """

    def __init__(self, *, scorer: Literal["f1", "locomo"] = "f1") -> None:
        # Imported late: the scorers bring a parser of markdown, which listing plugins does without.
        from memkit import f1_score, locomo_score

        self.score = {"f1": f1_score, "locomo": locomo_score}[scorer]

    async def judge(self, question: Question, answer: Answer, memory: Memory | None) -> Verdict:  # noqa: ARG002
        """Scores `answer_f1`, and `exact` where there are options; `abstention` alone for an unanswerable question.

        Without gold an answerable question has no score.
        """
        from memkit import exact_option

        if not question.answerable:
            return Verdict({"abstention": self.score(question, answer.text)})
        if question.gold is None:
            return Verdict({}, note="the question has no gold answer")
        scores = {"answer_f1": self.score(question, answer.text)}
        if question.options:
            scores["exact"] = exact_option(question, answer.text)
        return Verdict(scores)


def locomo() -> TokenF1:
    """LoCoMo's own scorer: `token-f1` with `scorer: locomo`."""
    return TokenF1(scorer="locomo")


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the judge under both names."""
    registry.judge("token-f1", TokenF1)
    registry.judge("locomo", locomo)
