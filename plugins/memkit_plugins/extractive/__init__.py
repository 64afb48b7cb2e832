"""The embedded model `memkit/extractive`: every role by deterministic rules, with no key and no network."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.extractive.model import Extractive

    registry.model("memkit/extractive", Extractive)
