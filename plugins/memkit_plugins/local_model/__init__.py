"""The model `memkit/local`: a GGUF file that the user names, run in this process with the library xllamacpp."""

from __future__ import annotations

from memkit import Check, Registry, UserError, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.local_model.model import LocalModel

    registry.model("memkit/local", LocalModel)


@hookimpl
def memkit_check_machine() -> list[Check]:
    """Whether the model can be loaded here; nothing where no file is named for it."""
    from memkit_plugins.local_model.weights import find_weights, named

    if not named():
        return []
    try:
        return [Check("model `memkit/local`", ok=True, found=str(find_weights()))]
    except UserError as error:
        return [Check("model `memkit/local`", ok=False, found=str(error))]
