"""Dataset `realtalk`: chats that two people really had over weeks, with questions (Lee et al. 2025)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from memkit import Case, DataError
from memkit_plugins.locomo.chat import Format, read_case
from memkit_plugins.locomo.files import Node, json_files, read_json

_TIME = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4}), (\d{1,2}):(\d{2}):(\d{2})", re.ASCII)


def iso_time(text: str) -> str | None:
    """`29.12.2023, 00:51:12` as `2023-12-29T00:51:12`, local since no zone is known; None for text of another form."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    day, month, year, hour, minute, second = map(int, match.groups())
    try:
        return datetime(year, month, day, hour, minute, second).isoformat()  # noqa: DTZ001
    except ValueError:
        return None


REALTALK = Format("clean_text", iso_time)


class RealTalk:
    """REALTALK's conversations: a folder of its JSON files, or one such file.

    Dialogue ids run on across its sessions, with gaps where messages were removed; locators count the turns of
    each session instead, and evidence is translated. Categories are the source's: 1 multi-hop, 2 temporal,
    3 commonsense. The annotated events are never read.
    """

    def load(self, path: Path | None) -> Iterator[Case]:
        """Each conversation under the name of its file, in natural order. Raises DataError naming file and key."""
        for file in json_files(path, "REALTALK"):
            data = read_json(file)
            if not isinstance(data, dict):
                raise DataError("expected an object with 'session_1' and 'qa'; this is not REALTALK", where=str(file))
            node = Node(file, data)
            if "conversation" in data:
                raise node.fault("this is a LoCoMo file; load it as the dataset 'locomo'")
            yield read_case(node, node, REALTALK, file.stem)

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        for case in self.load(path):
            yield from (f"{case.stream.id}: {note}" for note in case.notes)
