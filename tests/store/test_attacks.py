"""Hostile names, links, races, sizes and encodings: each is refused or harmless, and leaves no trace."""

from __future__ import annotations

import errno
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from memkit.errors import AlreadyExists, MemkitError, NotFound, PathRefused, StoreError, TooLarge
from memkit.store.files import Store
from memkit.store.root import Opener, best_opener, open_by_openat2, open_by_walk

Action: TypeAlias = Callable[[Store, str], object]

REFUSED = {
    "dot-dot": [
        "/memories/../x",
        "/memories/a/../../x",
        "/memories/..",
        "/memories/a/../b",
        "/memories/./a",
        "/memories/.",
    ],
    "prefix twin": ["/memoriesX", "/memories_bak/f", "/memories.md", "/Memories/a"],
    "absolute, relative": ["/etc/passwd", "a.md", "memories/a.md", "", "/", "//memories/a", " /memories/a", "~/a"],
    "empty name": ["/memories/", "/memories//a", "/memories/a/", "/memories/a//b"],
    "drive, UNC, backslash": [
        "C:\\x",
        "\\\\host\\share",
        "..\\x",
        "/memories/..\\x",
        "/memories/a\\b",
        "/memories/C:/x",
        "/memories/a:b",
    ],
    "encoded": ["/memories/%2e%2e%2fx", "/memories/%2E%2E/x", "/memories/a%2Fb", "/memories/a%5cb"],
    "other forms of dots": [
        "/memories/\uff0e\uff0e/x",
        "/memories/\u2025",
        "/memories/\uff0e",
        "/memories/a\uff0f..\uff0fb",
        "/memories/\u2024\u2024",
    ],
    "NUL and controls": [
        "/memories/a\0b",
        "/memories/a\nb",
        "/memories/a\rb",
        "/memories/\x1b[2J",
        "/memories/a\x7f",
        "/memories/a\x85",
        "/memories/a\u2028b",
    ],
    "direction": ["/memories/a\u202egpj.md", "/memories/\u2066a", "/memories/a\u200f", "/memories/\u061ca"],
    "half a pair": ["/memories/\ud83d", "/memories/a\udcff/b", "\ud83d"],
    "spaces and dots at the ends": [
        "/memories/ a",
        "/memories/a ",
        "/memories/a.",
        "/memories/a./b",
        "/memories/a /b",
        "/memories/\u00a0a",
        "/memories/...",
    ],
    "devices": [
        "/memories/CON",
        "/memories/con.md",
        "/memories/NUL.tar.gz",
        "/memories/aux/a",
        "/memories/COM1",
        "/memories/lpt9.txt",
        "/memories/COM\u00b9",
        "/memories/con .md",
    ],
    "long": [
        "/memories/" + "a" * 256,
        "/memories/" + "é" * 128,
        "/memories/" + "/".join(["a" * 200] * 6),
        "/memories" + "/d" * 33,
        "/memories/" + "a" * 10**6,
    ],
    "internal": [
        "/memories/.tmp-1",
        "/memories/.git/x",
        "/memories/.lock",
        "/memories/a/.hidden/b",
        "/memories/.../x",
        "/memories/.a.md",
    ],
}
TAKEN = [
    "~",
    "-rf",
    "--help",
    "a%20b",
    "a..b",
    "\u2026x",
    "\uff0ea",
    "COM",
    "CONSOLE.md",
    "a.con",
    "𝒶",
    "👩\u200d🚀.md",
    "é" * 127,
    "$(x)",
    "'\"`",
    "*?",
]

ACTIONS: dict[str, Action] = {
    "read": lambda store, path: store.read(path),
    "read_bytes": lambda store, path: store.read_bytes(path),
    "entries": lambda store, path: store.entries(path),
    "exists": lambda store, path: store.exists(path),
    "is_dir": lambda store, path: store.is_dir(path),
    "create": lambda store, path: store.create(path, "evil"),
    "write": lambda store, path: store.write(path, "evil"),
    "str_replace": lambda store, path: store.str_replace(path, "secret", "evil"),
    "insert": lambda store, path: store.insert(path, 0, "evil"),
    "delete": lambda store, path: store.delete(path),
    "rename from": lambda store, path: store.rename(path, "/memories/stolen.md"),
    "rename to": lambda store, path: store.rename("/memories/keep.md", path),
}
LOOKS = {"exists", "is_dir"}


