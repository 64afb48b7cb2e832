"""Dataset `alfworld-log`: logs of agents in ALFWorld's text games. They hold no questions."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.alfworld_log.alfworld_log import AlfworldLog


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the dataset."""
    registry.dataset("alfworld-log", AlfworldLog)
