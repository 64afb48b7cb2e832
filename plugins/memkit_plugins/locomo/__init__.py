"""Datasets `locomo` and `realtalk`: two corpora of long chats in one family of formats."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.locomo.locomo import LoCoMo
from memkit_plugins.locomo.realtalk import RealTalk


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register both datasets."""
    registry.dataset("locomo", LoCoMo)
    registry.dataset("realtalk", RealTalk)
