"""What counts as text, and sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.errors import NotText
from memkit.store.content import decode, encode

PATH = "/memories/a.md"


@given(st.binary())
def test_decoding_is_lossless(data: bytes) -> None:
    """Bytes either come back exactly or are no text."""
    try:
        text = decode(data, PATH)
    except NotText:
        return
    assert data == encode(text, PATH)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\0", '"/memories/a.md" is not text: it has a NUL byte at 1.'),
        (b"ab\xff", '"/memories/a.md" is not UTF-8 text: the byte at 2 does not fit.'),
        (b"\xed\xa0\x80", '"/memories/a.md" is not UTF-8 text: the byte at 0 does not fit.'),
        ("é".encode("latin-1"), '"/memories/a.md" is not UTF-8 text: the byte at 0 does not fit.'),
    ],
)
def test_not_text(data: bytes, message: str) -> None:
    """Binary, other encodings and surrogates are refused with their place."""
    with pytest.raises(NotText) as caught:
        decode(data, PATH)

    assert message == str(caught.value)


@pytest.mark.parametrize("text", ["a\ud83d", "\0", "\udcff"])
def test_unwritable_text(text: str) -> None:
    """Text that could not be read back is refused before it is written."""
    with pytest.raises(NotText):
        encode(text, PATH)
