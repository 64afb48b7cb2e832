"""The builder of chunk stores: the stream itself, cut into chunks, one file a chunk, at no model cost.

The mechanical split of the filesystem paper (section 3, memory variants). The source does not survive with its
numbers, so the size of a chunk is an option.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memkit import (
    ROOT,
    ConfigError,
    Layout,
    Memory,
    Receipt,
    Session,
    Step,
    Turn,
    Unit,
    count_tokens,
    frontmatter_end,
    render_frontmatter,
    render_turn,
    render_turns,
    render_unit,
    session_heading,
    session_title,
)
from memkit_plugins.bm25.harness import index_of
from memkit_plugins.bm25.index import Options

STEPS = f"{ROOT}/steps_"
SUFFIX = ".md"


class ChunkBuilder:
    """Whole turns or steps packed into chunks of up to `target_tokens`; a longer one is a chunk of its own.

    Three chunks are served for a query, so a target of 400 serves about 1,200 tokens.
    """

    layout: Layout = "chunks"

    def __init__(self, *, target_tokens: int) -> None:
        if target_tokens < 1:
            raise ConfigError("target_tokens must be at least 1")
        self._target = target_tokens
        self._open: tuple[Path, str] | None = None

    async def ingest(self, memory: Memory, unit: Unit) -> Receipt:
        """Write the chunks of a session, or add a step to the last chunk while it has room."""
        if isinstance(unit, Step):
            self._add_step(memory, unit)
            return Receipt("stored", (unit.locator,))
        for number, turns in enumerate(self._packed(unit), 1):
            stem = f"session_{unit.number:02d}_chunk_{number:02d}"
            speakers = ", ".join(dict.fromkeys(turn.speaker for turn in turns))
            description = f"{session_title(unit)}, chunk {number}: {speakers}"
            text = render_frontmatter(stem, description) + "\n" + session_heading(unit) + render_turns(turns)
            memory.store.write(f"{ROOT}/{stem}.md", text)
        return Receipt("stored", unit.locators)

    async def consolidate(self, memory: Memory) -> None:
        """Bring the index up to date, so that the first search finds it ready."""
        index_of(memory, Options("file")).refresh()

    def _packed(self, session: Session) -> Iterator[list[Turn]]:
        chunk: list[Turn] = []
        size = 0
        for turn in session.turns:
            tokens = count_tokens(render_turn(turn))
            if chunk and size + tokens > self._target:
                yield chunk
                chunk, size = [], 0
            chunk.append(turn)
            size += tokens
        if chunk:
            yield chunk

    def _add_step(self, memory: Memory, step: Step) -> None:
        """A chunk of steps is named by its first one, so that it grows by one atomic write."""
        text = render_unit(step)
        path = self._last_chunk(memory)
        if path:
            held = memory.store.read(path)
            if held.endswith(text):
                return  # Stored by a call that was cut short afterwards.
            body = held[len(_head(held)) :]
            first = int(path.removeprefix(STEPS).removesuffix(SUFFIX))
            if count_tokens(body) + count_tokens(text) <= self._target:
                memory.store.write(path, _steps_head(first, step.index) + body + text)
                return
        path = f"{STEPS}{step.index:04d}{SUFFIX}"
        memory.store.write(path, _steps_head(step.index, step.index) + text)
        self._open = memory.path, path

    def _last_chunk(self, memory: Memory) -> str | None:
        """The chunk of steps that was begun last; looked for once, because a walk at every step would add up."""
        if self._open is None or self._open[0] != memory.path:
            chunks = [path for path in memory.store.paths() if path.startswith(STEPS)]
            if not chunks:
                return None
            self._open = memory.path, max(chunks, key=lambda path: (len(path), path))
        return self._open[1]


def _steps_head(first: int, last: int) -> str:
    description = f"Step {first}" if first == last else f"Steps {first} to {last}"
    return render_frontmatter(f"steps_{first:04d}", description) + "\n"


def _head(text: str) -> str:
    """The frontmatter and the empty line below it."""
    return "\n".join(text.split("\n")[: frontmatter_end(text) + 1]) + "\n"
