"""The episodes of AMA-Bench's files: a JSON file each, packed together in a tar archive, or a line each."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from msgspec import Struct

from memkit import DataError, decode_json, find_data_files, open_data, read_json, read_stream

_TAR = (".tar", ".tar.xz", ".txz", ".tar.gz", ".tgz", ".tar.bz2")
_UNPACK: Mapping[str, Callable[..., Any]] = {
    ".xz": lzma.open,
    ".txz": lzma.open,
    ".gz": gzip.open,
    ".tgz": gzip.open,
    ".bz2": bz2.open,
}
_LINES = (".jsonl", ".jsonl.gz")
_WHAT = "AMA-Bench's episodes: a folder of its task JSONs, one of them, a .tar.xz or a .jsonl of them"


class Turn(Struct):
    """A step; `turn_idx` counts from 0 and is what questions mean by "step 12" and "turn 12"."""

    turn_idx: int
    action: str | None = None
    observation: str | None = None


class Pair(Struct):
    """A question with its gold; `type` is one of A to D."""

    question: str
    answer: str
    type: str = ""


class Episode(Struct):
    """An episode in either of its wrappings: the site's have `state`, the released lines `success`."""

    episode_id: str | int
    trajectory: list[Turn]
    qa_pairs: list[Pair]
    task: str = ""
    domain: str = ""
    task_type: str = ""
    state: str | None = None
    success: bool | None = None


def read_episodes(path: Path | None) -> Iterator[tuple[str, str, Episode]]:
    """A name, where it stands, and the episode, one at a time. Raises DataError naming file and key."""
    for file in find_data_files(path, (".json",), _WHAT):
        if file.name.endswith(_TAR):
            yield from _packed(file)
        elif file.name.endswith(_LINES):
            yield from _lines(file)
        else:
            yield file.stem, str(file), read_json(file, Episode)


def _packed(file: Path) -> Iterator[tuple[str, str, Episode]]:
    """From an archive, read as a stream from start to end: nothing is unpacked to disk."""
    found = False
    try:
        # Unpacked here: tarfile's own reading takes an archive that was cut off for one that ends.
        with _UNPACK.get(file.suffix, open)(file, "rb") as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
            for member in archive:
                name = PurePosixPath(member.name)
                if member.isfile() and name.suffix == ".json" and not name.name.startswith("."):
                    found, where = True, f"{file}: {member.name}"
                    data = read_stream(cast("BinaryIO", archive.extractfile(member)))
                    yield name.stem, where, decode_json(data, Episode, where=where)
            read_stream(stream)
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise DataError(f"the archive cannot be read ({error}); get it anew", where=str(file)) from None
    if not found:
        raise DataError(f"this archive holds no .json file; give the path to {_WHAT}", where=str(file))


def _lines(file: Path) -> Iterator[tuple[str, str, Episode]]:
    with open_data(file) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                where = f"{file}:{number}"
                episode = decode_json(line, Episode, where=where)
                kind = episode.task_type or episode.domain or "episode"
                yield f"{kind.lower().replace(' ', '_')}-{episode.episode_id}", where, episode
