"""The memory directory: manifest, archive, store, lock and generation, opened as one thing.

```
mymemory/
  memory.toml    the manifest
  archive/       stream.jsonl
  memories/      the store, seen by agents as /memories
  index/         rebuildable search index
  generation     counts changes of the store; .lock names the writer
```
Copying the directory moves the memory.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen, mutable

from memkit.archive import Archive
from memkit.converter import make_converter, structure
from memkit.errors import ConfigError, UserError
from memkit.records import Layout
from memkit.store import atomic
from memkit.store.files import LOCK_NAME, Store
from memkit.store.lock import Lock

SCHEMA = 1
"""Of memory.toml; a memory with a later one is refused."""
MANIFEST_NAME = "memory.toml"
STORE_NAME = "memories"


@frozen
class Manifest:
    """What made this memory. `units` counts the units wholly ingested; `ready` is set by consolidation.

    `stream` is the id of what it was made from, `task` what the agent of a trajectory was to do.
    """

    schema: int
    builder: str
    plugin: str
    layout: Layout
    options: dict[str, Any] = field(factory=dict)
    stream: str = ""
    task: str = ""
    units: int = 0
    ready: bool = False


@mutable
class Memory:
    """An open memory directory. Any number of processes may hold one open; writers take `lock`."""

    path: Path
    manifest: Manifest
    store: Store = field(repr=False)
    archive: Archive = field(repr=False)
    lock: Lock = field(repr=False)

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        builder: str,
        plugin: str,
        layout: Layout,
        options: Mapping[str, Any] | None = None,
        stream: str = "",
        task: str = "",
    ) -> Memory:
        """Make an empty memory; UserError when the directory exists and is not empty."""
        with _disk_faults(path):
            if path.exists() and not (path.is_dir() and all(map(_is_leftover, path.iterdir()))):
                raise UserError(f"{path} exists and is not an empty directory; choose another or remove it")
            path.mkdir(0o700, parents=True, exist_ok=True)
            (path / STORE_NAME).mkdir(0o700, exist_ok=True)
        _write_manifest(path, Manifest(SCHEMA, builder, plugin, layout, dict(options or {}), stream, task))
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Memory:
        """Open a memory; UserError when there is none or a later memkit made it."""
        manifest = _read_manifest(path)
        lock = Lock(path / LOCK_NAME)
        store = Store(path / STORE_NAME, lock=lock)
        return cls(path, manifest, store, Archive(path / "archive" / "stream.jsonl"), lock)

    @property
    def index_dir(self) -> Path:
        """Where a search index may keep its files; may be absent."""
        return self.path / "index"

    def frozen(self) -> Memory:
        """The same memory for readers only, its store walked once: for a memory that nobody changes."""
        return evolve(self, store=self.store.frozen())

    def refresh(self) -> None:
        """Read the manifest again: another process may have changed it."""
        self.manifest = _read_manifest(self.path)

    def amend(self, **changes: Any) -> None:
        """Write the manifest with `changes`, keeping what other processes wrote in it."""
        with self.lock:
            self.refresh()
            self.manifest = evolve(self.manifest, **changes)
            _write_manifest(self.path, self.manifest)


_converter = make_converter()


def _is_leftover(entry: Path) -> bool:
    """Whether `entry` is what a `Memory.create` that was cut short leaves."""
    return entry.name.startswith(atomic.TEMPORARY) or (entry.name == STORE_NAME and not any(entry.iterdir()))


def _read_manifest(path: Path) -> Manifest:
    file = path / MANIFEST_NAME
    try:
        with _disk_faults(file):
            data = tomllib.loads(file.read_bytes().decode())
    except (FileNotFoundError, NotADirectoryError):
        raise UserError(f"{path} is not a memory: it has no {MANIFEST_NAME}; `memkit build` makes one") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{file} cannot be read: {error}; restore it from a copy") from None
    schema = data.get("schema", 0)
    if isinstance(schema, int) and schema > SCHEMA:
        raise UserError(f"{file} has schema {schema}, this memkit knows {SCHEMA}; upgrade agent-memkit")
    return structure(Manifest, data, where=str(file))


def _write_manifest(path: Path, manifest: Manifest) -> None:
    import tomli_w

    try:
        data = tomli_w.dumps(_converter.unstructure(manifest)).encode()
    except (TypeError, UnicodeEncodeError) as error:
        raise ConfigError(
            f"cannot be kept in {MANIFEST_NAME}: {error}", where=f"options of {manifest.builder}"
        ) from None
    with _disk_faults(path):
        atomic.write_file(path / MANIFEST_NAME, data)


@contextmanager
def _disk_faults(path: Path) -> Iterator[None]:
    """The disk's refusals as a UserError; that something is absent is left to the caller."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise UserError(f"{path} cannot be used: {error.strerror}") from error
