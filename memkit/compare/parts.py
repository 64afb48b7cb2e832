"""Checking what a spec names, place by place, before anything is made of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memkit.compare.arms import uses_of
from memkit.compare.cases import below
from memkit.compare.spec import PLACES, Factor, Spec, Use
from memkit.errors import ConfigError, PluginError
from memkit.models import open_model
from memkit.registry import Kind, Registry

_KINDS: dict[Factor, Kind] = {"harness": "harness", "builder": "builder", "searcher": "searcher"}
"""In this order: builders and searchers are made with a harness."""


def check_parts(spec: Spec, registry: Registry, *, where: str = "") -> None:
    """ConfigError, with its place in the spec that `where` names, for the first part that is not there or not whole."""
    uses = uses_of(spec.factors)
    for factor in ("search_model", "manage_model"):
        for place, use in _placed(factor, uses, where):
            _open(registry, use, place)
    judge_model = _open(registry, spec.judge_model, below(where, "judge_model"))
    chosen: dict[str, Any] = {"model": _open(registry, uses["search_model"][0], where)}
    for factor, kind in _KINDS.items():
        for place, use in _placed(factor, uses, where):
            made = _make(registry, kind, use, place, **chosen)
            chosen.setdefault(kind, made)
    _make(registry, "judge", spec.judge, below(where, "judge"), model=judge_model)


def _placed(factor: Factor, uses: dict[Factor, list[Use]], where: str) -> Iterator[tuple[str, Use]]:
    for number, use in enumerate(uses[factor]):
        yield below(where, f"{PLACES[factor]}[{number}]"), use


def _open(registry: Registry, use: Use, place: str) -> Any:
    with _placing(place):
        return open_model(registry, use.use, use.options, where=f"{place}.with")


def _make(registry: Registry, kind: Kind, use: Use, place: str, **chosen: Any) -> Any:
    with _placing(place):
        return registry.make(kind, use.use, use.options, where=f"{place}.with", **chosen)


@contextmanager
def _placing(place: str) -> Iterator[None]:
    """Says where it is that a part does not exist."""
    try:
        yield
    except PluginError as error:
        raise ConfigError(str(error), where=place) from None
