"""What a build made, what it took, and what it kept of the stream, as the columns of a table."""

from __future__ import annotations

from memkit.management import managed_steps
from memkit.memory import Memory
from memkit.metrics.kept import measure_kept

BUILD = (
    "files",
    "bytes",
    "rounds",
    "tool_calls",
    "dropped_tokens",
    "kept_locators",
    "kept_numbers",
    "kept_dates",
    "kept_names",
    "frontmatter_defects",
    "reference_defects",
)
"""Counts of one memory, and shares in [0, 1] of the stream's distinct details; None where there was nothing to keep."""


def build_columns(memory: Memory) -> dict[str, float | None]:
    """`memory`, freshly built, under the names of `BUILD`."""
    files = {path: memory.store.read(path) for path in memory.store.paths()}
    kept = measure_kept(memory.archive.units(), files)
    steps = managed_steps(memory)
    values = (
        len(files),
        sum(len(text.encode()) for text in files.values()),
        sum(step.effort.rounds for step in steps),
        sum(step.effort.tool_calls for step in steps),
        sum(step.dropped for step in steps),
        kept.locators.share,
        kept.numbers.share,
        kept.dates.share,
        kept.names.share,
        len(kept.frontmatter),
        len(kept.references),
    )
    return dict(zip(BUILD, values, strict=True))
