"""Data from outside becomes records, or an error that names the place and the mend."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from memkit.converter import make_converter, structure, structure_options
from memkit.errors import ConfigError
from memkit.locators import Locator

if TYPE_CHECKING:
    from memkit import Model

Mode = Literal["fast", "deep"]


@frozen
class Inner:
    """A record inside another."""

    count: int
    mode: Mode = "fast"


@frozen
class Outer:
    """A record with a field of each sort."""

    name: str
    tags: tuple[str, ...] = ()
    inner: Inner | None = None
    parts: list[Inner] = field(factory=list)
    share: float = 0.5
    weights: dict[str, int] = field(factory=dict)
    on: bool = False
    options: dict[str, Any] = field(factory=dict, metadata={"key": "with"})


FAULTS: dict[str, tuple[Any, str]] = {
    "not a map": ([], "f: expected a map, got []"),
    "null": (None, "f: expected a map, got None"),
    "text for a record": ("x", "f: expected a map, got 'x'"),
    "missing": ({}, "f: lacks 'name', which has no default"),
    "missing inside": ({"name": "a", "inner": {}}, "f: inner: lacks 'count', which has no default"),
    "unknown": ({"name": "a", "tgas": []}, "f: unknown key 'tgas'; did you mean 'tags'?"),
    "unknown inside a list": (
        {"name": "a", "parts": [{"count": 1}, {"coutn": 1}]},
        "f: parts[1]: unknown key 'coutn'; did you mean 'count'?",
    ),
    "unlike any": (
        {"name": "a", "inner": {"count": 1, "zzz": 0}},
        "f: inner: unknown key 'zzz'; valid keys: count, mode",
    ),
    "outer name of a field": ({"name": "a", "options": {}}, "f: unknown key 'options'; did you mean 'parts'?"),
    "number for text": ({"name": 7}, "f: name: expected text, got 7"),
    "text for a list": ({"name": "a", "tags": "abc"}, "f: tags: expected a list, got 'abc'"),
    "list for a map": ({"name": "a", "weights": [1]}, "f: weights: expected a map, got [1]"),
    "wrong value in a map": ({"name": "a", "weights": {"k": "1"}}, "f: weights['k']: expected a whole number, got '1'"),
    "wrong item": ({"name": "a", "tags": ["x", 1]}, "f: tags[1]: expected text, got 1"),
    "bool for int": ({"name": "a", "inner": {"count": True}}, "f: inner.count: expected a whole number, got True"),
    "text for a number": ({"name": "a", "share": "0.5"}, "f: share: expected a number, got '0.5'"),
    "int for bool": ({"name": "a", "on": 1}, "f: on: expected true or false, got 1"),
    "no such choice": (
        {"name": "a", "inner": {"count": 1, "mode": "slow"}},
        "f: inner.mode: must be one of 'fast', 'deep'",
    ),
}


@pytest.mark.parametrize(("data", "message"), FAULTS.values(), ids=FAULTS)
def test_fault(data: Any, message: str) -> None:
    """The error names the file, the path in it, and what would fit."""
    with pytest.raises(ConfigError) as error:
        structure(Outer, data, where="f")

    assert message == str(error.value)


def test_structure() -> None:
    """Data that fits becomes the record; a whole number fits where a number is asked for."""
    data = {"name": "a", "tags": ["x"], "inner": {"count": 1, "mode": "deep"}, "share": 1, "with": {"k": None}}

    assert Outer("a", ("x",), Inner(1, "deep"), share=1.0, options={"k": None}) == structure(Outer, data, where="f")


@given(
    st.builds(
        Outer,
        name=st.text(),
        tags=st.lists(st.text()).map(tuple),
        inner=st.none() | st.builds(Inner, st.integers(), st.sampled_from(["fast", "deep"])),
        parts=st.lists(st.builds(Inner, st.integers())),
        share=st.floats(allow_nan=False),
        weights=st.dictionaries(st.text(), st.integers()),
        on=st.booleans(),
    )
)
def test_round_trip(record: Outer) -> None:
    """A record unstructured and structured again is the same record."""
    assert record == structure(Outer, make_converter().unstructure(record), where="f")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "inner", "x"]), inner),
    max_leaves=8,
)


@given(JSON)
def test_any_data_gives_a_record_or_a_config_error(data: Any) -> None:
    """Whatever a file holds, no other exception comes out."""
    with suppress(ConfigError):
        assert isinstance(structure(Outer, data, where="f"), Outer)


def test_locator() -> None:
    """A locator is written as text."""
    converter = make_converter()

    assert "[S5T3]" == converter.unstructure(Locator("S", 5, 3))
    assert Locator("S", 5, 3) == converter.structure("[S5T3]", Locator)
    with pytest.raises(TypeError, match="expected text, got 5"):
        converter.structure(5, Locator)


# Options of parts.


def plain(size: int, *, mode: Mode = "fast", tags: list[str] | None = None) -> None:
    """A function with options."""


@frozen
class Recorded:
    """An attrs class with options."""

    size: int
    mode: Mode = "fast"
    tags: list[str] | None = None


class Written:
    """A class written by hand, one type of which exists for type checkers only."""

    def __init__(self, size: int, model: Model, mode: Mode = "fast", tags: list[str] | None = None) -> None: ...


FACTORIES = [plain, Recorded, Written]
CHOSEN = frozenset({"model"})
OPTION_FAULTS = {
    "unknown": ({"size": 1, "moed": "deep"}, "o: unknown key 'moed'; did you mean 'mode'?"),
    "chosen": ({"size": 1, "model": "x"}, "o: unknown key 'model'; did you mean 'mode'?"),
    "missing": ({}, "o: lacks 'size', which has no default"),
    "type": ({"size": "1"}, "o: size: expected a whole number, got '1'"),
    "choice": ({"size": 1, "mode": "slow"}, "o: mode: must be one of 'fast', 'deep'"),
    "text for a list": ({"size": 1, "tags": "abc"}, "o: tags: expected a list, got 'abc'"),
    "item": ({"size": 1, "tags": [1]}, "o: tags[0]: expected text, got 1"),
}


@pytest.mark.parametrize("factory", FACTORIES)
@pytest.mark.parametrize(("options", "message"), OPTION_FAULTS.values(), ids=OPTION_FAULTS)
def test_option_fault(factory: Callable[..., Any], options: dict[str, Any], message: str) -> None:
    """Options are checked against the signature, whichever way the factory is written."""
    with pytest.raises(ConfigError) as error:
        structure_options(factory, options, chosen=CHOSEN, where="o")

    assert message == str(error.value)


@pytest.mark.parametrize("factory", FACTORIES)
def test_options(factory: Callable[..., Any]) -> None:
    """Options that fit come back as keyword arguments; defaults are left to the factory."""
    options = {"size": 1, "tags": ["a"]}

    assert options == structure_options(factory, options, chosen=CHOSEN, where="o")
