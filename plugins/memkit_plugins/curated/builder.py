"""The agent-curated store of the filesystem paper (section 3): the manager works each chunk into what is there."""

from __future__ import annotations

from attrs import field, frozen, validators

from memkit import (
    CHUNK_TOKENS,
    MANAGE,
    Harness,
    Layout,
    Limits,
    Memory,
    Message,
    Model,
    Receipt,
    Transcript,
    Unit,
    compose,
    ingest_chunks,
    render_unit,
    run_loop,
    source_guide,
    tool_guide,
)


@frozen
class Curated:
    """A managing agent with the writing tools of a harness; instruction and context are separate inputs."""

    model: Model
    harness: Harness
    chunk_tokens: int = field(default=CHUNK_TOKENS, validator=validators.ge(1))
    limits: Limits = MANAGE
    layout: Layout = field(default="tree", init=False)

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Work the unit into the store, a loop for each chunk. A chunk that was finished is not done again."""
        tools = self.harness.tools("manage", memory)
        system = compose("roles/manage", tools=tool_guide("manage", tools), source=source_guide(unit))

        async def work(chunk: Unit, name: str) -> Transcript:
            messages = (
                Message("system", system.text),
                Message("user", compose("roles/ask-manage", part=name).text),
                Message("user", compose("roles/context", context=render_unit(chunk)).text),
            )
            return await run_loop(self.model, messages, tools, role="manage", limits=self.limits)

        return await ingest_chunks(memory, unit, self.chunk_tokens, work)

    async def consolidate(self, memory: Memory) -> None:
        """Nothing to do: the manager maintains the store with every chunk."""
