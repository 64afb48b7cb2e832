"""Dataset `git`: the commits of a repository as steps. It holds no questions."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.git_history.git_history import GitHistory


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the dataset."""
    registry.dataset("git", GitHistory)
