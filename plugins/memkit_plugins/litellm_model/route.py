"""What litellm knows of a model before it is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from attrs import frozen

from memkit import PermanentModelError
from memkit_plugins.litellm_model.marks import must_be_asked


@frozen
class Route:
    """A model's provider, its name there, and the longest reply in tokens when that is known.

    `marks` says whether the provider caches a prompt only where it is marked.
    """

    provider: str
    model: str
    longest_reply: int | None
    marks: bool


def find_route(litellm: Any, name: str, api_base: str | None) -> Route:
    """The route to the model `name`; PermanentModelError, with the nearest name, for an unknown provider."""
    try:
        model, provider, _, _ = litellm.get_llm_provider(name, api_base=api_base)
    except Exception:  # noqa: BLE001 - whatever it raises, it knows no such provider
        first = name.partition("/")[0]
        near = get_close_matches(first, [str(getattr(known, "value", known)) for known in litellm.provider_list], n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise PermanentModelError(f"{name}: litellm knows no provider called {first!r}{hint}") from None
    known = litellm.model_cost.get(name) or litellm.model_cost.get(model) or {}
    longest = known.get("max_output_tokens")
    longest_reply = longest if isinstance(longest, int) and longest > 0 else None
    return Route(str(provider), model, longest_reply, must_be_asked(litellm, str(provider), model))


def untaken(litellm: Any, route: Route, chosen: Mapping[str, Any]) -> Iterator[str]:
    """Which of the `chosen` parameters do not change what litellm sends: it drops them without a word."""

    def sent(**parameters: Any) -> dict[str, Any]:
        mapped: dict[str, Any] = litellm.utils.get_optional_params(
            model=route.model, custom_llm_provider=route.provider, drop_params=True, **parameters
        )
        return mapped

    for name, value in chosen.items():
        if sent(**{name: value}) == sent():
            yield name
