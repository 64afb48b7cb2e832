"""The store's promises, one by one; attacks, crashes and random histories are tested beside this."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memkit.errors import AlreadyExists, NoMatch, NotFound, NotText, PathRefused, StoreError
from memkit.store.files import ROOT, Edit, Store
from memkit.store.lines import BOM


@pytest.fixture
def root(store: Store, tmp_path: Path) -> Path:
    """The real directory of `store`."""
    return tmp_path / "memory" / "memories"


def test_create_makes_folders(store: Store) -> None:
    """A new file comes with the folders to it."""
    store.create("/memories/people/ana.md", "hi\n")

    assert store.read("/memories/people/ana.md") == "hi\n"
    assert store.is_dir("/memories/people")
    assert store.paths() == ["/memories/people/ana.md"]


@pytest.mark.parametrize(
    ("present", "wanted"),
    [
        ("/memories/a.md", "/memories/a.md"),
        ("/memories/a.md", "/memories/A.md"),
        ("/memories/A/b.md", "/memories/a/c.md"),
        ("/memories/straße.md", "/memories/STRASSE.md"),
        ("/memories/e\u0301.md", "/memories/\u00c9.md"),
        ("/memories/a/b.md", "/memories/a"),
    ],
)
def test_taken_names(store: Store, present: str, wanted: str) -> None:
    """A name that exists, also in another case, refuses create and rename, and nothing changes."""
    store.create(present, "old")
    store.create("/memories/other.md", "")
    for change in (lambda: store.create(wanted, "new"), lambda: store.rename("/memories/other.md", wanted)):
        with pytest.raises(AlreadyExists):
            change()

    assert store.read(present) == "old"
    assert len(store.paths()) == 2


def test_normal_forms_are_one_name(store: Store, root: Path) -> None:
    """A name is stored in NFC and found in either form."""
    store.create("/memories/e\u0301.md", "x")

    assert [path.name for path in root.iterdir()] == ["\u00e9.md"]
    assert "x" == store.read("/memories/e\u0301.md") == store.read("/memories/\u00e9.md")


def test_write_replaces_whole(store: Store, root: Path) -> None:
    """Writing again leaves only the new content, and a reader that has the file open keeps the old."""
    store.write("/memories/a.md", "old and longer")
    with (root / "a.md").open() as reader:
        store.write("/memories/a.md", "new")

        assert reader.read() == "old and longer"
    assert store.read("/memories/a.md") == "new"


def test_write_to_a_folder(store: Store) -> None:
    """A folder is not replaced by a file."""
    store.write("/memories/a/b.md", "")
    with pytest.raises(AlreadyExists):
        store.write("/memories/a", "")


@pytest.mark.parametrize(
    "change",
    [
        lambda store: store.create("/memories/a.md/b.md", ""),
        lambda store: store.write("/memories/a.md/b.md", ""),
        lambda store: store.rename("/memories/b.md", "/memories/a.md/b.md"),
        lambda store: store.read("/memories/a.md/b.md"),
        lambda store: store.read("/memories/none.md"),
        lambda store: store.read("/memories/folder"),
        lambda store: store.read(ROOT),
        lambda store: store.entries("/memories/a.md"),
        lambda store: store.entries("/memories/none"),
        lambda store: store.str_replace("/memories/none.md", "a", "b"),
        lambda store: store.insert("/memories/none/a.md", 0, "b"),
        lambda store: store.insert("/memories/folder", 0, "b"),
        lambda store: store.delete("/memories/none/a.md"),
        lambda store: store.rename("/memories/none.md", "/memories/new/a.md"),
    ],
)
def test_not_found(store: Store, change: Callable[[Store], object]) -> None:
    """What is not there, or would be inside a file, is NotFound, and no folder is made."""
    for path in ("/memories/a.md", "/memories/b.md", "/memories/folder/c.md"):
        store.create(path, "a")
    before = store.entries()
    with pytest.raises(NotFound):
        change(store)

    assert before == store.entries()


def test_str_replace_gives_the_edit(store: Store, root: Path) -> None:
    """The edit has the new text and its lines, and the bytes around it are untouched."""
    (root / "a.md").write_bytes((BOM + "a\r\nb\nc\r").encode())
    edit = store.str_replace("/memories/a.md", "b", "x\ny")

    assert Edit("/memories/a.md", BOM + "a\r\nx\r\ny\nc\r", 2, 3) == edit
    assert edit.text.encode() == (root / "a.md").read_bytes()


def test_insert(store: Store, root: Path) -> None:
    """Line 0 is the top, after the byte order mark."""
    (root / "a.md").write_bytes((BOM + "a").encode())
    store.insert("/memories/a.md", 0, "top")
    store.insert("/memories/a.md", 2, "end")

    assert store.read("/memories/a.md") == BOM + "top\na\nend\n"


@pytest.mark.parametrize("data", [b"a\xff", b"a\0", "a".encode("utf-16")])
def test_never_rewrites_what_is_not_text(store: Store, root: Path, data: bytes) -> None:
    """A file that does not decode is refused by edits and stays as it is; its bytes can be read."""
    (root / "a.md").write_bytes(data)
    for change in (
        lambda: store.str_replace("/memories/a.md", "a", "b"),
        lambda: store.insert("/memories/a.md", 0, "b"),
        lambda: store.read("/memories/a.md"),
    ):
        with pytest.raises(NotText):
            change()

    assert data == (root / "a.md").read_bytes() == store.read_bytes("/memories/a.md")


@pytest.mark.parametrize("text", ["a\ud800", "\0"])
def test_text_that_is_none(store: Store, text: str) -> None:
    """Half a surrogate pair or NUL in any text argument is refused before anything is written."""
    store.write("/memories/a.md", "a\n")
    for change in (
        lambda: store.create("/memories/b.md", text),
        lambda: store.write("/memories/a.md", text),
        lambda: store.str_replace("/memories/a.md", text, "b"),
        lambda: store.str_replace("/memories/a.md", "a", text),
        lambda: store.insert("/memories/a.md", 0, text),
    ):
        with pytest.raises(NotText):
            change()

    assert {path: store.read(path) for path in store.paths()} == {"/memories/a.md": "a\n"}


def test_delete(store: Store, root: Path) -> None:
    """A file goes alone, a folder with all in it, and nothing hidden stays behind."""
    for path in ("/memories/a/b/c.md", "/memories/a/d.md", "/memories/e.md"):
        store.create(path, "")
    store.delete("/memories/e.md")
    store.delete("/memories/a")

    assert [] == store.entries() == list(root.iterdir())


def test_root_stays(store: Store) -> None:
    """The root cannot be deleted, renamed, written or taken as a new name."""
    store.write("/memories/a.md", "")
    for change in (
        lambda: store.delete(ROOT),
        lambda: store.rename(ROOT, "/memories/b"),
        lambda: store.rename("/memories/a.md", ROOT),
        lambda: store.create(ROOT, ""),
        lambda: store.write(ROOT, ""),
        lambda: store.insert(ROOT, 0, ""),
    ):
        with pytest.raises(PathRefused):
            change()

    assert store.paths() == ["/memories/a.md"]


def test_rename(store: Store) -> None:
    """A file or folder moves with its content, and the folders to its new name are made."""
    store.create("/memories/a/b.md", "1")
    store.rename("/memories/a", "/memories/x/y")
    store.rename("/memories/x/y/b.md", "/memories/c.md")

    assert [entry.path for entry in store.entries()] == ["/memories/c.md", "/memories/x", "/memories/x/y"]
    assert store.read("/memories/c.md") == "1"


def test_rename_into_itself(store: Store) -> None:
    """A folder cannot move below itself; a name that only begins alike is no trouble."""
    store.create("/memories/a/b.md", "")
    with pytest.raises(PathRefused):
        store.rename("/memories/a", "/memories/a/c/d")
    store.rename("/memories/a", "/memories/ab")

    assert store.paths() == ["/memories/ab/b.md"]


def test_rename_checks_what_is_below(store: Store) -> None:
    """A folder cannot move where its files would have paths that are too long or too deep."""
    store.create(f"/memories/a/{'x' * 200}/{'y' * 200}/b.md", "")
    with pytest.raises(PathRefused):
        store.rename("/memories/a", "/memories/" + "/".join("z" * 200 for _ in range(4)))

    assert len(store.paths()) == 1
    assert not store.exists("/memories/" + "z" * 200)


def test_private_modes(store: Store, root: Path) -> None:
    """Files and folders are for their owner only."""
    store.create("/memories/a/b.md", "")

    assert [stat.S_IMODE(path.stat().st_mode) for path in (root, root / "a", root / "a/b.md")] == [0o700, 0o700, 0o600]


def test_exists(store: Store) -> None:
    """Files and folders exist, the root too; names through a file do not, and bad ones are refused."""
    store.create("/memories/a/b.md", "")

    assert [
        store.exists(path) for path in (ROOT, "/memories/a", "/memories/a/b.md", "/memories/c", "/memories/a/b.md/c")
    ] == [True, True, True, False, False]
    assert [store.is_dir(path) for path in (ROOT, "/memories/a", "/memories/a/b.md")] == [True, True, False]
    with pytest.raises(PathRefused):
        store.exists("/memories/../a")


def test_load_follows_changes(store: Store) -> None:
    """A load by the current signature is the current content; by an old one it is never older."""
    store.write("/memories/a.md", "1")
    old = store.scan()["/memories/a.md"]

    assert store.load("/memories/a.md", old) == b"1"

    store.write("/memories/a.md", "2")

    assert store.load("/memories/a.md", store.scan()["/memories/a.md"]) == b"2"
    assert store.load("/memories/a.md", old) == b"2"

    store.delete("/memories/a.md")
    with pytest.raises(NotFound):
        store.load("/memories/a.md", old)


def test_load_reads_once(store: Store, root: Path) -> None:
    """A second load under the same signature needs no file."""
    store.write("/memories/a.md", "1")
    signature = store.scan()["/memories/a.md"]
    store.load("/memories/a.md", signature)
    (root / "a.md").unlink()

    assert store.load("/memories/a.md", signature) == b"1"


def test_frozen(store: Store) -> None:
    """A frozen view reads, scans once, and refuses every change."""
    store.write("/memories/a.md", "1")
    frozen = store.frozen()

    assert frozen.paths() == ["/memories/a.md"]
    for change in (
        lambda: frozen.create("/memories/b.md", ""),
        lambda: frozen.write("/memories/a.md", ""),
        lambda: frozen.str_replace("/memories/a.md", "1", ""),
        lambda: frozen.insert("/memories/a.md", 0, ""),
        lambda: frozen.delete("/memories/a.md"),
        lambda: frozen.rename("/memories/a.md", "/memories/b.md"),
    ):
        with pytest.raises(StoreError):
            change()
    frozen.scan().clear()
    generation = frozen.generation
    store.write("/memories/b.md", "")

    assert frozen.paths() == ["/memories/a.md"]
    assert generation == frozen.generation == store.generation - 1
    assert frozen.read("/memories/a.md") == "1"


def test_absent_root(tmp_path: Path) -> None:
    """Opening a store that is not there makes nothing."""
    with pytest.raises(NotFound):
        Store(tmp_path / "memories")

    assert list(tmp_path.iterdir()) == []


def test_refused_edit_keeps_the_file_itself(store: Store) -> None:
    """An edit that does not apply does not even rewrite the file."""
    store.write("/memories/a.md", "a")
    before = store.scan()
    with pytest.raises(NoMatch):
        store.str_replace("/memories/a.md", "b", "c")

    assert before == store.scan()


def test_locked_section_spans_operations(store: Store) -> None:
    """A caller may hold the store's own lock around several operations."""
    with store.lock:
        before = store.generation
        store.write("/memories/a.md", "1")
        store.write("/memories/b.md", "2")

        assert before + 2 == store.generation


def test_threads_share_one_object(store: Store) -> None:
    """Edits from several threads through one object are all kept, while others read."""
    store.write("/memories/a.md", "")
    done = threading.Event()
    seen = []

    def edit(name: str) -> None:
        for number in range(10):
            store.insert("/memories/a.md", 0, f"{name}{number}")

    def read() -> None:
        while not done.is_set():
            seen.append(store.read("/memories/a.md").count("\n"))

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=edit, args=(name,)) for name in "abcd"]
    for thread in [reader, *writers]:
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()

    assert {f"{name}{number}" for name in "abcd" for number in range(10)} == set(store.read("/memories/a.md").split())
    assert sorted(seen) == seen
