"""The builder `reorganized`: the verbatim dump rewritten in passes by an organizing agent."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.reorganized.builder import Reorganized

    registry.builder("reorganized", Reorganized)
