"""The judge of AMA-Bench's form: one question to a model, answered with yes or no."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memkit import Answer, Message, Model, Question, Request, Verdict, compose
from memkit_plugins.llm_judge.judge import UNPARSED
from memkit_plugins.llm_judge.quoting import ask, quote

if TYPE_CHECKING:
    from memkit import Memory

REPLY_TOKENS = 2048
"""Of AMA-Bench's own judge, as its temperature of 0 is."""
_WORD = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)


class YesNoJudge:
    """A model's yes or no: `correctness` 1 or 0. The last whole word `yes` or `no` of its reply decides.

    A reply without either gives no score, and the note then says `unparsed`: another measure is no substitute.
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    async def judge(self, question: Question, answer: Answer, memory: Memory | None) -> Verdict:
        """The verdict; without scores where the question has no gold. Raises ModelError."""
        if question.gold is None:
            return Verdict({}, note="the question has no gold answer")
        prompt = compose(
            "roles/judge-yes-no",
            task=quote(memory.manifest.task if memory else ""),
            question=ask(question),
            gold=quote(question.gold),
            answer=quote(answer.text),
        )
        request = Request((Message("user", prompt.text),), "judge", max_output_tokens=REPLY_TOKENS, temperature=0.0)
        text = (await self.model.complete(request)).message.content
        verdict = read_yes_no(text)
        if verdict is None:
            return Verdict({}, note=f"correctness: {UNPARSED}\n{text.strip()}".strip())
        return Verdict({"correctness": float(verdict)}, note=f"correctness: {text.strip()}")


def read_yes_no(text: str) -> bool | None:
    """The last whole word `yes` or `no` of a reply, whatever its case; None when there is neither."""
    words = _WORD.findall(text)
    return words[-1].lower() == "yes" if words else None
