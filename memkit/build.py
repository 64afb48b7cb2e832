"""Building a memory: units go into the archive, then to the builder, each exactly once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import evolve

from memkit.archive import unit_digest, unit_name
from memkit.contracts import Builder
from memkit.memory import Memory
from memkit.records import Receipt, Unit
from memkit.transcript import writable


async def ingest(memory: Memory, builder: Builder, unit: Unit) -> Receipt:
    """Archive the unit and hand it to the builder; a unit already ingested is rejected, never doubled.

    A unit whose ingestion was cut short, by a crash or an error, is handed to the builder again, and
    until then no other is taken. What text files cannot hold is replaced in what the builder gets, and
    the receipt says so; the archive has it as it came. One process at a time builds a memory; any number may read it.
    """
    with memory.lock:
        memory.refresh()
        if reason := _refusal(memory, unit):
            return Receipt("rejected", reason=reason)
        if memory.archive.digest_of(unit) is None:
            memory.archive.append(unit)
    readable = writable(unit)
    receipt = await builder.ingest(memory, readable)
    memory.amend(units=len(memory.archive), ready=False)
    if readable is not unit and receipt.status == "stored":
        reason = f"{unit_name(unit)} has characters that no text file can hold; U+FFFD stands for them in the store"
        return evolve(receipt, status="partial", reason=reason)
    return receipt


async def build(
    memory: Memory,
    builder: Builder,
    units: Iterable[Unit],
    *,
    on_receipt: Callable[[Unit, Receipt], None] | None = None,
) -> None:
    """Ingest the units that are not in yet, in order, and consolidate. Run again after a crash, it goes on."""
    for unit in units:
        receipt = await ingest(memory, builder, unit)
        if on_receipt:
            on_receipt(unit, receipt)
    if not memory.manifest.ready:
        await builder.consolidate(memory)
        memory.amend(ready=True)


def _refusal(memory: Memory, unit: Unit) -> str:
    """Why the unit cannot be ingested now; empty when it can."""
    name, held = unit_name(unit), memory.archive.digest_of(unit)
    cut_short = memory.archive.last if len(memory.archive) > memory.manifest.units else ""
    if held is not None and held != unit_digest(unit):
        return f"{name} is already in the archive with other content"
    if held is not None and name != cut_short:
        return f"{name} is already in this memory"
    if held is None and cut_short:
        return f"{cut_short} was cut short; ingest it again before {name}"
    return ""
