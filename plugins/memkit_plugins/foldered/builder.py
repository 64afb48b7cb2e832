"""The foldered sessions of the filesystem paper (section 3): the verbatim dump plus a taxonomy, and nothing else."""

from __future__ import annotations

from tempfile import TemporaryDirectory

from attrs import field, frozen

from memkit import (
    MANAGE,
    Layout,
    Limits,
    Memory,
    Message,
    Model,
    PermanentModelError,
    Receipt,
    Store,
    Transcript,
    Unit,
    compose,
    record_step,
    run_loop,
    snapshot,
    store_transcript,
)
from memkit_plugins.foldered.folding import apply_moves, folding_tools, moves


@frozen
class Foldered:
    """A managing agent sorts the session files into folders with view, grep and rename; no content changes."""

    model: Model
    limits: Limits = MANAGE
    layout: Layout = field(default="foldered", init=False)

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Write the unit word for word; the agent comes at the end."""
        return store_transcript(memory, unit)

    async def consolidate(self, memory: Memory) -> None:
        """Sort the files of a copy, check that contents and names are the same, and then move the files themselves.

        Raises StoreError that lists the differences, or PermanentModelError when the agent ended early without
        moving a file; the store is then as it was.
        """
        if memory.manifest.ready or not memory.store.paths():
            return
        before = snapshot(memory.store)
        with TemporaryDirectory(prefix=".folding-", dir=memory.path) as folder:
            copy = Store.make(memory.path / folder / "memories")
            for path, data in before.items():
                copy.write(path, data.decode())
            done = await self._fold(copy)
            moved = moves(before, snapshot(copy))
        if not moved and done.end != "answered":
            raise PermanentModelError(f"{self.model.name}: the foldering ended early ({done.end}) and moved nothing")
        apply_moves(memory.store, moved)
        record_step(memory, f"folders for {len(memory.archive)} units", done)

    async def _fold(self, store: Store) -> Transcript:
        messages = (
            Message("system", compose("roles/fold").text),
            Message("user", compose("roles/ask-fold").text),
        )
        return await run_loop(self.model, messages, folding_tools(store), role="manage", limits=self.limits)
