"""The searcher `bm25-context`: the archive's best steps or turns by BM25, as many as fit, answered from in one call."""

from __future__ import annotations

from memkit import VIEW_TOKENS, Analyzer, Answer, Memory, Model, Question, Reading, View, read_answer
from memkit_plugins.bm25.engine import UPDATE_HEAP_BYTES, Engine


class BM25Context:
    """Answers from the whole steps or turns that match the question best, in the order of the stream.

    `budget` tokens of them, those that share no term with the question last. The baseline of the reading view.
    `stemming` joins the forms of English words.
    """

    def __init__(self, *, model: Model, budget: int = VIEW_TOKENS, stemming: bool = True) -> None:
        self._model = model
        self._budget = budget
        self._analyzer = Analyzer(stemming=stemming)
        self._last: tuple[Memory, int, _RankedReading] | None = None

    async def answer(self, memory: Memory, question: Question) -> Answer:
        """The model's reply to the question with the view at hand. Raises ModelError."""
        view = self.view(memory, question)
        return await read_answer(self._model, question, view.text, shown=view.whole)

    def view(self, memory: Memory, question: Question) -> View:
        """What the model is shown."""
        units = len(memory.archive)
        if self._last is None or self._last[0] is not memory or self._last[1] != units:
            self._last = memory, units, _RankedReading(memory, self._analyzer)
        return self._last[2].view(question.text, self._budget)


class _RankedReading:
    """The archive's entries and an index of them in memory."""

    def __init__(self, memory: Memory, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._reading = Reading(memory.archive.units())
        self._engine = Engine.create(None)
        terms = (analyzer.terms(analyzer.words(entry.text)) for entry in self._reading.entries)
        self._engine.update((), ((0, at, words) for at, words in enumerate(terms) if words), heap=UPDATE_HEAP_BYTES)

    def view(self, question: str, budget: int) -> View:
        entries = len(self._reading.entries)
        terms = self._analyzer.query(question)
        ranking = [at for _, at in self._engine.hits(terms, entries, within=None)] if terms and entries else []
        return self._reading.whole_view(dict.fromkeys([*ranking, *range(entries)]), budget=budget)
