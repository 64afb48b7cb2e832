"""One test for each hook memkit calls, named after it."""

from __future__ import annotations

import pluggy

from memkit import Check, Registry, hookimpl, hookspecs


class Plugin:
    """Registers one builder."""

    @hookimpl
    def memkit_register(self, registry: Registry) -> None:
        """Register it."""
        registry.builder("shout", dict)

    @hookimpl
    def memkit_check_machine(self) -> list[Check]:
        """Miss something."""
        return [Check("voice", ok=False, found="hoarse", mend="drink tea")]


def test_memkit_register() -> None:
    """The hook hands the plugin a registry, on which it registers its parts."""
    manager = pluggy.PluginManager(hookspecs.NAME)
    manager.add_hookspecs(hookspecs)
    manager.register(Plugin())
    registry = Registry()

    manager.hook.memkit_register(registry=registry)

    assert ["shout"] == registry.names("builder")


def test_memkit_check_machine() -> None:
    """The hook gives what a plugin found on this machine, each with its mend."""
    manager = pluggy.PluginManager(hookspecs.NAME)
    manager.add_hookspecs(hookspecs)
    manager.register(Plugin())

    assert [[Check("voice", ok=False, found="hoarse", mend="drink tea")]] == manager.hook.memkit_check_machine()
