"""The runner `local`: the processes of this machine."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.local.runner import Local

    registry.runner("local", Local)
