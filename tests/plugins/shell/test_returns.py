"""Bringing a copy back: changes whole, or nothing with the reason."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from memkit import Memory, Store
from memkit.testing.samples import contents
from memkit_plugins.shell.copies import Copy
from memkit_plugins.shell.returns import Refused, bring_back

BEFORE = {"/memories/a.md": "one\n", "/memories/people/ana.md": "two\n", "/memories/people/bo.md": "three\n"}


@pytest.fixture
def store(memory: Memory) -> Store:
    """A store with three files."""
    for path, text in BEFORE.items():
        memory.store.write(path, text)
    return memory.store


def texts(store: Store) -> dict[str, str]:
    """What a store holds."""
    return {path: data.decode() for path, data in contents(store).items()}


def brought(store: Store, change: Callable[[Path], object]) -> str:
    """The summary after `change` was done to a copy."""
    copy = Copy.of(store)
    change(copy.memories)
    return bring_back(copy).summary()


def test_nothing(store: Store) -> None:
    """A copy that nobody changed changes nothing, and takes no lock."""
    generation = store.generation
    copy = Copy.of(store)

    assert not bring_back(copy)
    assert (BEFORE, generation) == (texts(store), store.generation)


def test_changes(store: Store) -> None:
    """New, changed and removed files are stored each; what was not touched is not written."""

    def change(root: Path) -> None:
        (root / "a.md").write_text("changed")
        (root / "new").mkdir()
        (root / "new" / "é.md").write_text("new")
        (root / "people" / "bo.md").unlink()

    untouched = store.scan()["/memories/people/ana.md"]

    assert "1 created, 1 changed, 1 removed" == brought(store, change)
    assert {"/memories/a.md": "changed", "/memories/new/é.md": "new", "/memories/people/ana.md": "two\n"} == texts(
        store
    )
    assert untouched == store.scan()["/memories/people/ana.md"]


def test_modes_stay_behind(store: Store) -> None:
    """Whatever mode a command gives, files of the store are private."""

    def change(root: Path) -> None:
        (root / "a.md").write_text("x")
        (root / "a.md").chmod(0)
        (root / "open").mkdir(0o777)
        (root / "open" / "x.md").write_text("x")
        (root / "open" / "x.md").chmod(0o777)
        (root / "open").chmod(0)

    brought(store, change)
    kept = Path(f"/proc/self/fd/{store._root._fd}").readlink()

    modes = {
        path.name: oct(path.stat().st_mode & 0o7777) for path in (kept / "a.md", kept / "open", kept / "open/x.md")
    }
    assert {"a.md": "0o600", "open": "0o700", "x.md": "0o600"} == modes


@pytest.mark.parametrize(
    ("old", "new"),
    [("people", "leute"), ("a.md", "A.md"), ("people", "People"), ("people/ana.md", "people/bo2.md"), ("a.md", "é.md")],
)
def test_moves(store: Store, old: str, new: str) -> None:
    """A file or folder that was moved is at its new name alone, also when the names differ in case only."""
    brought(store, lambda root: (root / old).rename(root / new))

    assert {path.replace(f"/memories/{old}", f"/memories/{new}"): text for path, text in BEFORE.items()} == texts(store)
    assert not store.exists(f"/memories/{old}")


def test_file_and_folder_change_places(store: Store) -> None:
    """A folder may take the name of a file, and a file that of a folder."""

    def change(root: Path) -> None:
        (root / "a.md").rename(root / "x")
        (root / "people").rename(root / "a.md")
        (root / "x").rename(root / "people")

    brought(store, change)

    assert {"/memories/a.md/ana.md": "two\n", "/memories/a.md/bo.md": "three\n", "/memories/people": "one\n"} == texts(
        store
    )


def test_emptied_folder_may_become_a_file(store: Store) -> None:
    """A folder without files is in the copy too, so that removing it is noticed."""
    brought(store, lambda root: [file.unlink() for file in (root / "people").iterdir()])
    brought(store, lambda root: ((root / "people").rmdir(), (root / "people").write_text("x")))

    assert {"/memories/a.md": "one\n", "/memories/people": "x"} == texts(store)


def link(root: Path) -> None:
    """A symbolic link to a file of the host."""
    (root / "z.md").symlink_to("/etc/passwd")


def link_in_place(root: Path) -> None:
    """A link where a file was."""
    (root / "a.md").unlink()
    (root / "a.md").symlink_to("people/ana.md")


def folder_link(root: Path) -> None:
    """A link where a folder was."""
    (root / "people").rename(root / "other")
    (root / "people").symlink_to("/etc")


def unix_socket(root: Path) -> None:
    """A socket."""
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(root / "z.md"))


def deep(root: Path) -> None:
    """Folders deeper than paths may be."""
    (root / Path(*["d"] * 40)).mkdir(parents=True)


def twins(root: Path) -> None:
    """Two names that some filesystems take for one."""
    (root / "B.md").write_text("")
    (root / "b.md").write_text("")


def accents(root: Path) -> None:
    """The same name in two normal forms."""
    (root / "e\u0301.md").write_text("")
    (root / "é.md").write_text("")


REFUSALS: dict[str, tuple[Callable[[Path], object], str]] = {
    "link": (link, "/memories/z.md is a symbolic link; a store holds files and folders only"),
    "link in place": (link_in_place, "/memories/a.md is a symbolic link; a store holds files and folders only"),
    "folder link": (folder_link, "/memories/people is a symbolic link; a store holds files and folders only"),
    "hard link": (
        lambda root: (root / "z.md").hardlink_to(root / "a.md"),
        "/memories/a.md is a hard link; copy files with cp",
    ),
    "FIFO": (lambda root: os.mkfifo(root / "z.md"), "/memories/z.md is a pipe; a store holds files and folders only"),
    "socket": (unix_socket, "/memories/z.md is a socket; a store holds files and folders only"),
    "set-user-ID": (lambda root: (root / "a.md").chmod(0o4755), "/memories/a.md has a set-user-ID or set-group-ID bit"),
    "set-group-ID": (
        lambda root: (root / "people").chmod(0o2755),
        "/memories/people has a set-user-ID or set-group-ID bit",
    ),
    "large": (
        lambda root: (root / "z.md").write_bytes(b"x" * (4 * 1024 * 1024 + 1)),
        "/memories/z.md is over the limit of 4,194,304 bytes a file",
    ),
    "not text": (
        lambda root: (root / "a.md").write_bytes(b"a\xff"),
        "/memories/a.md is not UTF-8 text: the byte at 1 does not fit",
    ),
    "NUL": (lambda root: (root / "a.md").write_bytes(b"a\0"), "/memories/a.md is not text: it has a NUL byte"),
    "deep": (deep, 'The path "/memories/d/d'),
    "hidden": (
        lambda root: (root / ".z").write_text(""),
        'The path "/memories/.z" is refused: names that start with "."',
    ),
    "name": (lambda root: (root / "a:b").write_text(""), 'The path "/memories/a:b" is refused: it has a colon'),
    "no UTF-8 name": (lambda root: (root / "z\udcff").write_text(""), 'The path "/memories/z\\udcff" is refused'),
    "twins": (twins, "the names /memories/B.md and /memories/b.md differ only in case or accent form"),
    "accents": (accents, "the names /memories/é.md and /memories/é.md differ only in case or accent form"),
    "gone": (
        lambda root: root.rename(root.with_name("other")),
        "the result cannot be read (No such file or directory)",
    ),
}


@pytest.mark.parametrize(("change", "reason"), REFUSALS.values(), ids=REFUSALS)
def test_refusal(store: Store, change: Callable[[Path], object], reason: str) -> None:
    """What a store does not hold refuses the whole result, the good changes with it, and says why."""
    copy = Copy.of(store)
    (copy.memories / "people" / "good.md").write_text("good")
    change(copy.memories)

    with pytest.raises(Refused) as refusal:
        bring_back(copy)
    assert str(refusal.value).startswith(reason)
    assert BEFORE == texts(store)


def test_limits_of_the_store(store: Store) -> None:
    """A result over a limit of the store is refused before anything of it is stored."""
    reasons = {}
    for name, limits in {
        "files": evolve(store.limits, files=3),
        "bytes": evolve(store.limits, store_bytes=20),
    }.items():
        store.limits = limits
        copy = Copy.of(store)
        (copy.memories / "z.md").write_text("12345678")
        with pytest.raises(Refused) as refusal:
            bring_back(copy)
        reasons[name] = str(refusal.value)

    assert {
        "files": "the store would have more than 3 files",
        "bytes": "the store would have more than 20 bytes",
    } == reasons
    assert BEFORE == texts(store)


def test_conflict(store: Store) -> None:
    """When the store was changed meanwhile nothing is merged."""
    copy = Copy.of(store)
    (copy.memories / "a.md").write_text("mine")
    store.write("/memories/people/bo.md", "theirs")

    with pytest.raises(Refused) as refusal:
        bring_back(copy)
    assert "someone else changed the memory while the command ran; look again and repeat it" == str(refusal.value)
    assert {**BEFORE, "/memories/people/bo.md": "theirs"} == texts(store)
