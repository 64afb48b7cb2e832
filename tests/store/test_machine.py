"""Any history of operations leaves the store as a plain dict of texts would be."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from memkit.errors import AlreadyExists, BadLine, ManyMatches, NoMatch, NotFound, PathRefused, StoreError
from memkit.store.files import Store
from memkit.store.lines import split_lines
from memkit.store.root import Opener, best_opener, open_by_walk

Parts: TypeAlias = tuple[str, ...]

paths = st.lists(st.sampled_from(["a", "A", "b", "é", "E\u0301", "c.md"]), min_size=1, max_size=3).map(tuple)
texts = st.lists(st.sampled_from(["a", "b", "ab", "é", "\n", "\r\n", "\r"]), max_size=6).map("".join)
pieces = st.sampled_from(["a", "b", "ab", "é", "\n", "zz"])


def nfc(parts: Parts) -> Parts:
    """The only name here that is not in NFC, put right."""
    return tuple("É" if name == "E\u0301" else name for name in parts)


def virtual(parts: Parts) -> str:
    """The path of names below the root."""
    return "/memories/" + "/".join(parts)


class Model:
    """Files as texts and folders as names; says which error an operation meets."""

    def __init__(self) -> None:
        self.files: dict[Parts, str] = {}
        self.folders: set[Parts] = {()}

    def has(self, parts: Parts) -> bool:
        return parts in self.files or parts in self.folders

    def twin(self, parts: Parts) -> bool:
        """Whether the folder of `parts` has its name, in any case."""
        return any(
            other[:-1] == parts[:-1] and other[-1].casefold() == parts[-1].casefold()
            for other in [*self.files, *self.folders]
            if other
        )

    def new(self, parts: Parts) -> type[StoreError] | None:
        """What making `parts` meets."""
        for depth in range(1, len(parts)):
            if parts[:depth] in self.files:
                return NotFound
            if parts[:depth] not in self.folders:
                return AlreadyExists if self.twin(parts[:depth]) else None
        return AlreadyExists if self.twin(parts) else None

    def put(self, parts: Parts, text: str) -> None:
        self.files[parts] = text
        self.folders |= {parts[:depth] for depth in range(len(parts))}

    def below(self, parts: Parts) -> Iterator[Parts]:
        return (other for other in [*self.files, *self.folders] if other[: len(parts)] == parts)

    def drop(self, parts: Parts) -> None:
        for other in list(self.below(parts)):
            self.files.pop(other, None)
            self.folders.discard(other)


class StoreMachine(RuleBasedStateMachine):
    """The store beside the model."""

    opener: Opener = staticmethod(best_opener())

    def __init__(self) -> None:
        super().__init__()
        self.directory = Path(tempfile.mkdtemp())
        root = self.directory / "memories"
        root.mkdir()
        self.store = Store(root, opener=self.opener)
        self.model = Model()
        self.changes = 0

    def teardown(self) -> None:
        shutil.rmtree(self.directory)

    def expect(self, error: type[StoreError] | None, change: Callable[[], object]) -> bool:
        """Make the change, which meets just this error; whether it was made."""
        if error is None:
            change()
            self.changes += 1
            return True
        with pytest.raises(error) as caught:
            change()
        assert error is caught.type
        return False

    @rule(path=paths, text=texts)
    def create(self, path: Parts, text: str) -> None:
        parts = nfc(path)
        if self.expect(self.model.new(parts), lambda: self.store.create(virtual(path), text)):
            self.model.put(parts, text)

    @rule(path=paths, text=texts)
    def write(self, path: Parts, text: str) -> None:
        parts = nfc(path)
        error = None if parts in self.model.files else self.model.new(parts)
        if self.expect(error, lambda: self.store.write(virtual(path), text)):
            self.model.put(parts, text)

    @rule(path=paths, old=pieces, new=texts)
    def str_replace(self, path: Parts, old: str, new: str) -> None:
        parts = nfc(path)
        text = self.model.files.get(parts, "").replace("\r\n", "\n")
        count = sum(text.startswith(old, at) for at in range(len(text)))
        error = NotFound if parts not in self.model.files else {0: NoMatch, 1: None}.get(count, ManyMatches)
        if self.expect(error, lambda: self.store.str_replace(virtual(path), old, new)):
            after = self.store.read(virtual(path))
            wanted = text.replace(old, new.replace("\r\n", "\n"), 1)
            # Which breaks the new text got is for test_edits; here it is the lines that count.
            assert wanted.replace("\r\n", "\n") == after.replace("\r\n", "\n") or "\r" in new + text
            self.model.files[parts] = after

    @rule(path=paths, line=st.integers(-1, 5), new=st.sampled_from(["x", "y\nz\n"]))
    def insert(self, path: Parts, line: int, new: str) -> None:
        parts = nfc(path)
        lines = split_lines(self.model.files.get(parts, ""))
        error = NotFound if parts not in self.model.files else None if 0 <= line <= len(lines) else BadLine
        if self.expect(error, lambda: self.store.insert(virtual(path), line, new)):
            after = self.store.read(virtual(path))
            assert [*lines[:line], *split_lines(new), *lines[line:]] == split_lines(after) or lines[-1].endswith("\r")
            self.model.files[parts] = after

    @rule(path=paths)
    def delete(self, path: Parts) -> None:
        parts = nfc(path)
        error = None if self.model.has(parts) else NotFound
        if self.expect(error, lambda: self.store.delete(virtual(path))):
            self.model.drop(parts)

    @rule(old=paths, new=paths)
    def rename(self, old: Parts, new: Parts) -> None:
        source, target = nfc(old), nfc(new)
        if len(target) > len(source) and target[: len(source)] == source:
            error: type[StoreError] | None = PathRefused
        else:
            error = self.model.new(target) if self.model.has(source) else NotFound
        if self.expect(error, lambda: self.store.rename(virtual(old), virtual(new))):
            moved = {target + other[len(source) :]: self.model.files.get(other) for other in self.model.below(source)}
            self.model.drop(source)
            self.model.folders |= {target[:depth] for depth in range(len(target))}
            for parts, text in moved.items():
                if text is None:
                    self.model.folders.add(parts)
                else:
                    self.model.files[parts] = text

    @rule()
    def reopen(self) -> None:
        self.store = Store(self.directory / "memories", opener=self.opener)

    @rule()
    def crash(self) -> None:
        """A writer died and left its mark and a temporary file."""
        (self.directory / ".lock").write_text("99999")
        (self.directory / "memories" / ".tmp-left").write_text("x")
        self.store.write("/memories/swept.md", "")
        self.store.delete("/memories/swept.md")
        self.changes += 3  # The sweep counts as a change.

    @invariant()
    def same(self) -> None:
        listed = sorted([*self.model.files, *(self.model.folders - {()})])
        assert [virtual(parts) for parts in listed] == [entry.path for entry in self.store.entries()]
        assert {virtual(parts): text for parts, text in self.model.files.items()} == {
            path: self.store.load(path, signature).decode() for path, signature in self.store.scan().items()
        }
        assert self.changes == self.store.generation

    @invariant()
    def nothing_else_on_disk(self) -> None:
        found = [name for _, folders, files in os.walk(self.directory / "memories") for name in [*folders, *files]]
        assert len(self.model.files) + len(self.model.folders) - 1 == len(found)


class WalkMachine(StoreMachine):
    """The same where the system call for whole paths is missing."""

    opener = staticmethod(open_by_walk)


TestStore = StoreMachine.TestCase
TestWalk = WalkMachine.TestCase
# A history that goes wrong is short; the long profile tries more of them.
TestStore.settings = TestWalk.settings = settings(stateful_step_count=30)
