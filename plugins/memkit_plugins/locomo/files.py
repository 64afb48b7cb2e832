"""Reading the JSON files of the family, and errors that say which file and where in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve, frozen

from memkit import DataError

T = TypeVar("T")

_NAMES: dict[type, str] = {dict: "an object", list: "a list", str: "text"}


@frozen
class Node:
    """An object in a JSON file, and the path to it there (`conversation.session_3[4]`)."""

    file: Path
    record: dict[str, Any]
    path: str = ""

    def fault(self, message: str, key: str = "") -> DataError:
        """The error that `message` describes, at this object or one of its keys."""
        path = ".".join(filter(None, (self.path, key)))
        return DataError(message, where=f"{self.file}: {path}" if path else str(self.file))

    def need(self, key: str, kind: type[T]) -> T:
        """The value of a key, which must be there and of that kind."""
        if key not in self.record:
            raise self.fault(f"lacks the key {key!r}; get the file anew or repair it")
        value = self.record[key]
        if type(value) is not kind:
            raise self.fault(
                f"expected {_NAMES[kind]}, not {type(value).__name__}; get the file anew or repair it", key
            )
        return value

    def label(self, key: str) -> str:
        """The value of a key as text, where the sources write numbers too."""
        value = self.record.get(key)
        return str(value) if type(value) in (int, float) else self.need(key, str)

    def child(self, key: str) -> Node:
        """The object under a key."""
        return evolve(self, record=self.need(key, dict), path=".".join(filter(None, (self.path, key))))

    def children(self, key: str) -> Iterator[Node]:
        """Each object of the list under a key."""
        for place, record in enumerate(self.need(key, list)):
            here = f"{key}[{place}]"
            if not isinstance(record, dict):
                raise self.fault("expected an object; get the file anew or repair it", here)
            yield evolve(self, record=record, path=".".join(filter(None, (self.path, here))))


def json_files(path: Path | None, corpus: str) -> list[Path]:
    """The file, or the folder's `*.json` in natural order (`Chat_2` before `Chat_10`)."""
    if path is None:
        raise DataError(f"{corpus} needs a path: the folder that holds its Chat_*.json files, or one such file")
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise DataError(f"there is no such file or folder; give the path to {corpus}'s JSON", where=str(path))
    found = [p for p in path.glob("*.json") if p.is_file() and not p.name.startswith(".")]
    if not found:
        raise DataError(f"this folder holds no .json file; give the one with {corpus}'s Chat_*.json", where=str(path))
    return sorted(
        found, key=lambda p: [(len(t), t) if t.isdecimal() else (0, t) for t in re.split(r"([0-9]+)", p.name)]
    )


def read_json(path: Path) -> Any:
    """The parsed file; a byte-order mark is tolerated."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        raise DataError(f"this is not JSON ({error.msg}); get the file anew", where=f"{path}:{error.lineno}") from None
    except (ValueError, RecursionError, OSError) as error:
        raise DataError(f"the file cannot be read ({error}); get it anew", where=str(path)) from None
