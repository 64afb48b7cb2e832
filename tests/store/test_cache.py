"""The bounded memory of contents."""

from __future__ import annotations

from memkit.store.cache import ContentCache
from memkit.store.scan import Signature

ONE, TWO = Signature(1, 4, 0), Signature(2, 4, 0)


def test_only_the_same_signature_hits() -> None:
    """A content is given back under its own signature, and replaced by a newer one."""
    cache = ContentCache()
    cache.put("a", ONE, b"1111")

    assert (cache.get("a", ONE), cache.get("a", TWO), cache.get("b", ONE)) == (b"1111", None, None)

    cache.put("a", TWO, b"2222")

    assert (cache.get("a", ONE), cache.get("a", TWO)) == (None, b"2222")


def test_least_recently_used_goes_first() -> None:
    """Over capacity the content that was not asked for longest is dropped."""
    cache = ContentCache(capacity=8)
    cache.put("a", ONE, b"1111")
    cache.put("b", ONE, b"1111")
    cache.get("a", ONE)
    cache.put("c", ONE, b"1111")

    assert (cache.get("a", ONE), cache.get("b", ONE), cache.get("c", ONE)) == (b"1111", None, b"1111")


def test_content_over_the_capacity() -> None:
    """A content larger than the whole is not held, drops the old one of its path, and keeps the rest."""
    cache = ContentCache(capacity=8)
    cache.put("a", ONE, b"1111")
    cache.put("b", ONE, b"1111")
    cache.put("a", TWO, b"2" * 9)

    assert (cache.get("a", ONE), cache.get("a", TWO), cache.get("b", ONE)) == (None, None, b"1111")
