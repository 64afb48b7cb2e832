"""Every judge of ours keeps the promises of a judge, under each of its scorers, and whatever its model says."""

from __future__ import annotations

from memkit import Judge
from memkit.testing.scripted import ScriptedModel
from memkit.testing.suites import JudgeSuite
from memkit_plugins.event_set import EventSet
from memkit_plugins.exact import Exact
from memkit_plugins.extractive.model import Extractive
from memkit_plugins.llm_judge.judge import LlmJudge
from memkit_plugins.llm_judge.yes_no import YesNoJudge
from memkit_plugins.token_f1 import TokenF1


class TestTokenF1(JudgeSuite):
    def make(self) -> Judge:
        return TokenF1()


class TestLoCoMoScorer(JudgeSuite):
    def make(self) -> Judge:
        return TokenF1(scorer="locomo")


class TestExact(JudgeSuite):
    def make(self) -> Judge:
        return Exact()


class TestEventSet(JudgeSuite):
    def make(self) -> Judge:
        return EventSet()


class TestLlm(JudgeSuite):
    """With a model that says one thing about correctness and gives three grades."""

    def make(self) -> Judge:
        right = '{"reasoning": "It agrees.", "score": 1}'
        graded = '{"reasoning": "", "citation_correctness": 1, "citation_relevance": 0.5, "coherent_aggregation": 0}'
        return LlmJudge(ScriptedModel([right, graded]))


class TestLlmUnparsed(JudgeSuite):
    """With a model that never gives a score."""

    def make(self) -> Judge:
        return LlmJudge(Extractive())


class TestYesNo(JudgeSuite):
    """With a model that always agrees."""

    def make(self) -> Judge:
        return YesNoJudge(ScriptedModel(["yes"]))
