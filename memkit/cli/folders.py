"""The store that a directory on the command line names: a memory's, or a bare folder of markdown files."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from memkit.errors import UserError
from memkit.memory import MANIFEST_NAME, STORE_NAME, Memory
from memkit.store.files import ROOT, Store


@frozen
class Folder:
    """A store and where it lies; `bare` says that it belongs to no memory."""

    root: Path
    store: Store
    bare: bool

    def file(self, path: str) -> str:
        """The file on disk that a virtual path names."""
        return str(self.root.joinpath(*path.removeprefix(ROOT).split("/")[1:]))


def open_folder(path: Path) -> Folder:
    """Open the memory at `path`, the memory whose store it is, or the folder itself. Raises UserError."""
    if (path / MANIFEST_NAME).exists():
        return Folder(path / STORE_NAME, Memory.open(path).store, bare=False)
    real = path.resolve()
    if real.name == STORE_NAME and (real.parent / MANIFEST_NAME).exists():
        return Folder(path, Memory.open(real.parent).store, bare=False)
    if not real.is_dir():
        raise UserError(f"{path} is no directory; name a memory or a folder of markdown files")
    return Folder(path, Store(real), bare=True)
