"""The null rows: what an answer is worth with no memory, with the text itself, and with the gold evidence."""

from __future__ import annotations

from functools import cached_property

from attrs import define, evolve

from memkit.contracts import Model
from memkit.locators import Locator, find_locators
from memkit.prompts import compose
from memkit.records import Answer, Message, Question, Session, Stream
from memkit.runtime.loop import run_loop
from memkit.tokens import count_tokens, cut_tokens
from memkit.transcript import render_options, render_turns, render_unit, session_heading

HEAD_SHARE = 0.7
"""Long-context keeps the first 70 % and the last 30 % of its budget (ledger paper, long-context baseline)."""
OMITTED = "\n[... left out here to fit the budget ...]\n"


@define
class NullSearcher:
    """Answers without a memory. `tokens` is the budget of the long-context row."""

    row: str
    model: Model
    stream: Stream
    tokens: int

    async def answer(self, question: Question) -> Answer:
        """The model's reply to the question with the text this row grants, in one round and without tools."""
        options = render_options(question.options)
        if self.row == "closed-book":
            context, system = "", compose("roles/closed-book").text
            user = compose("roles/ask", question=question.text, options=options).text
        else:
            context = render_evidence(self.stream, question) if self.row == "oracle" else self._long_context
            system = compose("roles/in-context").text
            user = compose("roles/ask-in-context", context=context, question=question.text, options=options).text
        done = await run_loop(self.model, (Message("system", system), Message("user", user)), (), role="search")
        served = gold(self.stream, question) if self.row == "oracle" else tuple(dict.fromkeys(find_locators(context)))
        effort = evolve(done.effort, served=served, served_tokens=count_tokens(context))
        return Answer(done.text, (), done.end, effort, messages=done.messages)

    @cached_property
    def _long_context(self) -> str:
        return fit_context("".join(map(render_unit, self.stream.units)), self.tokens)


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


def fit_context(text: str, tokens: int) -> str:
    """`text` whole when it fits, else its first 70 % and last 30 % of `tokens`, cut at line breaks, the gap marked.

    Never over the budget; one too small for the mark holds the beginning alone.
    """
    if count_tokens(text) <= tokens:
        return text
    room = tokens - count_tokens(OMITTED)
    while room > 0:
        head = _whole_lines(cut_tokens(text, int(room * HEAD_SHARE)))
        fitted = head + OMITTED + _last_lines(text[len(head) :], room - int(room * HEAD_SHARE))
        # The counts of parts do not quite add up to the count of the whole.
        if (over := count_tokens(fitted) - tokens) <= 0:
            return fitted
        room -= over
    return cut_tokens(text, tokens)


def _whole_lines(text: str) -> str:
    """`text` up to its last line break, or all of it when it has none."""
    return text[: text.rfind("\n") + 1] or text


def _last_lines(text: str, limit: int) -> str:
    """As many whole lines from the end of `text` as `limit` tokens hold."""
    start = len(text)
    while start > 0:
        begin = text.rfind("\n", 0, start - 1) + 1
        limit -= count_tokens(text[begin:start])
        if limit < 0:
            break
        start = begin
    return text[start:]
