"""Opening a run: its spec, its summary and its tables, without the data it was made from; and listing runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import field, frozen

from memkit.compare.load import parse_yaml
from memkit.errors import LockTimeout, StoreError, UserError
from memkit.runs.columns import (
    CALLS_FILE,
    EVENTS_FILE,
    ITEMS_FILE,
    LOCK_FILE,
    MEMORIES_FILE,
    PLAN_FILE,
    RESULTS,
    SPEC_FILE,
    SUMMARY_FILE,
)
from memkit.runs.parquet import read_table
from memkit.store.lock import Lock

if TYPE_CHECKING:
    import polars as pl

State: TypeAlias = Literal["running", "complete", "incomplete"]


@frozen
class Run:
    """One folder of results, as data; the tables are read when they are first asked for, whole.

    `spec` and `lock` are maps as the files hold them, defaults included; `lock` is empty where none was written.
    """

    directory: Path
    results: Path
    spec: dict[str, Any] = field(repr=False)
    summary: dict[str, Any] = field(repr=False)
    lock: dict[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """The directory's name; of restated or rejudged results, followed by that of their folder."""
        below = self.results.relative_to(self.directory / RESULTS)
        return "/".join((self.directory.name, *below.parts))

    @cached_property
    def items(self) -> pl.DataFrame:
        """A row a question, arm and attempt."""
        return self.read_items()

    @cached_property
    def memories(self) -> pl.DataFrame:
        """A row a memory and arm."""
        return read_table(self.results / MEMORIES_FILE)

    @cached_property
    def calls(self) -> pl.DataFrame:
        """A row a model call."""
        return read_table(self.results / CALLS_FILE)

    def read_items(self, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Some columns of `items`, read from the file now: a fraction of the memory that all would take."""
        return read_table(self.results / ITEMS_FILE, columns)


@frozen
class RunHead:
    """A run in a list. `rows` are the answers it has planned, `answered` those with their scores."""

    directory: Path
    name: str
    state: State
    changed: datetime
    """When its log was last written, in UTC."""
    arms: int
    streams: int
    rows: int
    answered: int


def open_run(path: Path) -> Run:
    """The run in directory `path`; or, of a run's folder below `results/`, the results there.

    Raises UserError when it is no run, or has no results yet.
    """
    directory = run_directory(path)
    results = directory / RESULTS if path.resolve() == directory.resolve() else path
    summary_file = results / SUMMARY_FILE
    if not summary_file.is_file():
        raise UserError(f"{path} has no results yet; run the comparison, which writes them at its end")
    spec = parse_yaml(_text(directory / SPEC_FILE), where=str(directory / SPEC_FILE))
    lock_file = directory / LOCK_FILE
    return Run(directory, results, spec, _json(summary_file), _json(lock_file) if lock_file.is_file() else {})


def run_directory(path: Path) -> Path:
    """The directory of the run that `path` is, or is a folder of. UserError when there is none."""
    for folder in (path, *path.parents):
        if (folder / SPEC_FILE).is_file():
            return folder
    raise UserError(f"{path} is no run: it has no {SPEC_FILE}; give a directory that memkit compare made")


def list_runs(root: Path) -> list[RunHead]:
    """The runs in directory `root`, the one that changed last first. UserError when there is no such directory."""
    if not root.is_dir():
        raise UserError(f"there is no directory {root}; give the one that memkit compare was given with --runs")
    return sorted(_heads(root), key=lambda head: (head.changed, head.name), reverse=True)


def _heads(root: Path) -> Iterator[RunHead]:
    for spec in root.glob(f"*/{SPEC_FILE}"):
        directory = spec.parent
        plan = _json(directory / PLAN_FILE)
        events = directory / EVENTS_FILE
        changed = datetime.fromtimestamp((events if events.exists() else spec).stat().st_mtime, UTC)
        summary = directory / RESULTS / SUMMARY_FILE
        arms = _json(summary)["arms"] if summary.is_file() else []
        rows, answered = sum(arm["items"] for arm in arms), sum(arm["answered"] for arm in arms)
        if not arms:
            rows = len(plan["arms"]) * sum(plan["streams"].values())
        state: State = "running" if _is_held(directory) else "complete" if rows == answered else "incomplete"
        yield RunHead(
            directory, directory.name, state, changed, len(plan["arms"]), len(plan["streams"]), rows, answered
        )


def _is_held(directory: Path) -> bool:
    """Whether a process runs it now."""
    path = directory / ".lock"
    if not path.exists():
        return False
    try:
        with Lock(path, timeout=0.0):
            return False
    except LockTimeout:
        return True
    except StoreError:  # somebody else's file: that it is held cannot be told
        return False


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(_text(path))
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise UserError(f"{path} is damaged; run the comparison again, which writes it anew")
    return data


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UserError(f"{path} cannot be read: {reason}; run the comparison again, which writes it") from None
