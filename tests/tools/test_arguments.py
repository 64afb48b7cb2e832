"""Arguments as models write them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import ToolError
from memkit.records import ToolSpec
from memkit.tools.arguments import fit_arguments, parse_arguments

SPEC = ToolSpec(
    "probe",
    "",
    {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "count": {"type": "integer"},
            "flag": {"type": "boolean"},
            "lines": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["text"],
        "additionalProperties": False,
    },
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("text", ["", "  \n", "{}", ' "{}" '])
def test_nothing_sent(text: str) -> None:
    """No text is an object with nothing in it."""
    assert {} == parse_arguments(text)


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.booleans() | st.lists(st.integers())))
def test_encoded_twice(arguments: dict[str, Any]) -> None:
    """An object that was encoded as a string once more is the same object."""
    assert arguments == parse_arguments(json.dumps(arguments))
    assert arguments == parse_arguments(json.dumps(json.dumps(arguments)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "The arguments are not valid JSON (Expecting property name"),
        ("[1]", "The arguments are JSON but not an object; send one JSON object"),
        ("null", "The arguments are JSON but not an object; send one JSON object"),
        ("3", "The arguments are JSON but not an object; send one JSON object"),
        ('"path"', "The arguments are not valid JSON"),
        ("[" * 100_000, "The arguments are not valid JSON; send one JSON object"),
        ('{"a": ' + "9" * 10_000 + "}", "The arguments are not valid JSON; send one JSON object"),
        ('{"text": "\\ud83d"}', "The arguments hold half of a surrogate pair"),
        ('{"text": "\ud83d"}', "The arguments hold half of a surrogate pair"),
        ('{"\\ud83d": ["a"]}', "The arguments hold half of a surrogate pair"),
        ('{"lines": [{"a": "\\udc00"}]}', "The arguments hold half of a surrogate pair"),
    ],
)
def test_refused(text: str, expected: str) -> None:
    """Anything but one JSON object of whole characters is refused with what to send."""
    with pytest.raises(ToolError) as caught:
        parse_arguments(text)

    assert str(caught.value).startswith(expected)


def test_surrogate_pair() -> None:
    """Both halves of a pair are one character."""
    assert {"text": "\U0001f600"} == parse_arguments('{"text": "\\ud83d\\ude00"}')


@pytest.mark.parametrize(
    ("given_", "fitted"),
    [
        ({"count": 3.0}, {"count": 3}),
        ({"count": "3"}, {"count": 3}),
        ({"count": " -3 "}, {"count": -3}),
        ({"count": None, "lines": None}, {}),
        ({"flag": "true"}, {"flag": True}),
        ({"flag": "False"}, {"flag": False}),
        ({"lines": "[1, -1]"}, {"lines": [1, -1]}),
        ({"lines": [1.0, "2"]}, {"lines": [1, 2]}),
        ({"lines": []}, {"lines": []}),
    ],
)
def test_read_in_one_way(given_: dict[str, Any], fitted: dict[str, Any]) -> None:
    """A value that can be read as its parameter's type in one way only is taken so."""
    found = fit_arguments(SPEC, {"text": "x", **given_})

    assert {"text": "x", **fitted} == found
    assert [type(value) for value in fitted.values()] == [type(found[key]) for key in fitted]


@pytest.mark.parametrize(
    ("given_", "fault"),
    [
        ({"count": True}, "'count' must be a whole number, not true"),
        ({"count": 1.5}, "'count' must be a whole number, not 1.5"),
        ({"count": 1e300}, "'count' must be a whole number, not 1e+300"),
        ({"count": "three"}, "'count' must be a whole number, not \"three\""),
        ({"count": "\u0663"}, "'count' must be a whole number, not \"\u0663\""),
        ({"flag": 1}, "'flag' must be true or false, not 1"),
        ({"flag": "yes"}, "'flag' must be true or false, not \"yes\""),
        ({"lines": 3}, "'lines' must be a list, each a whole number, not 3"),
        ({"lines": "1, 2"}, "'lines' must be a list, each a whole number, not \"1, 2\""),
        ({"lines": [1, None]}, "'lines' must be a list, each a whole number, not [1, null]"),
        ({"text": 5}, "'text' must be text, not 5"),
        ({"text": None}, "'text' is missing"),
        ({"txet": "a"}, "there is no parameter \"txet\" (did you mean 'text'?)"),
    ],
)
def test_unfit(given_: dict[str, Any], fault: str) -> None:
    """A value of another type, a missing and an unknown parameter are named, with the parameters there are."""
    with pytest.raises(ToolError) as caught:
        fit_arguments(SPEC, {"text": "x", **given_})

    usage = (
        "text (text), count (a whole number, optional), flag (true or false, optional),"
        " lines (a list, each a whole number, optional)"
    )
    assert f"probe was not run: {fault}. It takes {usage}." == str(caught.value)


@given(st.dictionaries(st.sampled_from(["text", "count", "flag", "lines", "other"]), json_values))
def test_fitted_or_refused(arguments: dict[str, Any]) -> None:
    """Whatever JSON comes, the result has the types of the schema or is refused."""
    types = {"text": str, "count": int, "flag": bool, "lines": list}
    try:
        fitted = fit_arguments(SPEC, arguments)
    except ToolError:
        return
    assert "text" in fitted
    assert all(type(value) is types[key] for key, value in fitted.items())
    assert all(type(line) is int for line in fitted.get("lines", []))
