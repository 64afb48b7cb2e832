"""The builders of the event ledger. They keep no store: a searcher reads the ledger and the archive."""

from __future__ import annotations

from attrs import field, frozen, validators

from memkit import (
    MANAGE,
    Layout,
    Limits,
    Memory,
    Model,
    Receipt,
    Step,
    Unit,
    annotate_rows,
    extract_rows,
    write_rows,
)
from memkit_plugins.event_ledger.annotator import ANNOTATION_TOKENS, annotations_of


@frozen
class Ledger:
    """TallyMem's ledger by program alone, at no model cost."""

    layout: Layout = field(default="ledger", init=False)

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:  # noqa: ARG002
        """The unit is in the archive, from which the rows are made at the end."""
        return Receipt("stored", unit.locators)

    async def consolidate(self, memory: Memory) -> None:
        """Make the rows."""
        write_rows(memory.path, extract_rows(memory.archive.units()))


@frozen
class AnnotatedLedger:
    """TallyMem's ledger: the program's rows, with what a model adds to them that the log bears out.

    The model reads the steps in chunks of about `chunk_tokens` and sees no question. Its calls go on where they were
    cut short. A conversation's turns are not annotated: they have no outcome.
    """

    model: Model
    chunk_tokens: int = field(default=ANNOTATION_TOKENS, validator=validators.ge(1))
    limits: Limits = MANAGE
    layout: Layout = field(default="ledger", init=False)

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:  # noqa: ARG002
        """The unit is in the archive, from which the rows are made at the end."""
        return Receipt("stored", unit.locators)

    async def consolidate(self, memory: Memory) -> None:
        """Have the steps annotated that are not, and make the rows."""
        steps = {unit.index: unit for unit in memory.archive.units() if isinstance(unit, Step)}
        said = await annotations_of(memory, self.model, steps, self.chunk_tokens, self.limits)
        rows = annotate_rows(list(extract_rows(memory.archive.units())), steps, said)
        write_rows(memory.path, rows, mode="annotated", annotator=self.model.name)
