"""The two tools of ranked search: `bm25_search` over files and `bm25_chunk_retrieve` over chunks."""

from __future__ import annotations

from collections.abc import Sequence

from memkit import ROOT, NotFound, Tool, ToolError, clip, define_tool, describe, frontmatter_end, split_lines
from memkit_plugins.bm25.passages import CANDIDATE_FILES, Passages, RankedFile, Ranking

CHUNKS = 3
"""Chunks a retrieval returns (filesystem paper, section 3, memory variants: "the top 3 chunks in full")."""
RELEVANT = 0.4
"""Lines that score less than this share of the best are not shown, however many are asked for: an easy question costs
little, a hard one is worth its lines, and more evidence is served at equal cost (benchmarks/perf/recall_curve.py)."""
MOST_LINES = 200
"""The largest `max_lines`: about what fits into one tool result."""

NO_TERMS = "The query has no word or symbol to search for; name people, things or distinctive words."


def search_tool(passages: Passages) -> Tool:
    """`bm25_search`: whole files ranked, each with its best lines."""

    def bm25_search(query: str, path: str = ROOT, max_results: int = 5, max_lines: int = 20) -> str:
        _check("max_results", max_results, CANDIDATE_FILES)
        _check("max_lines", max_lines, MOST_LINES)
        within = path.rstrip("/") or path
        if not passages.index.store.exists(within):
            raise NotFound(f"{within} does not exist; give a folder or file of the store.", path=within)
        terms = passages.terms(query)
        if not terms:
            return NO_TERMS
        ranking = passages.rank(terms, within)
        if not ranking.files:
            return f"No file at {within} has any of the words searched for: {', '.join(terms[:20])}. Try other words."
        return _show_files(passages, terms, ranking, max_results, max_lines)

    return define_tool("bm25_search", bm25_search)


def chunk_tool(passages: Passages) -> Tool:
    """`bm25_chunk_retrieve`: the best chunks in full."""

    def bm25_chunk_retrieve(query: str) -> str:
        terms = passages.terms(query)
        if not terms:
            return NO_TERMS
        files = passages.rank(terms).files[:CHUNKS]
        if not files:
            return f"No chunk has any of the words searched for: {', '.join(terms[:20])}. Try other words."
        return "\n\n".join(_show_chunk(passages, number, file) for number, file in enumerate(files, 1))

    return define_tool("bm25_chunk_retrieve", bm25_chunk_retrieve)


def allot(files: Sequence[RankedFile], max_lines: int) -> list[list[int]]:
    """The lines to show of each file, in line order: over all the files the `max_lines` best, as far as relevant."""
    least = RELEVANT * max((score for file in files for _, score in file.lines[:1]), default=0.0)
    ranked = [
        (-score, rank, line)
        for rank, file in enumerate(files)
        for line, score in file.lines[:max_lines]
        if score >= least
    ]
    chosen: list[list[int]] = [[] for _ in files]
    for _, rank, line in sorted(ranked)[:max_lines]:
        chosen[rank].append(line)
    return [sorted(lines) for lines in chosen]


def _show_files(passages: Passages, terms: Sequence[str], ranking: Ranking, max_results: int, max_lines: int) -> str:
    files = ranking.files[:max_results]
    blocks = [
        _show_file(passages, terms, file, lines)
        for file, lines in zip(files, allot(files, max_lines), strict=True)
        # A file whose every line lost to better ones is not worth its heading; one that matches in its frontmatter is.
        if lines or not file.lines
    ]
    left = len(ranking.files) - len(blocks)
    if left or not ranking.complete:
        count = f"{left}" if ranking.complete else f"at least {left}"
        matches = "file matches" if count == "1" else "files match"
        blocks.append(f"[{count} more {matches}: use rarer words, narrow path, or raise max_results or max_lines]")
    return "\n\n".join(blocks)


def _show_file(passages: Passages, terms: Sequence[str], file: RankedFile, numbers: Sequence[int]) -> str:
    text = passages.index.read(file.path, file.signature).decode("utf-8", "replace")
    description = describe(text)
    lines = split_lines(text)
    head = f"{file.path} — {description}" if description else file.path
    # A title or date that the description begins with is not said twice.
    shown = [number for number in numbers if not description.startswith(lines[number - 1].strip())]
    return "\n".join([head, *(_show_line(number, lines[number - 1], terms) for number in shown)])


def _show_line(number: int, line: str, terms: Sequence[str]) -> str:
    """The line as `view` shows it; a very long one is cut to the part about its first match."""
    folded = line.lower()
    first = min((at for term in terms if (at := folded.find(term)) >= 0), default=0)
    return f"{number:>6}\t{clip(line, around=first)}"


def _show_chunk(passages: Passages, number: int, file: RankedFile) -> str:
    text = passages.index.read(file.path, file.signature).decode("utf-8", "replace")
    body = "\n".join(split_lines(text)[frontmatter_end(text) :]).strip("\n")
    return f"----- result {number} ({file.path}) -----\n{body}"


def _check(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ToolError(f"{name} must be from 1 to {most}, not {value}.")
