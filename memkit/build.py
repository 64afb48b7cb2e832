"""Building a memory: units go into the archive, then to the builder, each exactly once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import evolve

from memkit.archive import unit_digest, unit_name
from memkit.contracts import Builder
from memkit.memory import Memory
from memkit.records import STORELESS, Receipt, Session, Unit
from memkit.transcript import writable

TOGETHER = 262_144
"""Characters of units that a builder without a store is handed between two syncs of the disk: a long trajectory of
short steps would wait for the disk and for nothing else (15,000 steps: 6 minutes one by one, 4 s together)."""


async def ingest(memory: Memory, builder: Builder, unit: Unit) -> Receipt:
    """Archive the unit and hand it to the builder; a unit already ingested is rejected, never doubled.

    A unit whose ingestion was cut short, by a crash or an error, is handed to the builder again, and
    until then no other is taken. What text files cannot hold is replaced in what the builder gets, and
    the receipt says so; the archive has it as it came. One process at a time builds a memory; any number may read it.
    """
    receipts: list[Receipt] = []
    await _ingest_together(memory, builder, (unit,), lambda _, receipt: receipts.append(receipt))
    return receipts[0]


async def build(
    memory: Memory,
    builder: Builder,
    units: Iterable[Unit],
    *,
    on_receipt: Callable[[Unit, Receipt], None] | None = None,
) -> None:
    """Ingest the units that are not in yet, in order, and consolidate. Run again after a crash, it goes on.

    A builder without a store gets units in groups, whose last ones are handed to it again after a crash.
    """
    for group in _groups(units, TOGETHER if builder.layout in STORELESS else 0):
        await _ingest_together(memory, builder, group, on_receipt or (lambda _, __: None))
    if not memory.manifest.ready:
        await builder.consolidate(memory)
        memory.amend(ready=True)


async def _ingest_together(
    memory: Memory, builder: Builder, group: Sequence[Unit], on_receipt: Callable[[Unit, Receipt], None]
) -> None:
    """Archive a group, hand its units over one by one, and count those that the builder took in."""
    with memory.lock:
        memory.refresh()
        refusals = _refusals(memory, group)
        accepted = (unit for unit, refusal in zip(group, refusals, strict=True) if not refusal)
        memory.archive.extend([unit for unit in accepted if unit_name(unit) not in memory.archive])
    done = memory.manifest.units
    try:
        for unit, refusal in zip(group, refusals, strict=True):
            if refusal:
                on_receipt(unit, Receipt("rejected", reason=refusal))
                continue
            receipt = await _hand_over(memory, builder, unit)
            done += 1
            on_receipt(unit, receipt)
    finally:
        if done > memory.manifest.units:
            memory.amend(units=done, ready=False)


async def _hand_over(memory: Memory, builder: Builder, unit: Unit) -> Receipt:
    readable = writable(unit)
    receipt = await builder.ingest(memory, readable)
    if readable is not unit and receipt.status == "stored":
        reason = f"{unit_name(unit)} has characters that no text file can hold; U+FFFD stands for them in the store"
        return evolve(receipt, status="partial", reason=reason)
    return receipt


def _refusals(memory: Memory, group: Sequence[Unit]) -> list[str]:
    """Why each unit of a group cannot be ingested now, in turn; empty when it can."""
    cut_short = deque(memory.archive.names(memory.manifest.units))
    fresh: dict[str, str] = {}
    return [_refusal(memory, unit, cut_short, fresh) for unit in group]


def _refusal(memory: Memory, unit: Unit, cut_short: deque[str], fresh: dict[str, str]) -> str:
    """`cut_short` are units of the archive to be handed over again, `fresh` the digests of the group's new ones."""
    name, digest = unit_name(unit), unit_digest(unit)
    held = fresh.get(name) or memory.archive.digest_of(unit)
    if held not in (None, digest):
        return f"{name} is already in the archive with other content"
    if cut_short and name == cut_short[0]:
        cut_short.popleft()
    elif held is not None and name not in cut_short:
        return f"{name} is already in this memory"
    elif cut_short:
        return f"{cut_short[0]} was cut short; ingest it again before {name}"
    else:
        fresh[name] = digest
    return ""


def _groups(units: Iterable[Unit], characters: int) -> Iterator[Sequence[Unit]]:
    """Units in order, as many together as have that many characters."""
    group: list[Unit] = []
    size = 0
    for unit in units:
        group.append(unit)
        size += _characters(unit)
        if size >= characters:
            yield group
            group, size = [], 0
    if group:
        yield group


def _characters(unit: Unit) -> int:
    if isinstance(unit, Session):
        return sum(len(turn.text) for turn in unit.turns)
    return len(unit.action) + len(unit.observation)
