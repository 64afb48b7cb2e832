"""Every judge that is installed keeps the promises of a judge, under each of its scorers."""

from __future__ import annotations

from memkit import Judge
from memkit.testing.suites import JudgeSuite
from memkit_plugins.token_f1 import TokenF1


class TestTokenF1(JudgeSuite):
    def make(self) -> Judge:
        return TokenF1()


class TestLoCoMoScorer(JudgeSuite):
    def make(self) -> Judge:
        return TokenF1(scorer="locomo")
