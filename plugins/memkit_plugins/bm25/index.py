"""The search index of a store: brought up to date before every search, and never the reason that one fails.

On disk it lies in the memory's `index/bm25/<options>/` and may be lost, torn or made by another version at any time:
it is then built anew beside its place and moved there. Where it cannot be written or locked, a search uses one in
memory instead, so that no answer is ever older than the store.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path

from attrs import frozen

from memkit import ROOT, Analyzer, Store, StoreError
from memkit_plugins.bm25.engine import BUILD_HEAP_BYTES, UPDATE_HEAP_BYTES, Damaged, Engine
from memkit_plugins.bm25.state import FileSignature, IndexedFile, State, read_state, state_stamp, write_state
from memkit_plugins.bm25.units import UnitKind, units_of
from memkit_plugins.bm25.windows import Averages, inverse_frequency, window_totals

TEMPORARY = "tmp-"


@frozen
class Options:
    """What makes one index of a store unlike another: `unit` is what is ranked, `stemming` joins English word forms."""

    unit: UnitKind = "line"
    stemming: bool = True

    @property
    def digest(self) -> str:
        """Names the directory of the index."""
        return sha256(f"{self.unit} {self.stemming}".encode()).hexdigest()[:12]


@frozen
class Candidates:
    """What one look-up in the index gives.

    `files` are paths with signatures, likeliest first; `weights` those of the terms that occur at all; `capped` says
    that more units match than were looked at.
    """

    files: dict[str, FileSignature]
    weights: dict[str, float]
    averages: Averages
    capped: bool


@frozen
class _Live:
    engine: Engine
    state: State
    stamp: FileSignature


class Index:
    """The index of one store. Not for several threads at once."""

    def __init__(
        self, store: Store, directory: Path, lock: AbstractContextManager[object], options: Options = Options()
    ) -> None:
        """`directory` is the memory's `index/`; `lock` the memory's, held while the index is written."""
        self.store = store
        self.options = options
        self.analyzer = Analyzer(stemming=options.stemming)
        self._directory = directory / "bm25" / options.digest
        self._lock = lock
        self._live: _Live | None = None
        self._in_memory = False

    def refresh(self) -> None:
        """Bring the index to what the store holds now. Only files that changed are read."""
        self._refreshed()

    def candidates(self, terms: Sequence[str], *, limit: int, within: str = ROOT) -> Candidates:
        """The files whose best units are among the `limit` best, of those at or below the path `within`."""
        try:
            return self._look_up(self._refreshed(), terms, limit, within)
        except Damaged:
            self._live = None
            shutil.rmtree(self._directory, ignore_errors=True)
            return self._look_up(self._refreshed(), terms, limit, within)

    def _look_up(self, live: _Live, terms: Sequence[str], limit: int, within: str) -> Candidates:
        engine, state = live.engine, live.state
        ordinals = None
        if within != ROOT:
            below = within + "/"
            ordinals = [file.ordinal for path, file in state.files.items() if path == within or path.startswith(below)]
        hits = engine.hits(terms, limit, within=ordinals)
        paths = dict.fromkeys(state.paths[ordinal] for ordinal, _ in hits if ordinal in state.paths)
        weights = {
            term: inverse_frequency(state.units, frequency)
            for term in terms
            if (frequency := engine.frequency(term, exact=state.removed))
        }
        files = {path: state.signatures[path] for path in paths}
        return Candidates(files, weights, state.averages, capped=len(hits) >= limit)

    def _refreshed(self) -> _Live:
        found = self.store.scan()
        live = self._live
        if not self._in_memory and (live is None or live.stamp != state_stamp(self._directory)):
            live = self._load()
        if live is None or live.state.signatures != found:
            live = self._brought_to(found)
        self._live = live
        return live

    def _load(self) -> _Live | None:
        stamp = state_stamp(self._directory)
        state = read_state(self._directory)
        if state is None:
            return None
        try:
            return _Live(Engine.open(self._directory, state.commit), state, stamp)
        except Damaged:
            return None

    def _brought_to(self, found: Mapping[str, FileSignature]) -> _Live:
        if not self._in_memory:
            try:
                with self._lock:
                    return self._disk_brought_to(found)
            except (StoreError, OSError, Damaged):
                # No right to write here, a full disk, a lock held for long: all of it is answered from memory.
                self._in_memory, self._live = True, None
        if self._live is None or _mostly_new(self._live.state, found):
            return self._built(None, found)
        return self._amended(self._live, None, found)

    def _disk_brought_to(self, found: Mapping[str, FileSignature]) -> _Live:
        live = self._live
        if live is None or live.stamp != state_stamp(self._directory):
            live = self._load()  # Another process may have done it while this one waited for the lock.
        if live is not None and live.state.signatures != found:
            try:
                live = None if _mostly_new(live.state, found) else self._amended(live, self._directory, found)
            except Damaged:
                live = None
        return live or self._replaced(found)

    def _replaced(self, found: Mapping[str, FileSignature]) -> _Live:
        """Build beside the place of the index and move it there."""
        above = self._directory.parent
        above.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in above.glob(f"{TEMPORARY}*"):
            shutil.rmtree(left, ignore_errors=True)
        new, old = (above / f"{TEMPORARY}{secrets.token_hex(8)}" for _ in range(2))
        new.mkdir(mode=0o700)
        self._built(new, found)
        if os.path.lexists(self._directory):
            self._directory.rename(old)
        new.rename(self._directory)
        shutil.rmtree(old, ignore_errors=True)
        live = self._load()
        if live is None:
            raise Damaged("the index cannot be read back")
        return live

    def _built(self, directory: Path | None, found: Mapping[str, FileSignature]) -> _Live:
        empty = _Live(Engine.create(directory), State(0, {}, 0), ())
        return self._amended(empty, directory, found)

    def _amended(self, live: _Live, directory: Path | None, found: Mapping[str, FileSignature]) -> _Live:
        """Replace the documents of changed files, in one commit."""
        files = {path: file for path, file in live.state.files.items() if found.get(path) == file.signature}
        gone = [file.ordinal for path, file in live.state.files.items() if path not in files]
        changed = {path: signature for path, signature in found.items() if path not in files}
        start = live.state.next_ordinal
        units = self._units(changed, start, files)
        commit = live.engine.update(gone, units, heap=UPDATE_HEAP_BYTES if live.state.files else BUILD_HEAP_BYTES)
        state = State(commit, files, start + len(changed), removed=live.state.removed or bool(gone))
        if directory is not None:
            write_state(directory, state)
        return _Live(live.engine, state, state_stamp(directory) if directory else ())

    def _units(
        self, changed: Mapping[str, FileSignature], start: int, files: dict[str, IndexedFile]
    ) -> Iterator[tuple[int, int, list[str]]]:
        """(ordinal, line, terms) of every unit of the changed files, which are noted in `files` as they pass."""
        for ordinal, (path, signature) in enumerate(changed.items(), start):
            units = units_of(self.read(path, signature), self.options.unit, self.analyzer)
            files[path] = IndexedFile(signature, ordinal, len(units), window_totals(units))
            for unit in units:
                yield ordinal, unit.line, unit.terms

    def read(self, path: str, signature: FileSignature) -> bytes:
        """The content of a file; empty when it went away or cannot be read, which the next scan will tell."""
        try:
            return self.store.load(path, signature)  # type: ignore[arg-type]
        except StoreError:
            return b""


def _mostly_new(state: State, found: Mapping[str, FileSignature]) -> bool:
    """Whether so much changed that building anew costs less, and leaves no deleted documents behind."""
    kept = sum(found.get(path) == signature for path, signature in state.signatures.items())
    return kept * 2 < len(state.files) + len(found) - kept
