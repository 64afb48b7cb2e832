"""Where terms occur."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.query import match
from memkit.query.match import Haystack, occurs
from memkit.query.plan import Term

pieces = st.text(st.sampled_from("aA1_ .ßſİı-\0\u0301Σςσ/"), max_size=8)


def by_place(term: Term, text: str) -> bool:
    """The rule, tried at each place."""
    needle, text = term.text.casefold(), f" {text.casefold()} "
    inside = [character.isalnum() or character == "_" for character in text]
    return needle != "" and any(
        text[at : at + len(needle)] == needle
        and (
            term.anywhere
            or not ((inside[at - 1] and inside[at]) or (inside[at + len(needle) - 1] and inside[at + len(needle)]))
        )
        for at in range(1, len(text) - len(needle))
    )


@pytest.mark.parametrize("short", [50_000, -1], ids=["walked", "compiled"])
@given(st.lists(pieces, max_size=6), st.builds(Term, pieces, st.booleans()))
def test_finds_just_the_texts_that_hold_the_term(short: int, texts: list[str], term: Term) -> None:
    """Both ways of searching the joined texts agree with trying each place of each text."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match, "_SHORT_TEXT", short)
        found = Haystack(texts).find(term)
    assert [index for index, text in enumerate(texts) if by_place(term, text)] == found


@pytest.mark.parametrize(
    ("term", "text", "held"),
    [
        ("drawer 1", "open drawer 10", False),
        ("drawer 1", "open Drawer 1.", True),
        ("awer 1", "open drawer 1", False),
        ("file", "my_file", False),
        ("/a/b.py", "cat /a/b.py", True),
        ("/a/b.py", "cat /a/b.pyc", False),
        (".py", "b.py", True),
        ("strasse", "STRAßE", True),
        ("aa", "aaa", False),
        ("a a", "xa a a", True),
        ("", "anything", False),
    ],
)
def test_token_boundaries(term: str, text: str, held: bool) -> None:  # noqa: FBT001
    """A term that begins or ends with a word character does not match inside a longer word."""
    assert held == occurs(Term(term), text)


def test_anywhere_is_a_substring() -> None:
    """A term may ask to match inside words."""
    assert occurs(Term("awer 1", anywhere=True), "drawer 10")


@pytest.mark.parametrize("anywhere", [False, True])
def test_long_repetitions_take_no_square_of_time(anywhere: bool) -> None:  # noqa: FBT001
    """A long term that nearly matches everywhere is searched for in one pass (this would take minutes otherwise)."""
    haystack = Haystack(["b" + "a" * 300_000, "a" * 300_000])
    assert ([0, 1] if anywhere else [1]) == haystack.find(Term("a" * (100_000 if anywhere else 300_000), anywhere))
    assert ([0, 1] if anywhere else []) == haystack.find(Term("a" * 1_000, anywhere))
