"""What a turn mentions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.events.turns import MENTIONS, mentions


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hey gina, how was it?", ("Gina",)),
        ("Virginia and regina came", ()),
        ("We saw New York and Lake Tahoe. Then home.", ("New York", "Lake Tahoe")),
        ("Beautiful day! I met Anna's mother.", ("Anna",)),
        ("New York is big", ("New York",)),
        ("Thanks Mel! Hi There.", ("Mel",)),
        ('I read "Becoming Nicole" and “Dune”.', ("Becoming Nicole", "Dune")),
        ("I'm OK, and I think so", ()),
        ("", ()),
    ],
)
def test_mentions(text: str, found: tuple[str, ...]) -> None:
    """Speakers as whole words in any case, capitalised names, quoted strings; not the first word of a sentence."""
    assert found == mentions(text, ["Gina"])


@given(st.text(), st.lists(st.text(max_size=5), max_size=3))
def test_any_text(text: str, speakers: list[str]) -> None:
    """No text raises; mentions are bounded and distinct."""
    found = mentions(text, speakers)
    assert len(set(found)) == len(found) <= MENTIONS
