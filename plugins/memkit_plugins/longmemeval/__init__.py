"""Dataset `longmemeval`: chats of a user with an assistant, one question each (Wu et al. 2025)."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.longmemeval.longmemeval import LongMemEval


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the dataset."""
    registry.dataset("longmemeval", LongMemEval)
