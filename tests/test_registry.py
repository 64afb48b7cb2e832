"""Parts are registered once, found by name, and made with checked options."""

from __future__ import annotations

from typing import Any

import pytest

from memkit import Case, ConfigError, Model, PluginError, Registry, UserError
from memkit.registry import KINDS, Part, Source
from memkit_plugins.center import Center

OURS, THEIRS = Source("agent-memkit", "1"), Source("other", "2")


class Data:
    """A dataset of one case.

    More of the docstring.
    """

    def __init__(self, *, size: int = 1) -> None:
        if size < 0:
            raise ValueError("size must not be negative")
        self.size = size

    def load(self, path: object) -> list[Case]:  # noqa: ARG002
        """The cases."""
        return []


class Asking(Data):
    """A dataset that wants the model the caller chose."""

    def __init__(self, model: Model, limits: object = None) -> None:
        super().__init__()
        self.model, self.limits = model, limits


@pytest.fixture
def registry() -> Registry:
    """A registry with one dataset, `data`."""
    registry = Registry(source=OURS)
    registry.dataset("data", Data)
    return registry


def test_part(registry: Registry) -> None:
    """A part knows its kind, name, factory, source and one line of description."""
    part = registry.part("dataset", "data")

    assert Part("dataset", "data", Data, OURS) == part
    assert "A dataset of one case." == part.note


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_method(kind: str) -> None:
    """Every kind is registered by the method of its name."""
    registry = Registry()

    getattr(registry, kind)("a", Data)

    assert [(kind, "a")] == [(part.kind, part.name) for part in registry]


def test_order(registry: Registry) -> None:
    """Listings are ordered by kind, then name, however the plugins were loaded."""
    registry.builder("z", Data)
    registry.dataset("a", Data)

    assert ["z", "a", "data"] == [part.name for part in registry]
    assert 3 == len(registry)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("dat", "did you mean 'data'?"), ("zzz", "there are: data")],
)
def test_unknown_name(registry: Registry, name: str, hint: str) -> None:
    """An unknown name is answered with the nearest or with all."""
    with pytest.raises(PluginError) as error:
        registry.part("dataset", name)

    assert f"no dataset is called {name!r}; {hint}" == str(error.value)


def test_none_of_a_kind() -> None:
    """With nothing registered the message says so."""
    with pytest.raises(PluginError, match="no builder is called 'a'; there are: none"):
        Registry().part("builder", "a")


def test_taken_name(registry: Registry) -> None:
    """Two distributions cannot share a name: load order would decide results."""
    registry.attribute_to(THEIRS)

    with pytest.raises(PluginError, match="'data' is registered twice: by agent-memkit and by other"):
        registry.dataset("data", Data)


@pytest.mark.parametrize("name", ["", " a", "a b", "a,b", "a:b", "a=b", "a\x1b[2J", "-a", "../a"])
def test_bad_name(registry: Registry, name: str) -> None:
    """A name must be usable on a command line, in a file name and in a table."""
    with pytest.raises(PluginError, match="agent-memkit registers a dataset under"):
        registry.dataset(name, Data)


@pytest.mark.parametrize("name", ["a", "center+bm25", "memkit/extractive", "token-f1", "locomo_10", "gpt-5.1"])
def test_good_name(registry: Registry, name: str) -> None:
    """The names we use and provider/model names fit."""
    registry.dataset(name, Data)

    assert name == registry.part("dataset", name).name


def test_not_callable(registry: Registry) -> None:
    """An instance registered in place of its class is refused at once."""
    with pytest.raises(PluginError, match="with something not callable"):
        registry.dataset("b", Data())  # type: ignore[arg-type]


def test_make(registry: Registry) -> None:
    """The factory is called with the options."""
    assert 3 == registry.make("dataset", "data", {"size": 3}).size


def test_make_with_a_bad_option(registry: Registry) -> None:
    """An option that does not fit is a ConfigError at the caller's place."""
    with pytest.raises(ConfigError) as error:
        registry.make("dataset", "data", {"siez": 3}, where="compare.yaml: data[0]")

    assert "compare.yaml: data[0]: unknown key 'siez'; did you mean 'size'?" == str(error.value)


def test_make_with_a_value_out_of_range(registry: Registry) -> None:
    """A ValueError of the factory is an option that does not fit."""
    with pytest.raises(ConfigError) as error:
        registry.make("dataset", "data", {"size": -1})

    assert "options of dataset 'data': size must not be negative" == str(error.value)


def test_make_hands_over_what_was_chosen(registry: Registry) -> None:
    """Only what the signature names is handed over, and only what has no default is needed."""
    registry.dataset("asking", Asking)

    made = registry.make("dataset", "asking", model="m", harness="h")

    assert ("m", None) == (made.model, made.limits)


def test_make_without_a_choice(registry: Registry) -> None:
    """A part that needs a model says so."""
    registry.dataset("asking", Asking)

    with pytest.raises(PluginError, match="dataset 'asking' needs a model; choose one"):
        registry.make("dataset", "asking")


def test_make_something_that_does_not_fit(registry: Registry) -> None:
    """A part that lacks a method of its contract is refused by name, before it runs."""
    registry.builder("odd", Data)

    with pytest.raises(PluginError) as error:
        registry.make("builder", "odd")

    assert "builder 'odd' of agent-memkit does not fit its contract: it lacks consolidate, ingest, layout" == str(
        error.value
    )


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (RuntimeError("boom"), "dataset 'bad' of agent-memkit cannot be made: RuntimeError: boom"),
        (UserError("say this"), "say this"),
        (ValueError(), "options of dataset 'bad': a value does not fit"),
    ],
)
def test_make_that_fails(registry: Registry, fault: Exception, message: str) -> None:
    """A factory's bug names the plugin; what it says on purpose is passed on."""

    def bad() -> Any:
        """Fail."""
        raise fault

    registry.dataset("bad", bad)

    with pytest.raises(UserError) as error:
        registry.make("dataset", "bad")
    assert message == str(error.value)


def test_only_a_person_accepts_bare_commands() -> None:
    """A factory that asks is told what the caller said, and no option can say it."""
    said: list[bool] = []

    def harness(*, accept_unsandboxed: bool = True) -> Center:
        said.append(accept_unsandboxed)
        return Center()

    for accepted in (False, True):
        registry = Registry(accept_unsandboxed=accepted)
        registry.harness("bare", harness)
        registry.make("harness", "bare")
        with pytest.raises(ConfigError, match="unknown key 'accept_unsandboxed'"):
            registry.make("harness", "bare", {"accept_unsandboxed": True})

    assert [False, True] == said
