"""How large a store and its names may grow."""

from __future__ import annotations

from attrs import frozen

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB


@frozen
class Limits:
    """Caps of one store; an operation over a cap is refused before anything is written.

    `name_bytes`, `path_bytes` and `depth` are those that common filesystems and archive formats can
    carry. `path_bytes` counts the whole virtual path in UTF-8, `depth` the names below `/memories`.
    `file_bytes` and `store_bytes` count content; hidden files and links count for nothing.
    """

    file_bytes: int = 4 * MIB
    files: int = 200_000
    store_bytes: int = GIB
    name_bytes: int = 255
    path_bytes: int = 1024
    depth: int = 32


DEFAULT_LIMITS = Limits()
