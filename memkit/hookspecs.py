"""The hooks memkit calls on plugins, and the marker plugins put on their implementations.

Each hook here has a heading with its exact signature in docs/reference/hooks.md and a test named
after it in tests/test_hookspecs.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from memkit.records import Check
    from memkit.registry import Registry

NAME = "memkit"
"""The pluggy project name and the entry-point group."""

hookspec = pluggy.HookspecMarker(NAME)
hookimpl = pluggy.HookimplMarker(NAME)


@hookspec
def memkit_register(registry: Registry) -> None:
    """Register this plugin's parts. Called once for each manager, before anything is looked up.

    Keep it cheap: name factories, and import what they need only when they are called.

    :param registry: has one method for each kind of part, such as `registry.builder("name", factory)`.
    """


@hookspec
def memkit_check_machine() -> list[Check]:
    """Say what this machine lacks for this plugin's parts to work, or to work at their best.

    Called by `memkit doctor` alone; it may take a second, and changes nothing.
    """
    return []
