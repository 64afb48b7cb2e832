"""The builder `foldered`: the verbatim dump, its files sorted into folders by a managing agent."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.foldered.builder import Foldered

    registry.builder("foldered", Foldered)
