"""From the name a user gives a model to the model."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from memkit.contracts import Model
from memkit.errors import PluginError
from memkit.registry import RESERVED, Registry

GATEWAY = "litellm"
"""The part that makes the model of any name that is not registered itself."""


def open_model(registry: Registry, name: str, options: Mapping[str, Any] | None = None, *, where: str = "") -> Model:
    """The model called `name`: a registered one, or else the `provider/model` that the part `litellm` reaches.

    Nothing is asked of a provider before the first call. Raises PluginError for a name that is neither,
    with the nearest registered one, and ConfigError, prefixed with `where`, for an option that does not fit.
    """
    registered = registry.names("model")
    if name == GATEWAY:
        raise PluginError(f"{GATEWAY!r} reaches any provider; name the model itself, such as openai/NAME")
    if name not in registered and GATEWAY in registered and not _names_a_provider(name):
        others = [other for other in registered if other != GATEWAY]
        near = get_close_matches(name, others, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(others)}, and any provider/model"
        raise PluginError(f"no model is called {name!r}; {hint}")
    if name in registered or GATEWAY not in registered:
        made: Model = registry.make("model", name, options, where=where)
    else:
        made = registry.make("model", GATEWAY, options, where=where or f"options of model {name!r}", model=name)
    return made


def _names_a_provider(name: str) -> bool:
    provider, slash, model = name.partition("/")
    return bool(provider and slash and model) and not name.startswith(RESERVED)
