"""Dataset `demo`: two friends over eight months, invented for memkit and shipped with it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from memkit import Case, DataError
from memkit_plugins.jsonl.jsonl import Jsonl


class Demo:
    """One conversation of ten sessions with questions, in `demo.jsonl` beside this module; takes no path."""

    def load(self, path: Path | None) -> Iterator[Case]:
        """The one case. Raises DataError for a path."""
        if path is not None:
            raise DataError("the dataset 'demo' takes no path; load a file of your own as 'jsonl'", where=str(path))
        with as_file(files(__package__) / "demo.jsonl") as file:
            yield from Jsonl().load(file)
