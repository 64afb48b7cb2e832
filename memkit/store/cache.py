"""A bounded memory of file contents, shared by whatever reads a store again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from memkit.store.limits import MIB
from memkit.store.scan import Signature

CAPACITY_BYTES = 64 * MIB


class ContentCache:
    """Contents by path and signature; the least recently used go first. Safe to use from several threads."""

    def __init__(self, capacity: int = CAPACITY_BYTES) -> None:
        self._capacity = capacity
        self._held = 0
        self._contents: OrderedDict[str, tuple[Signature, bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, path: str, signature: Signature) -> bytes | None:
        """The content, when it is held under just this signature."""
        with self._lock:
            found = self._contents.get(path)
            if found is None or found[0] != signature:
                return None
            self._contents.move_to_end(path)
            return found[1]

    def put(self, path: str, signature: Signature, data: bytes) -> None:
        """Hold a content, in place of any other of that path; one over the whole capacity is not held."""
        with self._lock:
            self._drop(path)
            if len(data) > self._capacity:
                return
            self._contents[path] = (signature, data)
            self._held += len(data)
            while self._held > self._capacity:
                self._drop(next(iter(self._contents)))

    def _drop(self, path: str) -> None:
        old = self._contents.pop(path, None)
        if old is not None:
            self._held -= len(old[1])
