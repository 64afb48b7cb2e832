"""The builder `rolling-summary`: one text, rewritten by a model for each chunk."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.rolling_summary.builder import RollingSummary

    registry.builder("rolling-summary", RollingSummary)
