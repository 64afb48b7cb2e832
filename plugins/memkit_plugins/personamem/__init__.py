"""Dataset `personamem`: what a user's preferences have become, in multiple choice (Jiang et al. 2025)."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.personamem.personamem import PersonaMem


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the dataset."""
    registry.dataset("personamem", PersonaMem)
