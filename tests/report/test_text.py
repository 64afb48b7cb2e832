from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memkit.report.text import UNSAFE, clean, cut, cut_middle


@given(st.text(st.characters()))
def test_clean(text: str) -> None:
    """Nothing unsafe is left, nothing else changes, and cleaning again changes nothing."""
    cleaned = clean(text)

    assert None is UNSAFE.search(cleaned)
    assert cleaned == clean(cleaned)
    assert [c for c in text.replace("\r\n", "\n") if not UNSAFE.match(c)] == [
        kept for kept, was in zip(cleaned, text.replace("\r\n", "\n"), strict=True) if not UNSAFE.match(was)
    ]


@given(st.text(), st.integers(1, 50))
def test_cut(text: str, characters: int) -> None:
    """No more characters than asked for, and a text that fits is kept."""
    short = cut(text, characters)

    assert characters >= len(short)
    assert (short == text) or (short.endswith("…") and text.startswith(short[:-1]))


@given(st.text(), st.integers(3, 50))
def test_cut_middle(text: str, characters: int) -> None:
    """The beginning and the end stay, and the gap says how much is left out."""
    short = cut_middle(text, characters)

    if len(text) <= characters:
        assert text == short
    else:
        assert f"\n[… {len(text) - characters:,} characters left out …]\n" in short
        assert (text[: characters * 2 // 3], text[characters * 2 // 3 - characters :]) == (
            short[: characters * 2 // 3],
            short[characters * 2 // 3 - characters :],
        )
