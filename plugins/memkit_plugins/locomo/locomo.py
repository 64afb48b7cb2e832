"""Dataset `locomo`: very long chats between two people, with questions (Maharana et al. 2024)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from attrs import evolve

from memkit import Case, DataError
from memkit_plugins.locomo.chat import Format, read_case
from memkit_plugins.locomo.defects import find_defect
from memkit_plugins.locomo.files import Node, json_files, read_json

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
# Not strptime: it reads month names in the language of the machine.
_TIME = re.compile(r"(\d{1,2}):(\d{2}) ?([ap])m on (\d{1,2}) ([a-z]+),? (\d{4})", re.ASCII | re.IGNORECASE)


def iso_time(text: str) -> str | None:
    """`1:56 pm on 8 May, 2023` as `2023-05-08T13:56`, local since no zone is known; None for text of another form."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    hour, minute, half, day, month, year = match.groups()
    try:
        if not 1 <= int(hour) <= 12:
            return None
        hours = int(hour) % 12 + (12 if half.lower() == "p" else 0)
        time = datetime(int(year), MONTHS.index(month.lower()) + 1, int(day), hours, int(minute))  # noqa: DTZ001
    except ValueError:
        return None
    return time.isoformat(timespec="minutes")


LOCOMO = Format("text", iso_time)


class LoCoMo:
    """LoCoMo's conversations: a folder of its JSON files, one such file, or the list `locomo10.json`.

    Categories are the source's: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 unanswerable. The
    annotations beside the chat (observations, summaries, events) are never read.

    Questions whose gold the conversation contradicts say so (`defects`).
    """

    def load(self, path: Path | None) -> Iterator[Case]:
        """Each conversation, in the natural order of file names. Raises DataError naming file and key."""
        taken: set[str] = set()
        for file in json_files(path, "LoCoMo"):
            for node, fallback in _conversations(file):
                if "conversation" not in node.record and {"name", "session_1"} <= node.record.keys():
                    raise node.fault("this is a REALTALK file; load it as the dataset 'realtalk'")
                wanted = node.record.get("sample_id")
                stream = wanted if isinstance(wanted, str) and wanted and wanted not in taken else fallback
                if stream in taken:
                    raise node.fault(f"two conversations are called {stream!r}; rename this file")
                taken.add(stream)
                yield _marked(read_case(node, node.child("conversation"), LOCOMO, stream))

    def check(self, path: Path | None) -> Iterator[str]:
        """What `load` could not use, a sentence each."""
        for case in self.load(path):
            yield from (f"{case.stream.id}: {note}" for note in case.notes)


def _marked(case: Case) -> Case:
    """The case with what is known of its defective golds."""
    found = ((question, find_defect(case.stream.id, question.text)) for question in case.questions)
    return evolve(case, questions=tuple(evolve(one, defect=defect.said) if defect else one for one, defect in found))


def _conversations(file: Path) -> Iterator[tuple[Node, str]]:
    """Each conversation of a file, and a name for it should its own be missing or taken."""
    data = read_json(file)
    items = data if isinstance(data, list) else [data]
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            raise DataError("expected an object with 'conversation' and 'qa'; this is not LoCoMo", where=str(file))
        if isinstance(data, list):
            yield Node(file, item, f"[{place}]"), f"{file.stem}-{place + 1}"
        else:
            yield Node(file, item), file.stem
