"""Reading a whole store."""

from __future__ import annotations

from pathlib import Path

from memkit.store.files import Store
from memkit.store.texts import MARKDOWN, read_texts


def test_texts_and_faults(store: Store, tmp_path: Path) -> None:
    """Texts by path, of the suffix asked for, and a sentence for what is no text."""
    store.create("/memories/a.md", "A\n")
    store.create("/memories/b.txt", "B\n")
    (tmp_path / "memory" / "memories" / "c.md").write_bytes(b"\xff")
    fault = '"/memories/c.md" is not UTF-8 text: the byte at 0 does not fit.'

    assert ({"/memories/a.md": "A\n", "/memories/b.txt": "B\n"}, {"/memories/c.md": fault}) == read_texts(store)
    assert ({"/memories/a.md": "A\n"}, {"/memories/c.md": fault}) == read_texts(store, MARKDOWN)
