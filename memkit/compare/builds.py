"""What a build made, what it took, what it kept of the stream and how it is organized, as the columns of a table."""

from __future__ import annotations

from memkit.management import managed_steps
from memkit.memory import Memory
from memkit.metrics.adherence import measure_adherence
from memkit.metrics.kept import measure_kept
from memkit.metrics.shape import measure_shape
from memkit.metrics.tree import build_tree
from memkit.store.texts import MARKDOWN, read_texts

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

STORE = (
    "folders",
    "sections",
    "references",
    "dangling",
    "leaves",
    "mean_depth",
    "max_depth",
    "fanout",
    "size_gini",
    "content_units",
    "distinguishability",
    "least_distinguishability",
    "cohesion",
    "leakage",
    "distance_correlation",
    "label_consistency",
)
"""The filesystem paper's shape and adherence of a store (its tables 3 and 4), as `Shape` and `Adherence` define them;
None where a store has nothing to measure."""


def build_columns(memory: Memory) -> dict[str, float | None]:
    """`memory`, freshly built, under the names of `BUILD` and `STORE`. Files that are not text hold nothing."""
    files, _ = read_texts(memory.store)
    kept = measure_kept(memory.archive.units(), files)
    steps = managed_steps(memory)
    entries = [entry for entry in memory.store.entries() if not entry.is_dir]
    values = (
        len(entries),
        sum(entry.size for entry in entries),
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
    return {**dict(zip(BUILD, values, strict=True)), **_store_columns(files)}


def _store_columns(files: dict[str, str]) -> dict[str, float | None]:
    """Of the markdown among `files`, as `memkit measure` has it."""
    markdown = {path: text for path, text in files.items() if path.endswith(MARKDOWN)}
    tree = build_tree(markdown)
    shape, order = measure_shape(markdown, tree), measure_adherence(markdown, tree)
    values = (
        shape.folders,
        shape.sections,
        shape.references,
        shape.dangling,
        shape.leaves,
        shape.mean_depth,
        shape.max_depth,
        shape.fanout,
        shape.size_gini,
        order.units,
        order.distinguishability,
        order.worst.distance if order.worst else None,
        order.cohesion,
        order.leakage,
        order.distance_correlation,
        order.label_consistency,
    )
    return dict(zip(STORE, values, strict=True))
