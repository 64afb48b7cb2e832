"""Arguments are read with their places, and nothing raises."""

from __future__ import annotations

import json
import shlex
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memkit.events.arguments import read_object, read_tags, shell_words, unquote

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3))


@given(st.dictionaries(st.text(), JSON, max_size=5), st.integers(0, 4))
def test_any_object(values: dict[str, Any], indent: int) -> None:
    """An object is read as `json` reads it, to its last character, and each place holds its value."""
    text = "x" + json.dumps(values, indent=indent)
    arguments = read_object(text, 1)
    assert arguments is not None
    shown = {key: text[slice(*place)] for key, place in arguments.places.items()}
    read = {key: json.loads(f'"{raw}"' if isinstance(values[key], str) else raw) for key, raw in shown.items()}
    assert (values, len(text), values) == (arguments.values, arguments.end, read)


@given(st.dictionaries(st.text(), JSON, min_size=1, max_size=3), st.data())
def test_cut_objects(values: dict[str, Any], data: st.DataObject) -> None:
    """An object that ends early is none."""
    text = json.dumps(values)
    assert read_object(text[: data.draw(st.integers(0, len(text) - 1))], 0) is None


def test_broken_objects() -> None:
    """What is no object, has no colon, or nests too deep is none; a raw line break in a string is let be."""
    deep = '{"a": ' + "[" * 100_000
    assert [None] * 5 == [read_object(text, 0) for text in ("", "[1]", '{"a" 1}', '{"a": 1 "b": 2}', deep)]
    arguments = read_object('{"a": "x\ny"}', 0)
    assert arguments is not None
    assert {"a": "x\ny"} == arguments.values


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1), max_size=5))
def test_words(words: list[str]) -> None:
    """Words come back as a shell would pass them."""
    assert words == [word.text for word in shell_words(" ".join(map(shlex.quote, words)))]


@given(st.text())
def test_words_of_any_text(text: str) -> None:
    """No text raises, and places go forward."""
    ends = [place for word in shell_words(text) for place in word.place]
    assert sorted(ends) == ends


def test_unclosed_quotes_stay() -> None:
    """A quote without its partner is a character like any other."""
    assert "it's" == unquote("it's")


def test_tags() -> None:
    """A tag's value is what stands between its lines; one that is not closed is left out."""
    text = "<parameter=path>/a</parameter><parameter=old_str>\n  x\n\n</parameter><parameter=new_str>y"
    arguments = read_tags(text, 0)
    assert {"path": "/a", "old_str": "  x\n"} == arguments.values
    assert arguments.values == {key: text[slice(*place)] for key, place in arguments.places.items()}
