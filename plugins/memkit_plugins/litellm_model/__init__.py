"""The model `litellm`: any provider's model, by the name `provider/model`, through the library of that name."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.litellm_model.model import ProviderModel

    registry.model("litellm", ProviderModel)
