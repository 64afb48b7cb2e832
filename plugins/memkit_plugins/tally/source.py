"""What a searcher keeps of the memory it was asked about last: its stream as a reading, and its ledger as an engine."""

from __future__ import annotations

from attrs import define, field, frozen

from memkit import Catalogue, Engine, Memory, Reading, Row, extract_rows, load_rows


@frozen
class Ledger:
    """The rows of a memory with what answers plans over them."""

    rows: list[Row] = field(repr=False)
    engine: Engine = field(repr=False)
    catalogue: Catalogue = field(repr=False)

    @classmethod
    def of(cls, rows: list[Row]) -> Ledger:
        """The ledger of these rows."""
        return cls(rows, Engine(rows), Catalogue.of(rows))


@define
class Source:
    """The last memory asked about; the next question about it, unchanged, finds everything ready."""

    lite: bool = False
    """Whether the rows are the program's alone, made from the archive, whatever ledger the memory has."""
    _memory: Memory | None = None
    _units: int = -1
    _reading: Reading | None = None
    _ledger: Ledger | None = None

    def reading(self, memory: Memory) -> Reading:
        """The stream, ready to be viewed."""
        self._turn_to(memory)
        if self._reading is None:
            self._reading = Reading(memory.archive.units())
        return self._reading

    def ledger(self, memory: Memory) -> Ledger:
        """The rows, ready to be asked. Raises DataError for a damaged ledger."""
        self._turn_to(memory)
        if self._ledger is None:
            self._ledger = Ledger.of(
                list(extract_rows(memory.archive.units())) if self.lite else load_rows(memory.path)
            )
        return self._ledger

    def _turn_to(self, memory: Memory) -> None:
        units = len(memory.archive)
        if memory is not self._memory or units != self._units:
            self._memory, self._units, self._reading, self._ledger = memory, units, None, None
