"""What every searcher promises."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar, get_args

import pytest
from attrs import evolve
from hypothesis import given

from memkit.citations import resolve_citation
from memkit.contracts import Searcher
from memkit.locators import Locator
from memkit.memory import Memory
from memkit.records import Answer, End, Layout, Question
from memkit.testing.samples import QUESTIONS, contents, sample_memory
from memkit.testing.strategies import texts


class SearcherSuite:
    """Subclass and fill in `make`. A searcher with a model gets one that says the same each time."""

    layout: ClassVar[Layout] = "flat"
    """Of the memory that is searched."""
    patience: ClassVar[float] = 60.0
    """Seconds after which a search counts as endless."""

    def make(self) -> Searcher:
        """A new searcher."""
        raise NotImplementedError

    @pytest.fixture
    def memory(self, tmp_path: Path) -> Memory:
        """The memory searched: the sample chat; override it for another."""
        return sample_memory(tmp_path / "memory", self.layout)

    def test_fits_its_contract(self) -> None:
        """It has the method of a searcher."""
        assert isinstance(self.make(), Searcher)

    def test_answers_every_question(self, memory: Memory) -> None:
        """Open, dated, multiple choice or without an answer: each gets an Answer that says how it ended."""
        for question in QUESTIONS:
            answer = self._answer(memory, question)

            assert answer.end in get_args(End)
            assert answer.text.strip() or answer.end != "answered"

    def test_the_gold_is_not_read(self, memory: Memory) -> None:
        """Without gold and evidence, or with wrong ones, the answer is the same."""
        for question in QUESTIONS:
            blind = evolve(question, gold=None, evidence=(), category="", answerable=True)
            misled = evolve(
                question, gold="a red herring", evidence=(Locator("S", 9, 9),), answerable=not question.answerable
            )
            answers = [self._answer(memory, asked) for asked in (question, blind, misled)]

            assert answers[0].text == answers[1].text == answers[2].text
            assert answers[0].citations == answers[1].citations == answers[2].citations

    def test_citations_resolve(self, memory: Memory) -> None:
        """Every citation points at a place in the store."""
        for question in QUESTIONS:
            for citation in self._answer(memory, question).citations:
                assert resolve_citation(citation, memory.store).text.strip()

    def test_the_store_stays_as_it_is(self, memory: Memory) -> None:
        """Searching changes no file."""
        before = contents(memory.store)
        for question in QUESTIONS:
            self._answer(memory, question)

        assert before == contents(memory.store)

    def test_any_question_ends(self, memory: Memory) -> None:
        """Whatever is asked, the search comes to an end."""

        @given(texts())
        def check(text: str) -> None:
            assert self._answer(memory, Question("any", text)).end in get_args(End)

        check()

    def _answer(self, memory: Memory, question: Question) -> Answer:
        async def search() -> Answer:
            async with asyncio.timeout(self.patience):
                return await self.make().answer(memory, question)

        answer = asyncio.run(search())
        assert isinstance(answer, Answer)
        return answer
