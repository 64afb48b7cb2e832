"""Walking a store."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from memkit.store.files import Entry, Store
from memkit.store.scan import Signature


def plant(root: Path) -> None:
    """Things a store holds, and things it leaves out."""
    for path in (
        "b.md",
        "a/x.md",
        "a-b.md",
        "a/.hidden/y.md",
        "node_modules/z.md",
        ".tmp-1",
        "e\u0301.md",
        "CON.md",
        "é.md",
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("12345")
    (root / "a" / "link.md").symlink_to("x.md")
    (root / "folder-link").symlink_to("a")
    os.mkfifo(root / "pipe")
    (root / os.fsdecode(b"\xff.md")).write_text("")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket"))
    (root / "empty").mkdir()


def test_listing(tmp_path: Path) -> None:
    """Files and folders under names the store takes are listed in order, folders with their whole size."""
    store = Store.make(tmp_path / "memories")
    plant(tmp_path / "memories")

    assert [
        Entry("/memories/a", is_dir=True, size=5),
        Entry("/memories/a/x.md", is_dir=False, size=5),
        Entry("/memories/a-b.md", is_dir=False, size=5),
        Entry("/memories/b.md", is_dir=False, size=5),
        Entry("/memories/empty", is_dir=True, size=0),
        Entry("/memories/é.md", is_dir=False, size=5),
    ] == store.entries()
    assert store.paths() == ["/memories/a/x.md", "/memories/a-b.md", "/memories/b.md", "/memories/é.md"]


def test_depth_counts_from_the_folder(store: Store) -> None:
    """A listing to some depth still counts what is below it in the sizes."""
    store.write("/memories/a/b/c/d.md", "1234")
    store.write("/memories/a/b/e.md", "1")

    assert [Entry("/memories/a/b", is_dir=True, size=5)] == store.entries("/memories/a", depth=1)
    assert [(entry.path, entry.size) for entry in store.entries("/memories/a", depth=2)] == [
        ("/memories/a/b", 5),
        ("/memories/a/b/c", 4),
        ("/memories/a/b/e.md", 1),
    ]
    assert store.entries(depth=0) == []


def test_planted_depth_is_cut(tmp_path: Path) -> None:
    """A tree deeper than any path of the store ends at the limit."""
    store = Store.make(tmp_path / "memories")
    (tmp_path / "memories" / Path(*["d"] * 200)).mkdir(parents=True)

    assert store.limits.depth == len(store.entries())


def test_signature_changes_with_every_write(store: Store, tmp_path: Path) -> None:
    """Writing the same bytes again is seen; reading is not."""
    signatures = set()
    for _ in range(50):
        store.write("/memories/a.md", "same")
        store.read("/memories/a.md")
        signatures.add(store.scan()["/memories/a.md"])
        signatures.add(store.scan()["/memories/a.md"])
    status = (tmp_path / "memory" / "memories" / "a.md").stat()

    assert len(signatures) == 50
    assert Signature(status.st_ino, status.st_size, status.st_mtime_ns) in signatures