@pytest.fixture(params=[open_by_walk] + ([open_by_openat2] if best_opener() is open_by_openat2 else []))
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A store with one file, and a secret outside of it, for each way to resolve names."""
    opener: Opener = request.param
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    root = tmp_path / "memory" / "memories"
    store = Store.make(root)
    store.write("/memories/keep.md", "kept")
    return Store(root, opener=opener)


def snapshot(directory: Path) -> dict[str, object]:
    """Every name below a directory with what it is and holds; the lock aside."""
    found: dict[str, object] = {}
    for path in sorted(directory.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() and status.st_size < 10**6 else None
        if path.name != ".lock":
            found[str(path.relative_to(directory))] = (status.st_ino, status.st_mode, content)
    return found


def attempt(action: Action, store: Store, path: str) -> object:
    """What an action gives, or the error it meets."""
    try:
        return action(store, path)
    except StoreError as error:
        return error


def refuse_all(store: Store, path: str, tmp_path: Path, kinds: type[StoreError] | tuple[type[StoreError], ...]) -> None:
    """Every action on `path` is refused with a clean message, and nothing on the disk changes."""
    before = snapshot(tmp_path)
    for name, action in ACTIONS.items():
        if name in LOOKS and not isinstance(outcome := attempt(action, store, path), StoreError):
            assert outcome is False, name
            continue
        with pytest.raises(kinds) as caught:
            action(store, path)

        assert str(caught.value).isprintable(), name
        assert str(tmp_path) not in str(caught.value), name
        assert len(str(caught.value)) < 600, name
    assert before == snapshot(tmp_path)


@pytest.mark.parametrize("row", REFUSED)
def test_refused_names(world: Store, tmp_path: Path, row: str) -> None:
    """A name outside the rules is refused by every action before any file is touched."""
    for path in REFUSED[row]:
        with pytest.raises(PathRefused):
            world.exists(path)
        refuse_all(world, path, tmp_path, PathRefused)


@pytest.mark.parametrize("name", TAKEN)
def test_odd_names_that_are_fine(world: Store, name: str) -> None:
    """Names that only look dangerous are ordinary."""
    path = f"/memories/{name}"
    world.create(path, "x")
    world.rename(path, "/memories/a/" + name)

    assert [f"/memories/a/{name}", "/memories/keep.md"] == world.paths()
    assert world.read(f"/memories/a/{name}") == "x"

    world.delete(f"/memories/a/{name}")


@pytest.mark.parametrize(
    "target",
    ["../../outside/secret.md", "../../outside", "keep.md", "nowhere", "planted", "/proc/self/root", "/dev/zero"],
)
def test_links(world: Store, tmp_path: Path, target: str) -> None:
    """A link, wherever it leads, is refused by every action and not listed."""
    (tmp_path / "memory" / "memories" / "planted").symlink_to(target)
    refuse_all(world, "/memories/planted", tmp_path, (PathRefused, AlreadyExists))

    assert ["/memories/keep.md"] == world.paths() == [entry.path for entry in world.entries()]


def test_paths_through_a_link(world: Store, tmp_path: Path) -> None:
    """Nothing is reached through a linked folder."""
    (tmp_path / "memory" / "memories" / "planted").symlink_to("../../outside")
    refuse_all(world, "/memories/planted/secret.md", tmp_path, PathRefused)
    refuse_all(world, "/memories/planted/new/secret.md", tmp_path, PathRefused)


def test_specials(world: Store, tmp_path: Path) -> None:
    """Pipes, sockets and devices are refused by every action without waiting, and not listed."""
    root = tmp_path / "memory" / "memories"
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket"))
    names = ["pipe", "socket"]
    try:
        os.mknod(root / "device", 0o20666, os.makedev(1, 5))
        names.append("device")
    except PermissionError:
        pass  # Only root makes devices.
    for name in names:
        refuse_all(world, f"/memories/{name}", tmp_path, (PathRefused, AlreadyExists, NotFound))

    assert world.paths() == ["/memories/keep.md"]


def test_folder_with_links_is_deleted(world: Store, tmp_path: Path) -> None:
    """Deleting a folder unlinks the links in it and leaves what they point to."""
    folder = tmp_path / "memory" / "memories" / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "link").symlink_to("../../../../outside")
    (folder / ".hidden").write_text("")
    os.mkfifo(folder / "pipe")
    world.delete("/memories/folder")

    assert not folder.exists()
    assert (tmp_path / "outside" / "secret.md").read_text() == "secret"


def test_linked_root(world: Store, tmp_path: Path) -> None:
    """A root that is a link is refused."""
    (tmp_path / "linked").symlink_to("outside")
    with pytest.raises(PathRefused):
        Store(tmp_path / "linked")
    with pytest.raises(PathRefused):
        Store.make(tmp_path / "linked")


@pytest.mark.parametrize("name", [".lock", "generation"])
def test_linked_internals(world: Store, tmp_path: Path, name: str) -> None:
    """The store's own files beside the root are not followed either."""
    (tmp_path / "memory" / name).unlink()
    (tmp_path / "memory" / name).symlink_to("../outside/secret.md")
    with pytest.raises(StoreError):
        world.write("/memories/keep.md", "new")

    assert (tmp_path / "outside" / "secret.md").read_text() == "secret"


def test_hard_link(world: Store, tmp_path: Path) -> None:
    """Writing to a name leaves other names of the same file as they were."""
    (tmp_path / "memory" / "memories" / "a.md").hardlink_to(tmp_path / "outside" / "secret.md")
    world.str_replace("/memories/a.md", "secret", "changed")
    world.write("/memories/a.md", "again")

    assert (tmp_path / "outside" / "secret.md").read_text() == "secret"


