"""Reading the JSON form of a plan: whatever stands around it is forgiven, and nothing in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn, cast

from memkit.errors import QueryError
from memkit.query.plan import (
    COMPARISONS,
    FIELDS,
    GROUPS,
    MAX_QUERIES,
    OPERATIONS,
    Bound,
    Clause,
    Comparison,
    Field,
    Group,
    Operation,
    Plan,
    Query,
    Scope,
    Term,
)
from memkit.query.text import NEEDS_OF, clip, quote

_SHOWN = 40
_LACKING: Any = object()
_WORDS = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


def plan_from_json(text: str) -> Plan:
    """The plan in `text`: one JSON object, with whatever stands before and after it, such as a fence or prose.

    A key that is left out, or null, is taken for an empty one. QueryError names the key that is at fault, or the
    place where the JSON breaks off.
    """
    data = _only_object(text)
    _refuse_others(data, "", ("applicable", "reason", "queries"))
    items = _take(data, "", "queries", list, [])
    applicable = _take(data, "", "applicable", bool, bool(items))
    reason = _take(data, "", "reason", str, "")
    if applicable != bool(items):
        _fault("applicable", f"is {'true but there is no' if applicable else 'false but there is a'} sub-query")
    if len(items) > MAX_QUERIES:
        _fault("queries", f"has {len(items)} sub-queries; a plan has at most {MAX_QUERIES}")
    return Plan(tuple(_query(item, f"queries[{index}]") for index, item in enumerate(items)), reason)


def _query(item: Any, path: str) -> Query:
    data = _kind(item, path, dict)
    _refuse_others(data, path, ("operation", "scope", "where", "numbers", "by", "of"))
    operation = cast(Operation, _one_of(_take(data, path, "operation", str), f"{path}.operation", OPERATIONS))
    by = data.get("by")
    of = _take(data, path, "of", str, "")
    if operation == "group":
        by = _one_of(by, f"{path}.by", GROUPS)
    elif by is not None:
        _fault(f"{path}.by", f"must be null, for {operation} counts by nothing; group does")
    if bool(of) != (operation in NEEDS_OF):
        _fault(f"{path}.of", f"must be empty for {operation}" if of else f"is needed: what the {operation} is of")
    where = {} if data.get("where") is None else data["where"]
    numbers = _take(data, path, "numbers", list, [])
    return Query(
        operation,
        tuple(_where(where, f"{path}.where")),
        tuple(_bound(number, f"{path}.numbers[{index}]") for index, number in enumerate(numbers)),
        _scope(_take(data, path, "scope", list, [None, None]), f"{path}.scope"),
        cast(Group | None, by),
        of,
    )


def _scope(ends: Sequence[Any], path: str) -> Scope:
    if len(ends) != 2:
        _fault(path, f"must be [first step, last step], got {len(ends)} items")
    low, high = (None if end is None else _kind(end, f"{path}[{index}]", int) for index, end in enumerate(ends))
    return Scope(low, high)


def _where(item: Any, path: str) -> Iterator[Clause]:
    """Clauses of a map of fields to terms, or of a list of such maps."""
    if isinstance(item, list):
        for index, part in enumerate(item):
            yield from _where(_kind(part, f"{path}[{index}]", dict), f"{path}[{index}]")
        return
    data = _kind(item, path, dict)
    _refuse_others(data, path, FIELDS)
    for name in data:
        terms = _take(data, path, name, list, [])
        if terms:
            found = tuple(_term(term, f"{path}.{name}[{index}]") for index, term in enumerate(terms))
            yield Clause(cast(Field, name), found)


def _term(item: Any, path: str) -> Term:
    if isinstance(item, str):
        return Term(item)
    if not isinstance(item, dict):
        _fault(path, f'must be text or {{"anywhere": text}}, got {_show(item)}')
    _refuse_others(item, path, ("anywhere",))
    return Term(_take(item, path, "anywhere", str), anywhere=True)


def _bound(item: Any, path: str) -> Bound:
    data = _kind(item, path, dict)
    _refuse_others(data, path, ("name", "is", "value"))
    comparison = cast(Comparison, _one_of(data.get("is"), f"{path}.is", COMPARISONS))
    name, value = _take(data, path, "name", str), _take(data, path, "value", float)
    try:
        return Bound(name, comparison, float(value))
    except OverflowError:
        _fault(f"{path}.value", "is too large a number")


def _take(data: dict[str, Any], path: str, key: str, kind: type, default: Any = _LACKING) -> Any:
    """The value of `key`, which must be of that kind; null counts as left out."""
    place = f"{path}.{key}" if path else key
    if data.get(key) is not None:
        return _kind(data[key], place, kind)
    return _fault(place, "is lacking") if default is _LACKING else default


def _kind(value: Any, path: str, kind: type) -> Any:
    if type(value) is kind or (kind is float and type(value) is int):
        return value
    return _fault(path, f"must be {_WORDS[kind]}, got {_show(value)}")


def _one_of(value: Any, path: str, choices: Sequence[str]) -> Any:
    if isinstance(value, str) and value in choices:
        return value
    return _fault(path, f"must be one of {', '.join(choices)}, got {_show(value)}")


def _refuse_others(data: dict[str, Any], path: str, known: Sequence[str]) -> None:
    for key in data:
        if key not in known:
            near = get_close_matches(key[:_SHOWN], known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(known)}"
            _fault(path, f"unknown key {_show(key)}; {hint}")


def _fault(path: str, message: str) -> NoReturn:
    raise QueryError(message, key=path or "plan")


def _show(value: Any) -> str:
    if isinstance(value, str):
        return quote(clip(value, _SHOWN))
    return _WORDS[type(value)] if isinstance(value, list | dict) else clip(json.dumps(value), _SHOWN)


def _only_object(text: str) -> dict[str, Any]:
    """The one JSON object in `text` that is a plan, or any other when it is the only one."""
    found: list[dict[str, Any]] = []
    broken: QueryError | None = None
    at = text.find("{")
    while at >= 0:
        try:
            data, end = _DECODER.raw_decode(text, at)
        except RecursionError:
            raise QueryError("is nested too deeply", key="plan") from None
        except json.JSONDecodeError as error:
            broken = broken or QueryError(f"no JSON: {error.msg}", line=error.lineno, column=error.colno)
            end = at + 1
        except ValueError:  # a whole number of more digits than Python reads
            raise QueryError("holds a number with too many digits", key="plan") from None
        else:
            found.append(data)
        at = text.find("{", end)
    plans = [data for data in found if "queries" in data or "applicable" in data]
    if len(plans) == 1 or (not plans and not broken and len(found) == 1):
        return (plans or found)[0]
    if broken and not plans:
        raise broken
    raise QueryError(f"expected one JSON object, found {len(plans or found) or 'none'}", key="plan")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in data if keys.count(key) > 1)
        raise QueryError("stands twice in one object", key=_show(twice))
    return data


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs)
