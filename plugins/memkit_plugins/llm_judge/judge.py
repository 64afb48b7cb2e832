"""The judge: two questions to a model, each asked once more when the reply cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memkit import Answer, Message, Model, Prompt, Question, Request, Verdict, compose
from memkit_plugins.llm_judge.quoting import ask, cited_text, quote
from memkit_plugins.llm_judge.replies import Reading, Scale, read_reply

if TYPE_CHECKING:
    from memkit import Memory

RIGHT: Scale = frozenset({0.0, 1.0})
GRADES: Scale = frozenset({0.0, 0.5, 1.0})
ATTRIBUTION = ("citation_correctness", "citation_relevance", "coherent_aggregation")
"""What the model grades, under these names, of how an answer rests on what it cites."""
UNPARSED = "unparsed"
REPLY_TOKENS = 4096
"""Room for a reply with its reasons, and for a model that thinks first."""
AGAIN = "That is not the JSON object that was asked for. Reply with that object alone."
NOT_TOLD = "The conversation does not tell. The right answer says so, and gives nothing for an answer."
"""Stands for the gold of a question that cannot be answered."""


class LlmJudge:
    """A model's judgement: `correctness` 0 or 1, and of the citations three grades of 0, 0.5 or 1.

    `attribution: false` leaves the grades out, and half of the calls. `cited_tokens` is how much cited text of one
    answer the model is shown. A reply that cannot be read, twice, gives no score; the note then says `unparsed`.
    """

    def __init__(self, model: Model, *, attribution: bool = True, cited_tokens: int = 30_000) -> None:
        self.model = model
        self.attribution = attribution
        self.cited_tokens = cited_tokens

    async def judge(self, question: Question, answer: Answer, memory: Memory | None) -> Verdict:
        """`correctness`, called `abstention` where the question cannot be answered; absent without gold.

        With a memory the grades of `ATTRIBUTION` too. The note holds the model's reasons. Raises ModelError.
        """
        scores: dict[str, float] = {}
        notes: list[str] = []
        if question.gold is None and question.answerable:
            notes.append("the question has no gold answer")
        else:
            name = "correctness" if question.answerable else "abstention"
            reading = await self._ask(_correctness(question, answer), ("score",), RIGHT)
            notes.append(_note(name, reading))
            scores |= {name: reading.values["score"]} if reading else {}
        if self.attribution and memory is not None:
            cited = cited_text(answer, memory, self.cited_tokens)
            prompt = compose("roles/judge-attribution", question=ask(question), answer=quote(answer.text), cited=cited)
            reading = await self._ask(prompt, ATTRIBUTION, GRADES)
            notes.append(_note("attribution", reading))
            scores |= reading.values if reading else {}
        return Verdict(scores, note="\n".join(notes))

    async def _ask(self, prompt: Prompt, keys: Sequence[str], scale: Scale) -> Reading | None:
        """The reading of the model's reply, or of its second one; None when neither can be read."""
        messages = [Message("user", prompt.text)]
        text = await self._complete(messages)
        if reading := read_reply(text, keys, scale):
            return reading
        # An empty message of its own is what some providers refuse.
        messages += [Message("assistant", text)] if text.strip() else []
        messages.append(Message("user", AGAIN))
        return read_reply(await self._complete(messages), keys, scale)

    async def _complete(self, messages: Sequence[Message]) -> str:
        request = Request(tuple(messages), "judge", max_output_tokens=REPLY_TOKENS)
        return (await self.model.complete(request)).message.content


def _correctness(question: Question, answer: Answer) -> Prompt:
    gold = question.gold or ""
    if not question.answerable:
        gold = f"{NOT_TOLD} {gold}".strip()
    return compose("roles/judge-correctness", question=ask(question), gold=quote(gold), answer=quote(answer.text))


def _note(name: str, reading: Reading | None) -> str:
    return f"{name}: {reading.reasons if reading else UNPARSED}"
