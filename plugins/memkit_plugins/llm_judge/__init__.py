"""Judges `llm` and `ama`: a model says whether an answer is right; `llm`, whether what it cites supports it too."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.llm_judge.judge import LlmJudge
from memkit_plugins.llm_judge.yes_no import YesNoJudge


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the judges."""
    registry.judge("llm", LlmJudge)
    registry.judge("ama", YesNoJudge)
