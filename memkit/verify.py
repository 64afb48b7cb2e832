"""Opening again what a memory says it rests on: each locator and citation of its store, each row of its ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import field, mutable

from memkit.citations import find_citations, render_citation, resolve_citation
from memkit.errors import NotFound, StoreError, UserError
from memkit.ledger.annotation import holds
from memkit.ledger.log import load_rows
from memkit.ledger.row import Row
from memkit.locators import Locator, find_locators
from memkit.memory import Memory
from memkit.query.engine import Engine
from memkit.query.finding import finding
from memkit.query.parse import parse_plan
from memkit.records import Answer, Finding, Step, Turn
from memkit.store.lines import split_lines


@mutable
class Verification:
    """Goes through a memory; `checked` counts by kind what was opened so far."""

    memory: Memory
    checked: Counter[str] = field(factory=Counter, init=False)
    _engine: Engine | None = field(default=None, init=False, repr=False)
    _rows: list[Row] | None = field(default=None, init=False, repr=False)

    def faults(self) -> Iterator[str]:
        """A sentence for each thing that does not hold, in the order of store and ledger.

        Raises DataError for a damaged archive or ledger.
        """
        yield from self._store()
        for row in self.rows:
            self.checked["row"] += 1
            if fault := self._row(row):
                yield f"ledger row of {row.locator or f'step {row.step}'}: {fault}"

    def answer_faults(self, answer: Answer) -> Iterator[str]:
        """The same for an answer: what it was served and cites, and what was computed for it, computed again."""
        for locator in answer.effort.served:
            self.checked["locator"] += 1
            if self._at(locator) is None:
                yield f"served {locator} is not in the archive"
        for citation in answer.citations:
            self.checked["citation"] += 1
            try:
                resolve_citation(citation, self.memory.store)
            except StoreError as error:
                yield f"{render_citation(citation)}: {error}"
        for found in answer.findings:
            self.checked["finding"] += 1
            if fault := self._finding(found):
                yield f"finding {found.query!r}: {fault}"

    @property
    def rows(self) -> list[Row]:
        """The ledger; empty where the memory has none."""
        if self._rows is None:
            self._rows = load_rows(self.memory.path)
        return self._rows

    def _store(self) -> Iterator[str]:
        for path in self.memory.store.paths():
            for number, line in enumerate(split_lines(self.memory.store.read(path)), 1):
                for locator in find_locators(line) if "[" in line else ():
                    self.checked["locator"] += 1
                    if self._at(locator) is None:
                        yield f"{path}:{number}: {locator} is not in the archive"
                for citation in find_citations(line) if "[" in line else ():
                    self.checked["citation"] += 1
                    try:
                        resolve_citation(citation, self.memory.store)
                    except StoreError as error:
                        yield f"{path}:{number}: {render_citation(citation)}: {error}"

    def _row(self, row: Row) -> str:
        try:
            place = self._at(Locator.parse(row.locator))
        except UserError as error:
            return str(error)
        if place is None:
            return "it is not in the archive"
        if isinstance(place, Turn):
            return "" if (row.tool, row.action) == (place.speaker, place.text) else "its turn says something else"
        return holds(row, place)

    def _at(self, locator: Locator) -> Turn | Step | None:
        try:
            return self.memory.archive.resolve(locator)
        except NotFound:
            return None

    def _finding(self, found: Finding) -> str:
        for locator in found.rows:
            if self._at(locator) is None:
                return f"{locator} is not in the archive"
        if not self.rows:  # computed from rows that the searcher made of the archive
            return ""
        if self._engine is None:
            self._engine = Engine(self.rows)
        (result,) = self._engine.run(parse_plan(found.query))
        again = finding(result, self.rows)
        return "" if again == found else f"computed again, it is {again.status} with {again.value}"
