"""tantivy, as far as memkit uses it: one document a unit, found by its terms, known by its place.

The only module that knows tantivy. A place is (file ordinal, line) in one number, so that hits need
no stored documents. Questions are boolean queries over terms; nothing is ever parsed as a query.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memkit import MemkitError

if TYPE_CHECKING:
    import tantivy

BUILD_HEAP_BYTES = 64_000_000
"""Memory of the writer before it makes a segment when all is indexed: one segment for most stores."""
UPDATE_HEAP_BYTES = 16_000_000
"""The same for a few changed files: near the least tantivy takes, because it is set up at each update."""

_LINE_BITS = 32
_ANALYZER = "terms"


class Damaged(MemkitError):
    """tantivy cannot read or write this index; building it anew mends it."""


@contextmanager
def damage() -> Iterator[None]:
    """Run calls of tantivy; what it raises, and its panics, become Damaged."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise Damaged(str(error)) from error
    except BaseException as error:
        # A panic of Rust code is a BaseException that its binding does not export.
        if type(error).__name__ != "PanicException":
            raise
        raise Damaged(str(error)) from None


class Engine:
    """An open index and a view of its last commit."""

    def __init__(self, index: tantivy.Index) -> None:
        self._index = index
        self._index.register_tokenizer(_ANALYZER, _split_at_spaces())
        # By hand, so that the view stays the one its state describes.
        self._index.config_reader("manual")
        self._look()

    @classmethod
    def create(cls, directory: Path | None) -> Engine:
        """A new index in an empty directory, or in memory. Raises Damaged."""
        import tantivy

        with damage():
            return cls(tantivy.Index(_schema(), path=str(directory) if directory else None, reuse=False))

    @classmethod
    def open(cls, directory: Path, commit: int) -> Engine:
        """The index of a directory, if it is at `commit`. Raises Damaged."""
        import tantivy

        with damage():
            engine = cls(tantivy.Index.open(str(directory)))
        # Looked at last: were another process to commit in between, this would be its commit.
        if _commit_of(directory) != commit:
            raise Damaged("the state and the index are of two commits")
        return engine

    def update(self, gone: Sequence[int], units: Iterator[tuple[int, int, list[str]]], *, heap: int) -> int:
        """Drop the documents of the ordinals `gone`, add `units` as (ordinal, line, terms), and commit.

        Gives the number of the commit. Raises Damaged.
        """
        import tantivy

        with damage():
            # One thread: it works beside the one that makes the terms, and machines have other things to do.
            writer = self._index.writer(heap, 1)
            for ordinal in gone:
                writer.delete_documents_by_term("file", ordinal)
            add, document = writer.add_document, tantivy.Document
            for ordinal, line, terms in units:
                add(document(text=" ".join(terms), file=ordinal, place=ordinal << _LINE_BITS | line))
            commit = writer.commit()
            # Ended without this, the writer would drop the merges that keep the number of segments small.
            writer.wait_merging_threads()
            self._look()
        return commit

    def hits(self, terms: Sequence[str], limit: int, *, within: Sequence[int] | None) -> list[tuple[int, int]]:
        """(ordinal, line) of the best units by tantivy's BM25, of the files `within` if given. Raises Damaged."""
        import tantivy

        should, must = tantivy.Occur.Should, tantivy.Occur.Must
        with damage():
            query = tantivy.Query.boolean_query([(should, self._term(term)) for term in terms])
            if within is not None:
                files = tantivy.Query.term_set_query(self._index.schema, "file", list(within))
                query = tantivy.Query.boolean_query(
                    [(must, query), (must, tantivy.Query.const_score_query(files, 0.0))]
                )
            found = self._searcher.search(query, limit, count=False).hits
            places = self._searcher.fast_field_values("place", [address for _, address in found])
        return [(int(place) >> _LINE_BITS, int(place) & (1 << _LINE_BITS) - 1) for place in places if place is not None]

    def frequency(self, term: str, *, exact: bool) -> int:
        """The number of units that have the term. Unless `exact`, deleted ones may still count. Raises Damaged."""
        with damage():
            if exact:
                return self._searcher.search(self._term(term), 1, count=True).count  # type: ignore[attr-defined, no-any-return]
            return self._searcher.doc_freq("text", term)

    def _term(self, term: str) -> tantivy.Query:
        import tantivy

        return tantivy.Query.term_query(self._index.schema, "text", term, "freq")

    def _look(self) -> None:
        self._index.reload()
        self._searcher = self._index.searcher()


def _split_at_spaces() -> tantivy.TextAnalyzer:
    import tantivy

    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name=_ANALYZER, index_option="freq")
    # Signed, because tantivy takes the numbers of a Document for signed ones.
    builder.add_integer_field("file", indexed=True)
    builder.add_integer_field("place", fast=True)
    return builder.build()


def _commit_of(directory: Path) -> int | None:
    try:
        return int(json.loads((directory / "meta.json").read_bytes())["opstamp"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
