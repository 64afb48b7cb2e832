"""The verbatim builder: the stream copied into the store, one file a session."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.verbatim.builder import Verbatim

    registry.builder("verbatim", Verbatim)
