from __future__ import annotations

from collections.abc import Callable

import pytest

from memkit.compare.spec import Data, Spec, Use, digest_of

MakeSpec = Callable[..., Spec]


def test_data_from_text() -> None:
    """`name` or `name:path`; the path may hold colons."""
    assert Data("demo") == Data.from_text("demo")
    assert Data("jsonl", "c:/mine.jsonl") == Data.from_text("jsonl:c:/mine.jsonl")


@pytest.mark.parametrize(
    ("use", "shown"),
    [
        (Use("center"), "center"),
        (Use("chunk-bm25", {"target_tokens": 300}), "chunk-bm25[target_tokens=300]"),
        (Use("chunk-bm25", {"target_tokens": 300}, "long chunks"), "long chunks"),
    ],
)
def test_shown(use: Use, shown: str) -> None:
    """A value is called by its label, or by its name with its options."""
    assert shown == use.shown


def test_digest_does_not_depend_on_spelling(make_spec: MakeSpec) -> None:
    """Defaults written out, or parts as maps, make the same comparison; another question limit does not."""
    written = make_spec(name="compare", attempts=1, judge={"use": "token-f1"}, nulls={"long_context_tokens": 26_000})

    assert make_spec().digest == written.digest
    assert make_spec().digest != make_spec(select={"limit": 4}).digest


def test_digest_of_is_canonical() -> None:
    """The order of keys is no content; a lone surrogate is."""
    assert digest_of({"a": 1, "b": "\ud800"}) == digest_of({"b": "\ud800", "a": 1})
    assert digest_of("\ud800") != digest_of("?")
