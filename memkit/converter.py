"""The one cattrs converter, and its errors in words: file, path in the file, nearest valid key."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, TypeVar

import attrs
from cattrs import AttributeValidationNote, ClassValidationError, Converter, IterableValidationError
from cattrs.cols import (
    homogenous_tuple_structure_factory,
    is_mapping,
    is_sequence,
    list_structure_factory,
    mapping_structure_factory,
)
from cattrs.errors import ForbiddenExtraKeysError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from memkit.errors import ConfigError, UserError
from memkit.locators import Locator

T = TypeVar("T")
SCALARS = (str, int, float, bool)


def make_converter() -> Converter:
    """A converter that refuses unknown keys and never turns a value of one type into another.

    A field with `metadata={"key": "with"}` is called `with` outside Python, and one with `metadata={"read": f}` is
    what `f(value, type)` makes of what was written. A class with a classmethod `from_text` may also be written as
    plain text.
    """
    converter = Converter(detailed_validation=True, forbid_extra_keys=True)
    lists, maps = (list, tuple), (Mapping,)
    for fits, factory, accepted, word in (
        (is_sequence, list_structure_factory, lists, "a list"),
        (_is_tuple, homogenous_tuple_structure_factory, lists, "a list"),
        (is_mapping, mapping_structure_factory, maps, "a map"),
        (attrs.has, _record_structure_factory, maps, "a map"),
    ):
        converter.register_structure_hook_factory(fits, _guarded(converter, factory, accepted, word))
    for scalar in SCALARS:
        converter.register_structure_hook(scalar, _exact(scalar))
    converter.register_structure_hook(Locator, lambda text, _: Locator.parse(_exact(str)(text, str)))
    converter.register_unstructure_hook_factory(
        attrs.has, lambda cls: make_dict_unstructure_fn(cls, converter, **_renames(cls))
    )
    converter.register_unstructure_hook(Locator, str)
    return converter


def structure(cls: type[T], data: Any, *, where: str) -> T:
    """`data` (from JSON, YAML or TOML) as a `cls`; ConfigError with the path of the first fault below `where`."""
    try:
        return make_converter().structure(data, cls)
    except Exception as error:  # noqa: BLE001 - whatever a hook raises is a fault of the data
        path, message = _first_fault(error, cls)
        raise ConfigError(message, where=f"{where}: {path}" if path else where) from None


def structure_options(
    factory: Callable[..., Any], options: Mapping[str, Any], *, chosen: frozenset[str], where: str
) -> dict[str, Any]:
    """`options` as keyword arguments of `factory`, each checked against its annotation.

    `chosen` are parameters that are not options. Raises ConfigError below `where`.
    """
    parameters = {
        name: parameter
        for name, parameter in inspect.signature(factory).parameters.items()
        if name not in chosen and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    hints = _hints(factory, parameters)
    converter = make_converter()
    given: dict[str, Any] = {}
    for key, value in options.items():
        if key not in parameters:
            raise ConfigError(_unknown_key(key, list(parameters)), where=where)
        try:
            given[key] = converter.structure(value, hints[key]) if key in hints else value
        except Exception as error:  # noqa: BLE001 - whatever a hook raises is a fault of the data
            path, message = _first_fault(error, hints[key], path=key)
            raise ConfigError(message, where=f"{where}: {path}") from None
    for name, parameter in parameters.items():
        if parameter.default is parameter.empty and name not in given:
            raise ConfigError(f"lacks {name!r}, which has no default", where=where)
    return given


def _renames(cls: Any) -> dict[str, Any]:
    return {a.name: override(rename=a.metadata["key"]) for a in attrs.fields(cls) if "key" in a.metadata}


def _readers(cls: Any) -> dict[str, Any]:
    """For fields that read what was written in a way of their own."""
    return {
        a.name: override(rename=a.metadata.get("key"), struct_hook=a.metadata["read"])
        for a in attrs.fields(cls)
        if "read" in a.metadata
    }


def _hints(factory: Callable[..., Any], parameters: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    """The annotations that can be read at run time; a type imported for type checkers only has none."""
    scope = vars(sys.modules.get(getattr(factory, "__module__", ""), typing))
    hints: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if parameter.annotation is not parameter.empty:
            alone = types.SimpleNamespace(__annotations__={name: parameter.annotation})
            with suppress(NameError, AttributeError):
                hints |= typing.get_type_hints(alone, scope)
    return hints


def _is_tuple(cls: Any) -> bool:
    return typing.get_origin(cls) is tuple and typing.get_args(cls)[1:] == (...,)


def _record_structure_factory(cls: type, converter: Converter) -> Callable[[Any, Any], Any]:
    return make_dict_structure_fn(cls, converter, _cattrs_forbid_extra_keys=True, **{**_renames(cls), **_readers(cls)})


def _guarded(
    converter: Converter, factory: Callable[..., Any], accepted: tuple[type, ...], word: str
) -> Callable[[Any], Callable[[Any, Any], Any]]:
    """`factory`, for values of the `accepted` types only: a text is no list of letters."""

    def make(cls: Any) -> Callable[[Any, Any], Any]:
        inner = factory(cls, converter)
        from_text = getattr(cls, "from_text", None)

        def hook(value: Any, _: Any) -> Any:
            if isinstance(value, str) and from_text is not None:
                return from_text(value)
            if not isinstance(value, accepted):
                raise TypeError(f"expected {word}, got {_show(value)}")
            return inner(value, cls)

        return hook

    return make


def _exact(scalar: type) -> Callable[[Any, Any], Any]:
    def hook(value: Any, _: Any) -> Any:
        if type(value) is scalar:
            return value
        if scalar is float and type(value) is int:
            return float(value)
        raise TypeError(f"expected {_name(scalar)}, got {_show(value)}")

    return hook


def _first_fault(error: BaseException, cls: Any, *, path: str = "") -> tuple[str, str]:
    """The path (`key.inner[0]`, below `path`) and the sentence of the first leaf in a tree of cattrs errors."""
    while isinstance(error, ClassValidationError | IterableValidationError):
        # A misspelt key explains the missing one beside it.
        child = min(error.exceptions, key=lambda inner: not isinstance(inner, ForbiddenExtraKeysError))
        for note in getattr(child, "__notes__", ()):
            if isinstance(note, AttributeValidationNote):
                path += f".{note.name}" if path else note.name
                cls = note.type
            elif isinstance(note, IterableValidationNote):
                path += f"[{note.index!r}]"
                cls = note.type
        error = child
    if isinstance(error, KeyError):  # a key that is lacking is not a place
        path = path.removesuffix(str(error.args[0])).removesuffix(".")
    return path, _sentence(error, cls)


def _sentence(error: BaseException, cls: Any) -> str:
    if isinstance(error, ForbiddenExtraKeysError):
        valid = [a.metadata.get("key", a.name) for a in attrs.fields(error.cl)] if attrs.has(error.cl) else []
        return _unknown_key(min(error.extra_fields), valid)
    if isinstance(error, KeyError):
        return f"lacks {error.args[0]!r}, which has no default"
    if choices := tuple(_literals(cls)):
        return f"must be one of {', '.join(map(repr, choices))}"
    if isinstance(error, ValueError | UserError):  # a validator's sentence comes first in its arguments
        return str(error.args[0])
    text = str(error)
    return text if text.startswith("expected") else f"expected {_name(cls)}: {text}"


def _unknown_key(key: str, valid: list[str]) -> str:
    near = get_close_matches(str(key), valid, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"valid keys: {', '.join(sorted(valid)) or 'none'}"
    return f"unknown key {key!r}; {hint}"


def _literals(cls: Any) -> Iterator[Any]:
    if typing.get_origin(cls) is typing.Literal:
        yield from typing.get_args(cls)
    elif typing.get_origin(cls) in (typing.Union, types.UnionType):
        for inner in typing.get_args(cls):
            yield from _literals(inner)


def _name(cls: Any) -> str:
    names = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
    return names.get(cls) or str(getattr(cls, "__name__", cls))


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
