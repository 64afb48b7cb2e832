"""Reading a spec: plain YAML files, strictly, each over the one it extends; values overridden by path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from memkit.compare.judging import plain_judge
from memkit.compare.spec import Spec
from memkit.converter import structure
from memkit.errors import ConfigError, UserError

TAG = "tag:yaml.org,2002:"
PLAIN = frozenset(TAG + kind for kind in ("null", "bool", "int", "float", "str", "seq", "map"))
"""The YAML types a spec is made of."""
NAMES_A_PART = frozenset({"use", "correctness"})
"""Keys of a map that says one part."""


def load_spec(path: Path, overrides: Mapping[str, str] | None = None) -> Spec:
    """Read a spec and those it extends; `overrides` maps a dotted path, such as `data.0.select.limit`, to the YAML of
    a value.

    Raises ConfigError with file and path on any fault.
    """
    layers = _read_layers(path)
    data = _merged([layer for _, layer in layers])
    try:
        return spec_from(data, overrides, where=str(path))
    except ConfigError as error:
        for number in range(1, len(layers)):
            file = str(layers[number - 1][0])
            if _has_fault(_merged([layer for _, layer in layers[:number]]), file, str(error).removeprefix(str(path))):
                raise ConfigError(str(error).removeprefix(f"{path}: "), where=file) from None
        raise


def spec_from(data: dict[str, Any], overrides: Mapping[str, str] | None = None, *, where: str) -> Spec:
    """The spec that `data` says, with values overridden. ConfigError with path on any fault."""
    for key, value in (overrides or {}).items():
        _set(data, key, parse_yaml(value, where=f"--set {key}"))
    return structure(Spec, plain_judge(data, where=where), where=where)


def _read_layers(path: Path, above: tuple[Path, ...] = ()) -> list[tuple[Path, dict[str, Any]]]:
    """The files of a spec with what they say, the farthest that is extended first."""
    if path.resolve() in (file.resolve() for file in above):
        circle = " > ".join(str(file) for file in (*above, path))
        raise ConfigError(f"extends itself ({circle}); take one out", where=f"{above[0]}: extends")
    data = _read_file(path, above)
    if "extends" not in data:
        return [(path, data)]
    base = data.pop("extends")
    if not isinstance(base, str) or not base:
        raise ConfigError(f"expected the path of a spec, got {base!r}", where=f"{path}: extends")
    return [*_read_layers(path.parent / base, (*above, path)), (path, data)]


def _read_file(path: Path, above: tuple[Path, ...]) -> dict[str, Any]:
    # Below the first file it is the line `extends` that is wrong.
    where = f"{above[-1]}: extends: " if above else ""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        mend = "give a path relative to the file" if above else "give a path to a YAML file, or use flags"
        raise UserError(f"{where}there is no spec {path}; {mend}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"is not UTF-8 text (byte {error.start}); save it as UTF-8", where=str(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"{where}the spec {path} cannot be read: {reason}; give a path to a YAML file") from None
    data = parse_yaml(text, where=str(path))
    if not isinstance(data, dict):
        raise ConfigError("must be a map with the keys data and factors", where=str(path))
    return data


def _merged(layers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Maps merged key by key, a later layer's before; all else, lists and parts too, replaced whole."""
    whole: dict[str, Any] = {}
    for layer in layers:
        _merge(whole, layer)
    return whole


def _merge(into: dict[str, Any], layer: dict[str, Any]) -> None:
    for key, value in layer.items():
        known = into.get(key)
        if isinstance(value, dict):
            # A part is one thing: another part's options are none of its own.
            fresh = into[key] = dict(known) if isinstance(known, dict) and not value.keys() & NAMES_A_PART else {}
            _merge(fresh, value)
        else:
            into[key] = value


def _has_fault(data: dict[str, Any], file: str, fault: str) -> bool:
    """Whether what a file says, with what it extends, is wrong in the same way; what is lacking may yet come."""
    if fault.startswith(": lacks"):
        return False
    try:
        spec_from(data, where=file)
    except ConfigError as error:
        return str(error).removeprefix(file) == fault
    return False


def parse_yaml(text: str, *, where: str) -> Any:
    """One YAML document of maps, lists, texts, numbers, true, false and null; dates are texts.

    ConfigError for anything else, for aliases, for keys given twice and for keys that are not text.
    """
    import yaml

    try:
        return yaml.load(text, _loader())  # noqa: S506 - a subclass of the safe loader
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError(f"cannot be read as YAML: {error.problem}", where=where + line) from None
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a number such as 0b_
        reason = getattr(error, "reason", None) or error
        raise ConfigError(f"cannot be read as YAML: {reason}", where=where) from None
    except RecursionError:
        raise ConfigError("is nested too deeply for a spec", where=where) from None


@cache
def _loader() -> Any:
    import yaml

    class Strict(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.events.AliasEvent):  # a few lines of aliases make a gigabyte of data
                mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
                raise yaml.MarkedYAMLError(problem="aliases are not allowed; write the value out", problem_mark=mark)
            return super().compose_node(parent, index)

        def flatten_mapping(self, node: Any) -> None:
            """The merge key `<<` is a key like any other."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - as inherited
            keys: set[str] = set()
            for key, _ in node.value:
                name = self.construct_object(key, deep=True)
                if not isinstance(name, str):
                    fault = f"the key {name!r} is not text; put it in quotes"
                elif name in keys:
                    fault = f"the key {name!r} is given twice; leave one out"
                else:
                    keys.add(name)
                    continue
                raise yaml.MarkedYAMLError(problem=fault, problem_mark=key.start_mark)
            return super().construct_mapping(node, deep=deep)

    def refuse(_: Any, node: Any) -> Any:
        problem = f"values tagged {node.tag.removeprefix(TAG)!r} are not allowed; write a plain value"
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)

    base = yaml.SafeLoader
    Strict.yaml_constructors = {tag: make for tag, make in base.yaml_constructors.items() if tag in PLAIN}
    Strict.yaml_implicit_resolvers = {
        first: [pair for pair in pairs if pair[0] in PLAIN] for first, pairs in base.yaml_implicit_resolvers.items()
    }
    Strict.add_constructor(None, refuse)
    return Strict


def _set(data: Any, key: str, value: Any) -> None:
    *parents, last = key.split(".")
    at = data
    for parent in parents:
        at = at.setdefault(parent, {}) if isinstance(at, dict) else at[_place(at, parent, key)]
    if isinstance(at, dict):
        at[last] = value
    else:
        at[_place(at, last, key)] = value


def _place(at: Any, name: str, key: str) -> int:
    """`name` as a place in the list `at`."""
    if isinstance(at, list) and name.isdecimal() and int(name) < len(at):
        return int(name)
    what = f"a list of {len(at)}, counted from 0" if isinstance(at, list) else f"{at!r}, which is no map"
    raise ConfigError(f"{name!r} cannot be set within {what}", where=f"--set {key}")
