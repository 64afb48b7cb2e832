"""Finding plugins: entry points of the group `memkit`, ours and strangers' alike."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points

import pluggy

from memkit import hookspecs
from memkit.errors import MemkitError, PluginError
from memkit.records import Check
from memkit.registry import Registry, Source

ENVIRONMENT = "MEMKIT_PLUGINS"
"""Names of entry points to load, separated by commas; unset means all."""


def build_registry(*, only: Collection[str] | None = None, accept_unsandboxed: bool = False) -> Registry:
    """Load every plugin (or `only` those entry points) and let each register its parts.

    `accept_unsandboxed` lets a model's commands run where no sandbox works; only a person may say so.
    Nothing is cached: two calls give two registries. Raises PluginError naming the distribution,
    the entry point and the cause when one fails to load; a missing contender would falsify a comparison.
    """
    manager = _manager()
    registry = Registry(accept_unsandboxed=accept_unsandboxed)
    for point in _chosen(only):
        plugin = _load(manager, point)
        registry.attribute_to(_source(point))
        # Called one plugin at a time, so that the registry knows who registers what.
        others = [other for other in manager.get_plugins() if other is not plugin]
        with _blaming(point, "fails to register"):
            manager.subset_hook_caller("memkit_register", others)(registry=registry)
    return registry


def check_machine(*, only: Collection[str] | None = None) -> list[Check]:
    """What every plugin (or those of `only`) says of this machine. Raises PluginError as `build_registry` does."""
    checks: list[Check] = []
    for point in _chosen(only):
        manager = _manager()
        _load(manager, point)
        with _blaming(point, "fails to check this machine"):
            checks += [check for found in manager.hook.memkit_check_machine() for check in found]
    return checks


def _manager() -> pluggy.PluginManager:
    manager = pluggy.PluginManager(hookspecs.NAME)
    manager.add_hookspecs(hookspecs)
    return manager


def _chosen(only: Collection[str] | None) -> list[EntryPoint]:
    if only is None and (narrowed := os.environ.get(ENVIRONMENT)):
        only = {name.strip() for name in narrowed.split(",") if name.strip()}
    points = [point for point in _entry_points() if only is None or point.name in only]
    if unmet := set(only or ()) - {point.name for point in points}:
        raise PluginError(f"no installed plugin is called {', '.join(sorted(unmet))}; `memkit plugins` lists them")
    return points


def _entry_points() -> list[EntryPoint]:
    # Of two copies of one distribution on the path this takes the one that Python imports.
    return sorted(entry_points(group=hookspecs.NAME), key=lambda point: (_source(point).distribution, point.name))


def _source(point: EntryPoint) -> Source:
    return Source(point.dist.name, point.dist.version) if point.dist else Source("unknown", "0")


def _load(manager: pluggy.PluginManager, point: EntryPoint) -> object:
    with _blaming(point, "does not load"):
        module = point.load()
        manager.register(module, name=f"{_source(point).distribution}:{point.name}")
        manager.check_pending()
    if not manager.get_hookcallers(module):
        raise PluginError(f"{_who(point)} implements no memkit hook; mark its functions with memkit.hookimpl")
    loaded: object = module
    return loaded


@contextmanager
def _blaming(point: EntryPoint, what: str) -> Iterator[None]:
    """Whatever a plugin raises, under its name."""
    try:
        yield
    except MemkitError:
        raise
    except Exception as error:
        raise PluginError(f"{_who(point)} {what}: {type(error).__name__}: {error}") from error


def _who(point: EntryPoint) -> str:
    source = _source(point)
    return f"plugin {point.name!r} ({point.value}) of {source.distribution} {source.version}"
