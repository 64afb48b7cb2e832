"""How much a store holds, against its limits, without counting again at every write."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memkit.errors import TooLarge
from memkit.store.limits import Limits
from memkit.store.scan import Signature

_UNKNOWN = -1


class Usage:
    """Files and bytes, known as of a generation. Only for the holder of the store's lock."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._as_of = _UNKNOWN
        self._files = 0
        self._bytes = 0

    def grow(
        self, files: int, size: int, *, path: str, generation: int, scan: Callable[[], Mapping[str, Signature]]
    ) -> None:
        """Take in a change of `files` files and `size` bytes that is about to raise `generation` by one.

        Raises TooLarge. Call `forget` when the change then fails.
        """
        if self._as_of != generation:
            signatures = scan().values()
            self._files = len(signatures)
            self._bytes = sum(signature.size for signature in signatures)
        if files > 0 and self._files + files > self._limits.files:
            raise TooLarge(f"The store holds its limit of {self._limits.files} files; delete some first.", path=path)
        if size > 0 and self._bytes + size > self._limits.store_bytes:
            raise TooLarge(
                f"The store would be over its limit of {self._limits.store_bytes} bytes; delete some files first.",
                path=path,
            )
        self._files += files
        self._bytes += size
        self._as_of = generation + 1

    def forget(self) -> None:
        """Count afresh next time."""
        self._as_of = _UNKNOWN
