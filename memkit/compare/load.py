"""Reading a spec: a plain YAML file, strictly; values of it overridden by path."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from memkit.compare.spec import Spec
from memkit.converter import structure
from memkit.errors import ConfigError, UserError

TAG = "tag:yaml.org,2002:"
PLAIN = frozenset(TAG + kind for kind in ("null", "bool", "int", "float", "str", "seq", "map"))
"""The YAML types a spec is made of."""


def load_spec(path: Path, overrides: dict[str, str] | None = None) -> Spec:
    """Read a spec; `overrides` maps a dotted path, such as `data.0.select.limit`, to the YAML of a value.

    Raises ConfigError with file and path on any fault.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"there is no spec {path}; give a path to a YAML file, or use flags") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"is not UTF-8 text (byte {error.start}); save it as UTF-8", where=str(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"the spec {path} cannot be read: {reason}; give a path to a YAML file") from None
    data = parse_yaml(text, where=str(path))
    if not isinstance(data, dict):
        raise ConfigError("must be a map with the keys data and factors", where=str(path))
    for key, value in (overrides or {}).items():
        _set(data, key, parse_yaml(value, where=f"--set {key}"))
    return structure(Spec, data, where=str(path))


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