@pytest.mark.parametrize("new", ["/memories/b.md", "/memories/d", "/memories/A.md", "/memories/a.md"])
@pytest.mark.parametrize("old", ["/memories/a.md", "/memories/c"])
def test_rename_onto(world: Store, tmp_path: Path, old: str, new: str) -> None:
    """No rename replaces a file, a folder, or its own name in another case."""
    for path in ("/memories/a.md", "/memories/b.md", "/memories/c/x.md", "/memories/d/y.md"):
        world.create(path, path)
    before = snapshot(tmp_path)
    with pytest.raises(StoreError):
        world.rename(old, new)

    assert before == snapshot(tmp_path)


def test_swapped_folder(world: Store, tmp_path: Path) -> None:
    """While a thread swaps a folder for a link to outside, no read or write gets outside."""
    root = tmp_path / "memory" / "memories"
    (root / "folder").mkdir()
    (root / "folder" / "secret.md").write_text("inside")
    outside = snapshot(tmp_path / "outside")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "folder").rename(root / "kept")
            (root / "folder").symlink_to("../../outside")
            (root / "folder").unlink()
            (root / "kept").rename(root / "folder")

    thread = threading.Thread(target=swap)
    thread.start()
    outcomes = {True: 0, False: 0}
    end = time.monotonic() + 5
    try:
        while min(outcomes.values()) < 20 and time.monotonic() < end:
            for action in (
                lambda: world.str_replace("/memories/folder/secret.md", "side", "side"),
                lambda: world.insert("/memories/folder/secret.md", 0, "x"),
                lambda: world.load("/memories/folder/secret.md", world.scan()["/memories/folder/secret.md"]),
            ):
                try:
                    action()
                    outcomes[True] += 1
                except (KeyError, StoreError):
                    outcomes[False] += 1
    finally:
        stop.set()
        thread.join()

    assert outside == snapshot(tmp_path / "outside")
    assert "inside" in world.read("/memories/folder/secret.md")


def test_node_modules(world: Store) -> None:
    """The folder may exist and be used, and is not listed."""
    world.create("/memories/node_modules/a.md", "x")

    assert world.paths() == ["/memories/keep.md"]
    assert world.read("/memories/node_modules/a.md") == "x"


def test_internals_are_out_of_reach(world: Store, tmp_path: Path) -> None:
    """Hidden files that are there cannot be read, listed or deleted."""
    (tmp_path / "memory" / "memories" / ".tmp-x").write_text("secret")
    refuse_all(world, "/memories/.tmp-x", tmp_path, PathRefused)

    assert world.paths() == ["/memories/keep.md"]


def test_huge_file(world: Store, tmp_path: Path) -> None:
    """A file over the limit is refused by its size, unread."""
    with (tmp_path / "memory" / "memories" / "huge.md").open("wb") as file:
        file.truncate(1 << 40)
    for name in ("read", "read_bytes", "str_replace", "insert"):
        with pytest.raises(TooLarge):
            ACTIONS[name](world, "/memories/huge.md")

    assert world.scan()["/memories/huge.md"].size == 1 << 40


def test_unreadable_name_on_disk(world: Store, tmp_path: Path) -> None:
    """Names on the disk that are no text are left out, and do not get in the way."""
    (tmp_path / "memory" / "memories" / os.fsdecode(b"\xff")).write_text("")
    world.create("/memories/new.md", "")

    assert world.paths() == ["/memories/keep.md", "/memories/new.md"]


def test_removed_root(world: Store, tmp_path: Path) -> None:
    """When the directory is gone from under the store, actions say so."""
    (tmp_path / "memory" / "memories").rename(tmp_path / "outside" / "moved")
    assert world.read("/memories/keep.md") == "kept"
    (tmp_path / "outside" / "moved" / "keep.md").unlink()
    (tmp_path / "outside" / "moved").rmdir()
    for action in (lambda: world.read("/memories/keep.md"), lambda: world.create("/memories/a/b.md", "")):
        with pytest.raises(NotFound):
            action()


def test_file_size_limit_of_the_process(tmp_path: Path) -> None:
    """A write cut short by the system is an error that leaves the old content and no temporary file."""
    resource = pytest.importorskip("resource")
    signal = pytest.importorskip("signal")
    store = Store.make(tmp_path / "memories")
    store.write("/memories/a.md", "old")
    old_limit, old_handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old_limit[1]))
    try:
        with pytest.raises(TooLarge) as caught:
            store.write("/memories/a.md", "x" * 2000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old_limit)
        signal.signal(signal.SIGXFSZ, old_handler)

    assert getattr(caught.value.__cause__, "errno", None) == errno.EFBIG
    assert [path.name for path in (tmp_path / "memories").iterdir()] == ["a.md"]
    assert store.read("/memories/a.md") == "old"


def test_errors_are_ours(world: Store) -> None:
    """Whatever is passed as a path, only memkit's own errors come out."""
    for path in (None, 7, b"/memories/a", ["/memories/a"], Path("/memories/a")):
        for action in ACTIONS.values():
            with pytest.raises(MemkitError):
                action(world, path)  # type: ignore[arg-type]
