"""The reorganized store of the filesystem paper (section 3): the verbatim dump, rewritten in up to five passes."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen, validators

from memkit import (
    MANAGE,
    Harness,
    Layout,
    Limits,
    Memory,
    Message,
    Model,
    PermanentModelError,
    Receipt,
    Transcript,
    Unit,
    compose,
    record_step,
    run_loop,
    snapshot,
    source_guide,
    step_ends,
    store_transcript,
    tool_guide,
)

KEEP = {"preserve": "blocks/keep-every-fact", "condense": "blocks/keep-what-matters"}
"""The one paragraph in which the two modes differ."""


@frozen
class Reorganized:
    """An organizing agent with the writing tools of a harness: `preserve` keeps every fact, `condense` what matters."""

    model: Model
    harness: Harness
    mode: Literal["preserve", "condense"] = "preserve"
    passes: int = field(default=5, validator=validators.ge(1))
    limits: Limits = MANAGE
    layout: Layout = field(default="tree", init=False)

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Write the unit word for word; the agent comes at the end."""
        return store_transcript(memory, unit)

    async def consolidate(self, memory: Memory) -> None:
        """Pass over the store until a pass changes nothing. A pass that was finished is not done again.

        Raises PermanentModelError when a pass neither ends well nor changes anything.
        """
        if memory.manifest.ready or not memory.store.paths():
            return
        for number in range(1, self.passes + 1):
            name = f"pass {number} over {len(memory.archive)} units"
            if name in step_ends(memory):
                continue
            before = snapshot(memory.store)
            done = await self._pass(memory, number)
            record_step(memory, name, done)
            if snapshot(memory.store) == before:
                if done.end != "answered":
                    raise PermanentModelError(f"{self.model.name}: {name} changed nothing and ended early ({done.end})")
                return

    async def _pass(self, memory: Memory, number: int) -> Transcript:
        tools = self.harness.tools("manage", memory)
        system = compose(
            "roles/organize",
            keep=compose(KEEP[self.mode]).text,
            tools=tool_guide("manage", tools),
            source=source_guide(next(memory.archive.units())),
        )
        ask = compose("roles/ask-organize", number=str(number), passes=str(self.passes))
        messages = (Message("system", system.text), Message("user", ask.text))
        return await run_loop(self.model, messages, tools, role="manage", limits=self.limits)
