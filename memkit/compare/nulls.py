"""The null rows: what an answer is worth with no memory, with the text itself, and with the gold evidence."""

from __future__ import annotations

from functools import cached_property

from attrs import define

from memkit.contracts import Model
from memkit.locators import Locator
from memkit.prompts import compose
from memkit.records import Answer, Message, Question, Session, Stream
from memkit.runtime.loop import run_loop
from memkit.runtime.reader import read_answer
from memkit.transcript import render_options, render_turns, render_unit, session_heading
from memkit.view.contexts import long_context
from memkit.view.sheet import View


@define
class NullSearcher:
    """Answers without a memory. `tokens` is the budget of the long-context row."""

    row: str
    model: Model
    stream: Stream
    tokens: int

    async def answer(self, question: Question) -> Answer:
        """The model's reply to the question with the text this row grants, in one round and without tools."""
        if self.row == "oracle":
            return await read_answer(
                self.model, question, render_evidence(self.stream, question), shown=gold(self.stream, question)
            )
        if self.row == "long-context":
            return await read_answer(self.model, question, self._long_context.text, shown=self._long_context.whole)
        user = compose("roles/ask", question=question.text, options=render_options(question.options))
        messages = (Message("system", compose("roles/closed-book").text), Message("user", user.text))
        done = await run_loop(self.model, messages, (), role="search")
        return Answer(done.text, (), done.end, done.effort, messages=done.messages)

    @cached_property
    def _long_context(self) -> View:
        return long_context(self.stream.units, self.tokens)


def gold(stream: Stream, question: Question) -> tuple[Locator, ...]:
    """The marked turns or steps that the stream has, in stream order."""
    wanted = set(question.evidence)
    places = (place for unit in stream.units for place in (unit.turns if isinstance(unit, Session) else (unit,)))
    return tuple(place.locator for place in places if place.locator in wanted)


def render_evidence(stream: Stream, question: Question) -> str:
    """The marked turns or steps alone, each session under its date, in stream order."""
    wanted = set(question.evidence)
    parts = []
    for unit in stream.units:
        if isinstance(unit, Session):
            turns = [turn for turn in unit.turns if turn.locator in wanted]
            parts.append(session_heading(unit) + render_turns(turns) if turns else "")
        elif unit.locator in wanted:
            parts.append(render_unit(unit))
    return "".join(parts)
