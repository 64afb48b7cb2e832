"""The raw logs: AMA-Bench's episodes, from a folder of JSON files or from the archive that holds them."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen


@frozen
class Event:
    """A logged step as it stands: its number, action and observation."""

    step: int
    action: str
    observation: str


@frozen
class Log:
    """An episode: the benchmark's domain, the task, whether it succeeded, and its steps in order."""

    id: str
    domain: str
    task: str
    success: bool
    events: tuple[Event, ...]


def read_logs(path: Path) -> Iterator[Log]:
    """Every episode below a folder or in a tar archive, by name."""
    texts = _in_archive(path) if path.is_file() else ((file.stem, file.read_bytes()) for file in path.glob("*.json"))
    for name, text in sorted(texts):
        data = json.loads(text)
        events = tuple(
            Event(int(turn["turn_idx"]), turn["action"] or "", turn["observation"] or "") for turn in data["trajectory"]
        )
        yield Log(name, data["domain"], data["task"], data["state"] == "success", events)


def _in_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if member.name.endswith(".json") and content is not None:
                yield Path(member.name).stem, content.read()
