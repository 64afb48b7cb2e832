"""The reading view of a stream: what a reader gets to see of it for a question (TM of the ledger paper, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from memkit.events.files import FileEvent, FileGraph
from memkit.records import Unit
from memkit.terms import Analyzer
from memkit.view.admission import LINKED_STEPS, admit_as_published, admit_whole, values
from memkit.view.anchors import anchors, distances
from memkit.view.asked import Asked, read_question
from memkit.view.counter import count_actions
from memkit.view.entries import entries_of
from memkit.view.folding import RepeatedLines
from memkit.view.forms import Form, cut_form, folded_form, record_form, whole_form
from memkit.view.scoring import Postings
from memkit.view.sheet import Sheet, View

BUDGET = 26_000
"""Tokens of a view (ledger paper, section 3: B = 26k)."""


class Reading:
    """A stream ready to be viewed for many questions: terms, file graph and token counts are worked out once.

    Not for several threads at once.
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self._units = list(units)
        self.entries = entries_of(self._units)
        self._analyzer = Analyzer()
        self._forms: dict[tuple[int, str | int], Form] = {}

    def view(self, question: str, *, budget: int = BUDGET, as_published: bool = False, counter: bool = False) -> View:
        """The view for a question, never over `budget` tokens by exact count.

        `as_published` does what the paper says: fields cut to fixed lengths around anchors, 30 % of the budget for
        index records. Otherwise everything is shown word for word when it fits, and else as much as possible is.
        `counter` adds the paper's keyword-triggered count of actions.
        """
        return _within(budget, lambda room: self._view(question, room, as_published=as_published, counter=counter))

    def whole_view(self, ranking: Iterable[int], *, budget: int = BUDGET) -> View:
        """The entries at the positions of `ranking`, whole, admitted in that order where they fit, in step order."""
        places = list(ranking)

        def view(room: int) -> View:
            sheet = Sheet(self.entries, room)
            for at in places:
                sheet.place(at, self._whole(at))
            return sheet.view()

        return _within(budget, view)

    def _view(self, question: str, budget: int, *, as_published: bool, counter: bool) -> View:
        note = count_actions(question, self.entries) if counter else ""
        asked = read_question(question, self.entries, self._graph, self._analyzer, by_name=not as_published)
        if as_published:
            sheet = Sheet(self.entries, budget)
            sheet.note(note)
            self._admit_as_published(sheet, budget, asked)
            return sheet.view()
        if (everything := self._everything(budget, note)) is not None:
            return everything
        sheet = Sheet(self.entries, budget, self._repeats)
        sheet.note(note)
        scores = self._postings.bm25(asked.terms)
        admit_whole(sheet, budget, asked, values(asked, scores), self._folded, self._cut, self._record)
        return sheet.view()

    def _everything(self, budget: int, note: str) -> View | None:
        """All entries word for word; None when they do not fit."""
        if sum(self._whole(at).least for at in range(len(self.entries))) > budget:
            return None
        sheet = Sheet(self.entries, budget)
        fits = sheet.note(note) and all(sheet.place(at, self._whole(at)) for at in range(len(self.entries)))
        return sheet.view() if fits else None

    def _admit_as_published(self, sheet: Sheet, budget: int, asked: Asked) -> None:
        numbers = [entry.number for entry in self.entries]
        found = anchors(asked, self._postings.shared(asked.terms), self._graph, self._analyzer, numbers)
        far = distances(found, len(self.entries))
        admit_as_published(sheet, budget, asked, far, self._cut, self._record, linked=self._linked(asked))

    def _linked(self, asked: Asked) -> list[int]:
        """The entries linked to named files in scope: confirmed writes first, of equals the later."""
        scope = set(asked.scope)
        places = sorted({at for places in asked.linked.values() for at in places if at in scope}, reverse=True)
        return sorted(places, key=lambda at: not _wrote(self._events.get(at)))[:LINKED_STEPS]

    def _whole(self, at: int) -> Form:
        return self._form(at, "whole")

    def _folded(self, at: int) -> Form:
        return self._form(at, "folded")

    def _record(self, at: int) -> Form:
        return self._form(at, "record")

    def _cut(self, at: int, characters: int) -> Form:
        if max(len(part.text) for part in self.entries[at].parts) <= characters:
            return self._form(at, "whole")
        return self._form(at, characters)

    def _form(self, at: int, kind: str | int) -> Form:
        form = self._forms.get((at, kind))
        if form is None:
            form = self._forms[at, kind] = self._made(at, kind)
        return form

    def _made(self, at: int, kind: str | int) -> Form:
        entry = self.entries[at]
        if isinstance(kind, int):
            return cut_form(entry, kind)
        if kind == "whole":
            return whole_form(entry)
        if kind == "folded":
            return folded_form(entry, self._repeats.write)
        return record_form(entry, self._events.get(at))

    @cached_property
    def _postings(self) -> Postings:
        return Postings(self.entries, self._analyzer)

    @cached_property
    def _repeats(self) -> RepeatedLines:
        return RepeatedLines.of(self.entries)

    @cached_property
    def _graph(self) -> FileGraph:
        return FileGraph.of(self._units)

    @cached_property
    def _events(self) -> dict[int, FileEvent]:
        """The file event of each position that has one."""
        places = {entry.number: at for at, entry in enumerate(self.entries)}
        return {places[event.step]: event for events in self._graph.files.values() for event in events}


def read_view(
    units: Sequence[Unit], question: str, *, budget: int = BUDGET, as_published: bool = False, counter: bool = False
) -> View:
    """The view of a stream for one question; for several keep a `Reading`."""
    return Reading(units).view(question, budget=budget, as_published=as_published, counter=counter)


def _within(budget: int, make: Callable[[int], View]) -> View:
    """The view that `make` makes of as much room as keeps it within the budget by exact count.

    Less room than the budget is needed only by a text too long to be encoded at once: where it is parted, it may
    have more tokens than its lines.
    """
    room = budget
    while (view := make(room)).tokens > max(budget, 0):
        room -= view.tokens - budget
    return view


def _wrote(event: FileEvent | None) -> bool:
    return event is not None and event.kind == "write" and event.status == "confirmed"
