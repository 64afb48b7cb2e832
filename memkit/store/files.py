"""The store: files under the virtual root `/memories`, kept in one directory.

Reads take no lock and see each file whole. A write takes the lock around its whole read-modify-write, lasts once
it returns, and leaves the old content or the new, never a mix. Beside the directory lie `.lock` and `generation`.

Every method raises StoreError subclasses only; messages name virtual paths only. An error means that nothing was
changed, but for the disk failing in the very last step, which the message says.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memkit.errors import AlreadyExists, StoreError
from memkit.store import atomic, edits, scan
from memkit.store.cache import ContentCache
from memkit.store.content import check_size, decode, encode, read_file
from memkit.store.edits import Edit
from memkit.store.faults import faults, special
from memkit.store.folders import check_free, new_name
from memkit.store.generation import Generation
from memkit.store.limits import DEFAULT_LIMITS, Limits
from memkit.store.lock import Lock
from memkit.store.paths import ROOT, Parts, parse, refused, shown, virtual
from memkit.store.root import DIRECTORY_MODE, READ_FILE, Opener, Root
from memkit.store.scan import Entry, Signature
from memkit.store.usage import Usage

__all__ = ["ROOT", "Edit", "Entry", "Limits", "Signature", "Store"]

LOCK_NAME = ".lock"
GENERATION_NAME = "generation"

_NOTHING_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


class Store:
    """The files of one memory. May be used from several threads; any number of objects may share a directory."""

    def __init__(
        self, root: Path, *, limits: Limits = DEFAULT_LIMITS, lock: Lock | None = None, opener: Opener | None = None
    ) -> None:
        """Open the directory `root`; NotFound when it is absent. `lock` is the memory's, shared by all who lock it."""
        self.limits = limits
        self.lock = lock or Lock(root.parent / LOCK_NAME)
        with faults(ROOT):
            self._root = Root(root, opener=opener)
        self._generation = Generation(root.parent / GENERATION_NAME)
        self._usage = Usage(limits)
        self._cache = ContentCache()

    @classmethod
    def make(cls, root: Path, *, limits: Limits = DEFAULT_LIMITS, lock: Lock | None = None) -> Store:
        """Open the directory `root`, making it and its parents when absent."""
        with faults(ROOT):
            root.mkdir(DIRECTORY_MODE, parents=True, exist_ok=True)
        return cls(root, limits=limits, lock=lock)

    @property
    def generation(self) -> int:
        """A number that every change raises, made by whichever process."""
        with faults(ROOT):
            return self._generation.read()

    def frozen(self) -> Store:
        """A view for a time when nobody changes the store: it scans once, and refuses to write."""
        return _FrozenStore(self)

    # Reading.

    def entries(self, path: str = ROOT, *, depth: int | None = None) -> list[Entry]:
        """Everything below the folder `path`, down to `depth` names, ordered by the names of the path."""
        parts = parse(path, self.limits)
        with faults(path):
            nodes = scan.walk(self._root, parts, self.limits)
        return scan.entries(nodes, virtual(parts), depth)

    def paths(self) -> list[str]:
        """Every file, in the order of `entries`."""
        return list(self.scan())

    def exists(self, path: str) -> bool:
        """Whether `path` is a file or folder of the store."""
        mode = self._mode(path)
        return stat.S_ISREG(mode) or stat.S_ISDIR(mode)

    def is_dir(self, path: str) -> bool:
        """Whether `path` is a folder of the store."""
        return stat.S_ISDIR(self._mode(path))

    def read(self, path: str) -> str:
        """The text of a file, from which writing makes the same bytes."""
        return decode(self.read_bytes(path), path)

    def read_bytes(self, path: str) -> bytes:
        """The content of a file."""
        return self._read(path)[1]

    def scan(self) -> dict[str, Signature]:
        """The signature of every file, in the order of `paths`, from one walk over the directories."""
        with faults(ROOT):
            nodes = scan.walk(self._root, (), self.limits)
        return {path: signature for path, signature in nodes if signature is not None}

    def load(self, path: str, signature: Signature) -> bytes:
        """The content of a file, from memory when it was loaded under the same signature.

        When the file has changed since `signature` was taken, this is the new content.
        """
        data = self._cache.get(path, signature)
        if data is None:
            actual, data = self._read(path)
            self._cache.put(path, actual, data)
        return data

    # Writing.

    def create(self, path: str, text: str) -> None:
        """Make a new file, and the folders to it. Raises AlreadyExists, also for a name that differs in case only."""
        parts, data = self._target(path), self._data(path, text)
        with self._change(path), new_name(self._root, parts) as parent:
            check_free(parent, parts[-1], path)
            self._grow(path, 1, len(data))
            atomic.create(parent, parts[-1], data)

    def write(self, path: str, text: str) -> None:
        """Make a file or replace its whole content. Raises AlreadyExists when the name is a folder's."""
        parts, data = self._target(path), self._data(path, text)
        with self._change(path), new_name(self._root, parts) as parent:
            name = parts[-1]
            try:
                old = os.stat(name, dir_fd=parent, follow_symlinks=False)
            except FileNotFoundError:
                check_free(parent, name, path)
                self._grow(path, 1, len(data))
                atomic.create(parent, name, data)
                return
            if stat.S_ISDIR(old.st_mode):
                raise AlreadyExists(f"{shown(path)} is a folder; write to a file in it.", path=path)
            if not stat.S_ISREG(old.st_mode):
                raise special(path)
            self._grow(path, 0, len(data) - old.st_size)
            atomic.replace(parent, name, data)

    def str_replace(self, path: str, old: str, new: str) -> Edit:
        """Replace the one occurrence of `old`; see `memkit.store.edits`. Raises NoMatch or ManyMatches."""
        encode(old, path)
        encode(new, path)
        return self._edit(path, lambda text: edits.str_replace(path, text, old, new))

    def insert(self, path: str, line: int, text: str) -> Edit:
        """Insert whole lines after line `line`, 0 being the top; see `memkit.store.edits`. Raises BadLine."""
        encode(text, path)
        return self._edit(path, lambda present: edits.insert(path, present, line, text))

    def delete(self, path: str) -> None:
        """Remove a file, or a folder with all in it. Links inside a folder are removed, never followed."""
        parts = self._target(path)
        with self._change(path), self._root.directory(parts[:-1]) as parent:
            mode = os.stat(parts[-1], dir_fd=parent, follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                atomic.remove_directory(parent, parts[-1])
            elif stat.S_ISREG(mode):
                atomic.remove_file(parent, parts[-1])
            else:
                raise special(path)

    def rename(self, old: str, new: str) -> None:
        """Move a file or folder, making the folders to its new name. Raises AlreadyExists, never replaces."""
        source, target = self._target(old), self._target(new)
        if len(target) > len(source) and target[: len(source)] == source:
            raise refused(new, f"it is inside {shown(old)}; a folder cannot move into itself")
        with self._change(old), self._root.directory(source[:-1]) as from_:
            mode = os.stat(source[-1], dir_fd=from_, follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                self._check_moved(source, target)
            elif not stat.S_ISREG(mode):
                raise special(old)
            with faults(new), new_name(self._root, target) as to:
                check_free(to, target[-1], new)
                atomic.rename(from_, source[-1], to, target[-1])

    # How.

    def _mode(self, path: str) -> int:
        """The file mode of `path`; 0 when there is nothing, or a link leads there."""
        parts = parse(path, self.limits)
        with faults(path):
            try:
                return self._root.status(parts).st_mode
            except OSError as error:
                if error.errno in _NOTHING_THERE:
                    return 0
                raise

    def _read(self, path: str) -> tuple[Signature, bytes]:
        parts = parse(path, self.limits)
        with faults(path), self._root.file(parts) as fd:
            return read_file(fd, path, self.limits.file_bytes)

    def _target(self, path: str) -> Parts:
        """The names of a path that is to change."""
        parts = parse(path, self.limits)
        if not parts:
            raise refused(path, "it is the store itself; name a file or folder in it")
        return parts

    def _data(self, path: str, text: str) -> bytes:
        data = encode(text, path)
        check_size(len(data), path, self.limits.file_bytes)
        return data

    @contextmanager
    def _change(self, path: str) -> Iterator[None]:
        """Hold the lock around a change, and raise the generation after it."""
        with self.lock, faults(path):
            self._tidy()
            try:
                yield
            except BaseException as error:
                self._usage.forget()
                if isinstance(error, atomic.Unconfirmed):
                    self._generation.bump()
                raise
            self._generation.bump()

    def _tidy(self) -> None:
        """After a writer died: remove its temporary files, and raise the generation in case it had not."""
        if not self.lock.abandoned:
            return
        folders = [path for path, signature in scan.walk(self._root, (), self.limits) if signature is None]
        for folder in (ROOT, *folders):
            with suppress(OSError), self._root.directory(parse(folder, self.limits)) as fd:
                atomic.sweep(fd)
        self._generation.bump()
        self.lock.abandoned = False

    def _grow(self, path: str, files: int, size: int) -> None:
        self._usage.grow(files, size, path=path, generation=self._generation.read(), scan=self.scan)

    def _edit(self, path: str, edit: Callable[[str], Edit]) -> Edit:
        parts = self._target(path)
        with self._change(path), self._root.directory(parts[:-1]) as parent:
            fd = os.open(parts[-1], READ_FILE, dir_fd=parent)
            try:
                _, before = read_file(fd, path, self.limits.file_bytes)
            finally:
                os.close(fd)
            done = edit(decode(before, path))
            after = self._data(path, done.text)
            self._grow(path, 0, len(after) - len(before))
            atomic.replace(parent, parts[-1], after)
        return done

    def _check_moved(self, source: Parts, target: Parts) -> None:
        """Everything below a folder must fit the rules for paths at its new place."""
        below = len(virtual(source))
        for node in scan.walk(self._root, source, self.limits):
            parse(virtual(target) + node.path[below:], self.limits)


class _FrozenStore(Store):
    """See `Store.frozen`."""

    def __init__(self, store: Store) -> None:
        self.__dict__.update(store.__dict__)
        self._fixed_generation = store.generation
        self._scanned: dict[str, Signature] | None = None

    @property
    def generation(self) -> int:
        return self._fixed_generation

    def scan(self) -> dict[str, Signature]:
        if self._scanned is None:
            self._scanned = super().scan()
        return dict(self._scanned)

    def _target(self, path: str) -> Parts:
        raise StoreError("The memory is open for reading only; open it for writing to change it.", path=path)
