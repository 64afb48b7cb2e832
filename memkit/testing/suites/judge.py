"""What every judge promises."""

from __future__ import annotations

import asyncio
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memkit.citations import find_citations
from memkit.contracts import Judge
from memkit.memory import Memory
from memkit.records import Answer, Question, Verdict
from memkit.testing.samples import QUESTIONS, sample_memory
from memkit.testing.strategies import texts


class JudgeSuite:
    """Subclass and fill in `make`. A judge with a model gets one that says the same each time."""

    def make(self) -> Judge:
        """A new judge."""
        raise NotImplementedError

    def test_fits_its_contract(self) -> None:
        """It has the method of a judge."""
        assert isinstance(self.make(), Judge)

    def test_scores_are_within_0_and_1(self, tmp_path: Path) -> None:
        """For any answer, with a memory or without: named numbers from 0 to 1."""
        memory = sample_memory(tmp_path / "memory", "flat")

        @given(st.sampled_from(QUESTIONS), texts(), st.sampled_from((memory, None)))
        def check(question: Question, text: str, seen: Memory | None) -> None:
            verdict = self._judge(question, text, seen)

            assert all(name.strip() for name in verdict.scores)
            assert all(0 <= score <= 1 for score in verdict.scores.values())

        check()

    def test_the_gold_is_no_worse_than_nothing(self) -> None:
        """The right answer scores at least what an empty one does, under every name."""
        for question in QUESTIONS:
            if question.gold:
                right, empty = self._judge(question, f"{question.gold}.", None), self._judge(question, "", None)

                assert right.scores.keys() == empty.scores.keys()
                assert all(right.scores[name] >= score for name, score in empty.scores.items())

    def test_a_question_without_gold_is_no_crash(self) -> None:
        """Data without answers is judged as far as it goes."""
        verdict = self._judge(Question("bare", "Where is the kite?"), "In Porto [/memories/session_01.md].", None)

        assert isinstance(verdict, Verdict)

    def _judge(self, question: Question, text: str, memory: Memory | None) -> Verdict:
        return asyncio.run(self.make().judge(question, Answer(text, find_citations(text)), memory))
