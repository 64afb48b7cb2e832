"""The counter beside a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from memkit.errors import NoMatch
from memkit.store.files import Store
from memkit.store.generation import Generation


def test_shared_between_objects(tmp_path: Path) -> None:
    """A change through one object shows in another, and after opening anew."""
    one, other = Generation(tmp_path / "generation"), Generation(tmp_path / "generation")

    assert other.read() == 0
    assert (one.bump(), other.bump()) == (1, 2)
    assert (one.read(), Generation(tmp_path / "generation").read()) == (2, 2)


def test_damaged_file_starts_over(tmp_path: Path) -> None:
    """A counter that is no number counts from the start."""
    (tmp_path / "generation").write_text("x" * 100)

    assert Generation(tmp_path / "generation").bump() == 1


def test_every_change_and_only_a_change(store: Store) -> None:
    """Each kind of write raises it once; reads and refused writes do not."""
    store.create("/memories/a.md", "a\n")
    store.write("/memories/a.md", "b\n")
    store.str_replace("/memories/a.md", "b", "c")
    store.insert("/memories/a.md", 1, "d")
    store.rename("/memories/a.md", "/memories/b/c.md")
    store.delete("/memories/b")
    store.write("/memories/a.md", "b\n")
    with pytest.raises(NoMatch):
        store.str_replace("/memories/a.md", "z", "")
    store.paths()

    assert store.generation == 7
