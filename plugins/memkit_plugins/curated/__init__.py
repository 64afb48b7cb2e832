"""The builder `curated`: a managing agent that builds the store from nothing, chunk by chunk."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.curated.builder import Curated

    registry.builder("curated", Curated)
