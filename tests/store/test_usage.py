"""Counting against the limits of a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from memkit.errors import TooLarge
from memkit.store.files import Limits, Store


def test_limits_of_the_store(tmp_path: Path) -> None:
    """Files and bytes may reach their limits and not pass them; an error leaves the count as it was."""
    store = Store.make(tmp_path / "memories", limits=Limits(files=2, store_bytes=10))
    store.write("/memories/a.md", "12345")
    store.write("/memories/b.md", "12345")
    for change in (
        lambda: store.create("/memories/new/c.md", ""),
        lambda: store.write("/memories/c.md", ""),
        lambda: store.write("/memories/a.md", "123456"),
        lambda: store.insert("/memories/a.md", 0, ""),
        lambda: store.str_replace("/memories/a.md", "1", "11"),
    ):
        with pytest.raises(TooLarge):
            change()
    store.write("/memories/a.md", "1")
    store.write("/memories/b.md", "123456789")

    assert [entry.path for entry in store.entries()] == ["/memories/a.md", "/memories/b.md"]


def test_counts_what_others_wrote(tmp_path: Path) -> None:
    """Two objects on one directory see each other's files in the count."""
    limits = Limits(files=3)
    one, other = (Store.make(tmp_path / "memories", limits=limits) for _ in range(2))
    one.create("/memories/a.md", "")
    other.create("/memories/b.md", "")
    one.create("/memories/c.md", "")
    with pytest.raises(TooLarge):
        other.create("/memories/d.md", "")
    other.delete("/memories/a.md")
    one.create("/memories/d.md", "")

    assert one.paths() == ["/memories/b.md", "/memories/c.md", "/memories/d.md"]


def test_limit_of_a_file(tmp_path: Path) -> None:
    """A file over its limit is refused when written, edited or read; the message names the limit."""
    store = Store.make(tmp_path / "memories", limits=Limits(file_bytes=4))
    store.write("/memories/a.md", "1234")
    (tmp_path / "memories" / "big.md").write_text("12345")
    for change in (
        lambda: store.write("/memories/a.md", "12345"),
        lambda: store.str_replace("/memories/a.md", "1", "11"),
        lambda: store.read("/memories/big.md"),
        lambda: store.insert("/memories/big.md", 0, ""),
    ):
        with pytest.raises(TooLarge) as caught:
            change()

        assert "limit of 4 bytes" in str(caught.value)
    assert store.read("/memories/a.md") == "1234"
