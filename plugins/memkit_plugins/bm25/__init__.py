"""Ranked keyword search: the harness Center+BM25, chunk retrieval, and the builder of chunk stores."""

from __future__ import annotations

from memkit import Builder, Harness, Registry, hookimpl

# Factories, so that registering loads neither the store nor tantivy.


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the two harnesses and the builder."""
    registry.builder("chunk-bm25", chunk_builder)
    registry.harness("center+bm25", center_bm25)
    registry.harness("chunks", chunks)


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
