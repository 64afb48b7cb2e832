"""What a command made of its copy, brought back to the store: all of it, or nothing with the reason.

Nothing is taken for what it claims to be: every file is looked at without following a link, and its mode, owner and
times stay behind.
"""

from __future__ import annotations

import stat
import unicodedata
from collections.abc import Callable, Iterator

from attrs import field, frozen

from memkit import ROOT, MemkitError, PathRefused, Store, StoreError
from memkit_plugins.shell import trees
from memkit_plugins.shell.copies import Copy
from memkit_plugins.shell.trees import Found

_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Refused(MemkitError):
    """The result is not stored, none of it or not all; the message is for the model."""


@frozen
class Changes:
    """Texts to store by path, and paths to remove: files, and the outermost of the folders that are gone."""

    created: dict[str, str] = field(factory=dict)
    changed: dict[str, str] = field(factory=dict)
    removed: tuple[str, ...] = ()
    removed_folders: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.created or self.changed or self.removed or self.removed_folders)

    def summary(self) -> str:
        """How many files were created, changed and removed."""
        counts = {"created": len(self.created), "changed": len(self.changed), "removed": len(self.removed)}
        return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count) or "folders removed"


def bring_back(copy: Copy) -> Changes:
    """Store what a command changed in `copy`, whose processes are all dead. Raises Refused, StoreError."""
    changes = find_changes(copy)
    if changes:
        with copy.store.lock:
            if not copy.is_current():
                raise Refused("someone else changed the memory while the command ran; look again and repeat it")
            _apply(changes, copy.store)
    return changes


def find_changes(copy: Copy) -> Changes:
    """How the copy differs from what was copied. Raises Refused for anything a store does not hold."""
    seen = _Seen(copy)
    try:
        for found in copy.walk():
            seen.take(found)
    except trees.TooDeep:
        raise Refused(f"folders are more than {copy.store.limits.depth} deep") from None
    except OSError as error:
        raise Refused(f"the result cannot be read ({error.strerror})") from None
    seen.check_size()
    gone = sorted(copy.folders - seen.folders)
    outermost = [folder for folder in gone if folder.rpartition("/")[0] not in gone]
    # With a folder goes what was in it.
    removed = [path for path in copy.signatures if path not in seen.files]
    return Changes(seen.created, seen.changed, tuple(removed), tuple(outermost))


class _Seen:
    """Takes in what is found, one after another, and tells what is new and what has changed."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.files: set[str] = set()
        self.folders: set[str] = set()
        self.created: dict[str, str] = {}
        self.changed: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._bytes = 0

    def take(self, found: Found) -> None:
        """Check one file or folder and remember how it differs. Raises Refused."""
        path = self._checked_path(found)
        mode = found.status.st_mode
        if mode & (stat.S_ISUID | stat.S_ISGID):
            raise Refused(f"{path} has a set-user-ID or set-group-ID bit")
        if found.is_folder:
            self.folders.add(path)
            return
        if not stat.S_ISREG(mode):
            raise Refused(f"{path} is {_KINDS.get(stat.S_IFMT(mode), 'no file')}; a store holds files and folders only")
        if found.status.st_nlink != 1:
            raise Refused(f"{path} is a hard link; copy files with cp")
        self._take_file(path, found)

    def check_size(self) -> None:
        """Raise Refused when the store would be over a limit."""
        limits = self.copy.store.limits
        if len(self.files) > limits.files and self.created:
            raise Refused(f"the store would have more than {limits.files:,} files")
        if self._bytes > limits.store_bytes and (self.created or self.changed):
            raise Refused(f"the store would have more than {limits.store_bytes:,} bytes")

    def _checked_path(self, found: Found) -> str:
        path = unicodedata.normalize("NFC", "/".join((ROOT, *found.names)))
        if path not in self.copy.signatures and path not in self.copy.folders:
            try:
                self.copy.store.exists(path)
            except PathRefused as refusal:
                raise Refused(str(refusal)) from None
        other = self._names.setdefault(_fold(path), path)
        if other != path or path in self.files or path in self.folders:
            raise Refused(f"the names {other} and {path} differ only in case or accent form")
        return path

    def _take_file(self, path: str, found: Found) -> None:
        limits = self.copy.store.limits
        data = trees.read_file(found, limits.file_bytes)
        if data is None:
            raise Refused(f"{path} is over the limit of {limits.file_bytes:,} bytes a file")
        self.files.add(path)
        self._bytes += len(data)
        before = self.copy.signatures.get(path)
        if before is None:
            self.created[path] = _text(data, path)
        elif self.copy.store.load(path, before) != data:
            self.changed[path] = _text(data, path)


def _text(data: bytes, path: str) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not UTF-8 text: the byte at {error.start} does not fit") from None
    if "\0" in text:
        raise Refused(f"{path} is not text: it has a NUL byte")
    return text


def _fold(path: str) -> str:
    return unicodedata.normalize("NFC", path.casefold())


def _apply(changes: Changes, store: Store) -> None:
    """Make the changes one by one, new texts before removals where names allow, so that a crash loses nothing."""
    gone = {_fold(path) for path in (*changes.removed, *changes.removed_folders)}
    late = [path for path in changes.created if not gone.isdisjoint(_prefixes(_fold(path)))]
    steps: list[tuple[Callable[..., None], tuple[str, ...]]] = [
        *((store.write, (path, text)) for path, text in changes.changed.items()),
        *((store.create, (path, text)) for path, text in changes.created.items() if path not in late),
        *((store.delete, (path,)) for path in _removals(changes)),
        *((store.create, (path, changes.created[path])) for path in late),
    ]
    for number, (step, arguments) in enumerate(steps):
        try:
            step(*arguments)
        except StoreError as error:
            raise Refused(f"{error} {number} of {len(steps)} changes had been stored by then") from error


def _removals(changes: Changes) -> Iterator[str]:
    for path in changes.removed:
        if not any(path.startswith(f"{folder}/") for folder in changes.removed_folders):
            yield path
    yield from changes.removed_folders


def _prefixes(path: str) -> Iterator[str]:
    """The path and the folders to it."""
    while path != ROOT:
        yield path
        path = path.rpartition("/")[0]
