"""The file-event graph: which steps read, wrote and undid which file, by the editor's own calls and receipts.

A node is a file by its exact absolute path: base names are never merged, and nothing is inferred from shell commands
(ledger paper, appendix C).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from attrs import evolve, field, frozen

from memkit.events.actions import read_call
from memkit.events.receipts import READS, UNDO, WRITES, Status, read_receipt
from memkit.locators import Locator, Span
from memkit.records import Step, Unit

Kind: TypeAlias = Literal["read", "write", "undo"]
UNDOABLE = frozenset({"str_replace", "insert"})
"""What `undo_edit` takes back; a file that was created stays."""


@frozen
class FileEvent:
    """An editor call on a file. The spans point at its path, its command and the receipt in the observation.

    `reverses` is the step whose edit a confirmed undo took back, None where the log does not have it. `reversed_at`
    is the step of the undo that took this edit back.
    """

    step: int
    locator: Locator
    path: str
    command: str
    kind: Kind
    status: Status
    spans: Mapping[str, Span]
    reverses: int | None = None
    reversed_at: int | None = None


@frozen
class FileGraph:
    """File nodes and their events in step order."""

    files: Mapping[str, tuple[FileEvent, ...]] = field(factory=dict)

    @classmethod
    def of(cls, units: Iterable[Unit]) -> FileGraph:
        """The graph of a stream's steps; units that are no steps have no file events."""
        files: dict[str, list[FileEvent]] = {}
        edits: dict[str, list[int]] = {}
        for unit in units:
            if isinstance(unit, Step) and (event := file_event(unit)) is not None:
                _add(files.setdefault(event.path, []), edits.setdefault(event.path, []), event)
        return cls({path: tuple(events) for path, events in files.items()})

    def linked(self, path: str) -> tuple[int, ...]:
        """The steps linked to exactly this path, in order."""
        return tuple(event.step for event in self.files.get(path, ()))


def file_event(step: Step) -> FileEvent | None:
    """What a step does to a file; None when it is no editor call on an absolute path."""
    call = read_call(step.action)
    kind = _kind(call.act)
    if call.form != "editor" or not call.path.startswith("/") or kind is None:
        return None
    receipt = read_receipt(call, step.observation)
    spans = {name: Span(step.locator, "action", *call.places[name]) for name in ("path", "command")}
    spans["observation"] = Span(step.locator, "observation", *receipt.place)
    return FileEvent(step.index, step.locator, call.path, call.act, kind, receipt.status, spans)


def _kind(act: str) -> Kind | None:
    if act in READS:
        return "read"
    if act in WRITES:
        return "write"
    return "undo" if act == UNDO else None


def _add(events: list[FileEvent], edits: list[int], event: FileEvent) -> None:
    """Append an event; `edits` are the places of the confirmed edits that an undo can still take back."""
    if event.status == "confirmed":
        if event.command in UNDOABLE:
            edits.append(len(events))
        elif event.kind == "undo" and edits:
            at = edits.pop()
            events[at] = evolve(events[at], reversed_at=event.step)
            event = evolve(event, reverses=events[at].step)
    events.append(event)
