"""Finding plugins: entry points of the group `memkit`, ours and strangers' alike."""

from __future__ import annotations

import os
from collections.abc import Collection
from importlib.metadata import EntryPoint, entry_points

import pluggy

from memkit import hookspecs
from memkit.errors import MemkitError, PluginError
from memkit.registry import Registry, Source

ENVIRONMENT = "MEMKIT_PLUGINS"
"""Names of entry points to load, separated by commas; unset means all."""


def build_registry(*, only: Collection[str] | None = None) -> Registry:
    """Load every plugin (or `only` those entry points) and let each register its parts.

    Nothing is cached: two calls give two registries. Raises PluginError naming the distribution,
    the entry point and the cause when one fails to load; a missing contender would falsify a comparison.
    """
    if only is None and (narrowed := os.environ.get(ENVIRONMENT)):
        only = {name.strip() for name in narrowed.split(",") if name.strip()}
    manager = pluggy.PluginManager(hookspecs.NAME)
    manager.add_hookspecs(hookspecs)
    registry = Registry()
    unmet = set(only or ())
    for point in _entry_points():
        if only is None or point.name in only:
            unmet.discard(point.name)
            _load(manager, registry, point)
    if unmet:
        raise PluginError(f"no installed plugin is called {', '.join(sorted(unmet))}; `memkit plugins` lists them")
    return registry


def _entry_points() -> list[EntryPoint]:
    # Of two copies of one distribution on the path this takes the one that Python imports.
    return sorted(entry_points(group=hookspecs.NAME), key=lambda point: (_source(point).distribution, point.name))


def _source(point: EntryPoint) -> Source:
    return Source(point.dist.name, point.dist.version) if point.dist else Source("unknown", "0")


def _load(manager: pluggy.PluginManager, registry: Registry, point: EntryPoint) -> None:
    source = _source(point)
    who = f"plugin {point.name!r} ({point.value}) of {source.distribution} {source.version}"
    try:
        module = point.load()
        manager.register(module, name=f"{source.distribution}:{point.name}")
        manager.check_pending()
    except Exception as error:
        raise PluginError(f"{who} does not load: {type(error).__name__}: {error}") from error
    if not manager.get_hookcallers(module):
        raise PluginError(f"{who} implements no memkit hook; mark its functions with memkit.hookimpl")
    # Called one plugin at a time, so that the registry knows who registers what.
    registry.attribute_to(source)
    others = [plugin for plugin in manager.get_plugins() if plugin is not module]
    try:
        manager.subset_hook_caller("memkit_register", others)(registry=registry)
    except MemkitError:
        raise
    except Exception as error:
        raise PluginError(f"{who} fails to register: {type(error).__name__}: {error}") from error
