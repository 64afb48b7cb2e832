"""The searchers: a model reads a view of the stream, and what was computed over its ledger."""

from __future__ import annotations

from typing import ClassVar

from attrs import evolve, field, frozen

from memkit import (
    Answer,
    Memory,
    Model,
    Question,
    Route,
    View,
    attaches,
    compiled_load,
    finding,
    long_context,
    read_answer,
    render_results,
)
from memkit_plugins.tally.planners import Planner
from memkit_plugins.tally.source import Source


@frozen
class Viewing:
    """Which view of the stream a question gets."""

    budget: int
    as_published: bool = False
    counter: bool = False

    def of(self, source: Source, memory: Memory, question: Question) -> View:
        """The view, of at most `budget` tokens."""
        reading = source.reading(memory)
        return reading.view(question.text, budget=self.budget, as_published=self.as_published, counter=self.counter)


@frozen
class ViewSearcher:
    """TM: the model answers from the reading view."""

    model: Model
    viewing: Viewing
    _source: Source = field(factory=Source, init=False, repr=False)

    async def answer(self, memory: Memory, question: Question) -> Answer:
        """One call over the view. Raises ModelError."""
        view = self.viewing.of(self._source, memory, question)
        return await read_answer(self.model, question, view.text, shown=view.whole)


@frozen
class LongContextSearcher:
    """The model answers from the beginning and the end of the stream."""

    model: Model
    budget: int

    async def answer(self, memory: Memory, question: Question) -> Answer:
        """One call over what fits. Raises ModelError."""
        view = long_context(memory.archive.units(), self.budget)
        return await read_answer(self.model, question, view.text, shown=view.whole)


@frozen
class LedgerSearcher:
    """TallyMem: what a planner computes over the ledger goes to the model beside the view, where the router says so.

    Without it the prompt is that of the view alone. What was computed is in the answer's findings in any case, with
    the rows it rests on.
    """

    model: Model
    planner: Planner
    viewing: Viewing
    route: Route = "above"
    zeros: bool = True
    source: Source = field(factory=Source, repr=False)
    computes: ClassVar[bool] = True

    async def answer(self, memory: Memory, question: Question) -> Answer:
        """Compute, view, and one call over both. Raises ModelError, and DataError for a damaged ledger."""
        ledger = self.source.ledger(memory)
        computed = await self.planner.compute(question, ledger, zeros=self.zeros)
        view = self.viewing.of(self.source, memory, question)
        load = compiled_load(computed.results)
        attached = attaches(self.route, load)
        answer = await read_answer(
            self.model,
            question,
            view.text,
            shown=view.whole,
            computed=render_results(computed.results, ledger.rows) if attached else "",
            findings=[finding(result, ledger.rows) for result in computed.results],
        )
        calls = (*computed.usages, *answer.effort.model_calls)
        return evolve(answer, load=load, effort=evolve(answer.effort, model_calls=calls))
