"""Judge `llm`: a model says whether an answer is right, and whether what it cites supports it."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.llm_judge.judge import LlmJudge


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the judge."""
    registry.judge("llm", LlmJudge)
