"""Ranked keyword search: the harness Center+BM25, chunk retrieval, the builder of chunk stores, and a baseline."""

from __future__ import annotations

from memkit import VIEW_TOKENS, Builder, Harness, Model, Registry, Searcher, hookimpl

# Factories, so that registering loads neither the store nor tantivy.


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the two harnesses, the builder and the searcher."""
    registry.builder("chunk-bm25", chunk_builder)
    registry.harness("center+bm25", center_bm25)
    registry.harness("chunks", chunks)
    registry.searcher("bm25-context", bm25_context)


def chunk_builder(*, target_tokens: int = 400) -> Builder:
    """The stream split into chunks of whole turns or steps, indexed for retrieval; no model."""
    from memkit_plugins.bm25.chunker import ChunkBuilder

    return ChunkBuilder(target_tokens=target_tokens)


def center_bm25(*, stemming: bool = True) -> Harness:
    """The file tools of Center with ranked whole-file search on top."""
    from memkit_plugins.bm25.harness import CenterBM25

    return CenterBM25(stemming=stemming)


def chunks(*, stemming: bool = True) -> Harness:
    """Chunk retrieval alone: the three best chunks in full for each query."""
    from memkit_plugins.bm25.harness import Chunks

    return Chunks(stemming=stemming)


def bm25_context(model: Model, *, budget: int = VIEW_TOKENS, stemming: bool = True) -> Searcher:
    """The archive's best steps or turns by BM25, whole, as many as fit, answered from in one call."""
    from memkit_plugins.bm25.context import BM25Context

    return BM25Context(model=model, budget=budget, stemming=stemming)
