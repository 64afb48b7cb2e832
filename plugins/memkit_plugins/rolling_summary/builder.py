"""The rolling summary of the ledger paper: the cheap baseline, one text that is rewritten for each chunk."""

from __future__ import annotations

from attrs import field, frozen, validators

from memkit import (
    CHUNK_TOKENS,
    MANAGE,
    ROOT,
    Layout,
    Limits,
    Memory,
    Message,
    Model,
    Receipt,
    Transcript,
    Unit,
    compose,
    frontmatter_end,
    ingest_chunks,
    render_frontmatter,
    render_unit,
    run_loop,
    source_guide,
    split_lines,
)

NAME = "summary"
PATH = f"{ROOT}/{NAME}.md"


@frozen
class RollingSummary:
    """One summary file of about `words` words. A reply that is empty or was cut leaves the last one in place."""

    model: Model
    chunk_tokens: int = field(default=CHUNK_TOKENS, validator=validators.ge(1))
    words: int = field(default=1_000, validator=validators.ge(1))
    limits: Limits = MANAGE
    layout: Layout = field(default="tree", init=False)

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Have the summary rewritten for each chunk of the unit."""
        system = compose("roles/summarize", words=f"{self.words:,}", source=source_guide(unit))

        async def work(chunk: Unit, name: str) -> Transcript:
            ask = compose("roles/ask-summarize", summary=_summary(memory), context=render_unit(chunk))
            messages = (Message("system", system.text), Message("user", ask.text))
            done = await run_loop(self.model, messages, (), role="manage", limits=self.limits)
            if done.end == "answered":
                head = render_frontmatter(NAME, f"Running summary of the whole stream up to {name}")
                memory.store.write(PATH, f"{head}\n{done.text.strip()}\n")
            return done

        return await ingest_chunks(memory, unit, self.chunk_tokens, work)

    async def consolidate(self, memory: Memory) -> None:
        """Nothing to do: the summary is whole after every chunk."""


def _summary(memory: Memory) -> str:
    """The summary so far without its frontmatter; empty before the first chunk."""
    if not memory.store.exists(PATH):
        return ""
    text = memory.store.read(PATH)
    return "\n".join(split_lines(text)[frontmatter_end(text) :]).strip()
