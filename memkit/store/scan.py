"""Walking a store: every file and folder with its signature, in one pass over the directories.

Hidden names, links, special files, names the store would not take and `node_modules` are left out. The order
is that of the names of a path compared one by one, so a folder comes right before what is in it.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from attrs import frozen

from memkit.store.limits import Limits
from memkit.store.paths import UNLISTED, Parts, name_problem, virtual
from memkit.store.root import READ_DIRECTORY, Root


class Signature(NamedTuple):
    """Equal signatures of a path mean equal content: every write makes a new file."""

    inode: int
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> Signature:
        """The signature of a file from its status."""
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)


class Node(NamedTuple):
    """A file, or a folder when `signature` is None."""

    path: str
    signature: Signature | None


@frozen
class Entry:
    """A file or folder as listed. `size` is in bytes; for a folder, of all the files below it."""

    path: str
    is_dir: bool
    size: int


def walk(root: Root, parts: Parts, limits: Limits) -> list[Node]:
    """Everything below the folder `parts`. Raises OSError."""
    nodes: list[Node] = []
    with root.directory(parts) as fd:
        _walk(fd, virtual(parts), limits.depth - len(parts), limits.name_bytes, nodes)
    return nodes


def _walk(directory: int, path: str, depth: int, name_bytes: int, nodes: list[Node]) -> None:
    if depth <= 0:
        return
    with os.scandir(directory) as found:
        entries = sorted((entry for entry in found if _listed(entry.name, name_bytes)), key=_name)
    for entry in entries:
        below = f"{path}/{entry.name}"
        try:
            if entry.is_file(follow_symlinks=False):
                nodes.append(Node(below, Signature.of(entry.stat(follow_symlinks=False))))
            elif entry.is_dir(follow_symlinks=False):
                fd = os.open(entry.name, READ_DIRECTORY, dir_fd=directory)
                try:
                    nodes.append(Node(below, None))
                    _walk(fd, below, depth - 1, name_bytes, nodes)
                finally:
                    os.close(fd)
        except (FileNotFoundError, NotADirectoryError):
            continue  # Another writer removed or replaced it since the directory was read.


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _listed(name: str, name_bytes: int) -> bool:
    return name_problem(name, name_bytes) is None and name not in UNLISTED and unicodedata.is_normalized("NFC", name)


def entries(nodes: Iterable[Node], base: str, depth: int | None) -> list[Entry]:
    """The listing of what a walk of `base` found, down to `depth` names below it, folders with their whole size."""
    nodes = list(nodes)
    sizes = dict.fromkeys((node.path for node in nodes if node.signature is None), 0)
    for path, signature in nodes:
        if signature is not None:
            while (path := path.rpartition("/")[0]) != base:
                sizes[path] += signature.size
    above = base.count("/")
    return [
        Entry(path, signature is None, sizes[path] if signature is None else signature.size)
        for path, signature in nodes
        if depth is None or path.count("/") - above <= depth
    ]
