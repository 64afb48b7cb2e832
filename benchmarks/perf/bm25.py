"""The search index beside bare tantivy fed the same terms: build, query, one changed file.

    python benchmarks/perf/bm25.py                  made-up text, 30 files of 25 lines and 2,000 of 100
    python benchmarks/perf/bm25.py --data locomo=DIR  conversations, one file a session

Prints milliseconds and the ratio to bare tantivy; medians of five runs.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import tantivy
from rich.console import Console
from rich.table import Table

from memkit import ROOT, Analyzer, Memory, build_registry, render_unit
from memkit_plugins.bm25.engine import BUILD_HEAP_BYTES
from memkit_plugins.bm25.index import Index, Options
from memkit_plugins.bm25.passages import CANDIDATE_UNITS, Passages
from memkit_plugins.bm25.units import units_of

RUNS = 5
QUESTIONS = 200


def main() -> None:
    """Measure each corpus and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="NAME=DIR", help="a dataset and its folder, instead of made-up text")
    arguments = parser.parse_args()
    table = Table("corpus", "what", "memkit ms", "bare tantivy ms", "memkit / bare")
    for name, files, questions in corpora(arguments.data):
        for row in measure(files, questions):
            table.add_row(name, *row)
    Console(width=110).print(table)


def corpora(data: str | None) -> list[tuple[str, list[str], list[str]]]:
    """(name, texts of files, questions) of each corpus."""
    if data is None:
        return [made_up(30, 25), made_up(2000, 100)]
    name, _, folder = data.partition("=")
    cases = list(build_registry(only=("locomo",)).make("dataset", name).load(Path(folder)))
    files = [render_unit(unit) for case in cases for unit in case.stream.units]
    questions = [question.text for case in cases for question in case.questions]
    return [(f"{name}, {len(files)} files", files, random.Random(0).sample(questions, min(QUESTIONS, len(questions))))]


def made_up(files: int, lines: int) -> tuple[str, list[str], list[str]]:
    """Text whose words are as unequal in frequency as those of real text."""
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]

    def draw(count: int) -> str:
        return " ".join(chance.choices(words, weights, k=count))

    texts = ["".join(draw(chance.randint(5, 40)) + "\n" for _ in range(lines)) for _ in range(files)]
    return f"made up, {files} x {lines}", texts, [draw(8) for _ in range(QUESTIONS)]


def measure(files: Sequence[str], questions: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """(what, memkit, bare, ratio) of each measurement on one corpus."""
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory.create(Path(folder) / "memory", builder="none", plugin="none", layout="tree")
        for number, text in enumerate(files):
            memory.store.write(f"{ROOT}/{number // 100:03d}/{number:05d}.md", text)
        analyzer = Analyzer()
        units = [unit for text in files for unit in units_of(text.encode(), "line", analyzer)]
        fed = [" ".join(unit.terms) for unit in units]
        asked = [analyzer.query(question) for question in questions]

        build_ours = median(lambda: index_of(memory, fresh(folder)).refresh(), runs=RUNS)
        build_bare = median(lambda: bare(fresh(folder), fed), runs=RUNS)
        passages = Passages(index_of(memory.frozen(), fresh(folder)))
        searcher, schema = bare(fresh(folder), fed)
        each(asked, passages.rank)
        query_ours = statistics.median(each(asked, passages.rank) for _ in range(RUNS))
        query_bare = statistics.median(each(asked, lambda terms: search(searcher, schema, terms)) for _ in range(RUNS))
        look_ours = statistics.median(
            each(asked, lambda terms: passages.index.candidates(terms, limit=CANDIDATE_UNITS)) for _ in range(RUNS)
        )
        live = Passages(index_of(memory, fresh(folder)))
        live.rank(("nothing",))
        path = f"{ROOT}/000/00000.md"
        edit = statistics.median(changed(live, memory, path, files[0], turn) for turn in range(RUNS))
    return [
        ("build", f"{build_ours:.1f}", f"{build_bare:.1f}", f"{build_ours / build_bare:.2f}"),
        ("look-up of candidates p50", f"{look_ours:.3f}", f"{query_bare:.3f}", f"{look_ours / query_bare:.2f}"),
        ("ranked lines p50, warm", f"{query_ours:.3f}", f"{query_bare:.3f}", f"{query_ours / query_bare:.2f}"),
        ("changed file found", f"{edit:.1f}", "", ""),
    ]


def index_of(memory: Memory, directory: Path) -> Index:
    """An index of the memory's store in a directory of its own."""
    return Index(memory.store, directory, memory.lock, Options())


def bare(directory: Path, fed: Sequence[str]) -> tuple[tantivy.Searcher, tantivy.Schema]:
    """Bare tantivy with the same fields, given the terms."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="terms", index_option="freq")
    builder.add_integer_field("place", fast=True)
    schema = builder.build()
    directory.mkdir()
    index = tantivy.Index(schema, path=str(directory))
    index.register_tokenizer("terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    writer = index.writer(BUILD_HEAP_BYTES, 1)
    for place, text in enumerate(fed):
        writer.add_document(tantivy.Document(text=text, place=place))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index.searcher(), schema


def search(searcher: tantivy.Searcher, schema: tantivy.Schema, terms: Sequence[str]) -> None:
    """The ten best units and their places."""
    should = tantivy.Occur.Should
    query = tantivy.Query.boolean_query(
        [(should, tantivy.Query.term_query(schema, "text", term, "freq")) for term in terms]
    )
    hits = searcher.search(query, 10, count=False).hits
    searcher.fast_field_values("place", [address for _, address in hits])


def changed(passages: Passages, memory: Memory, path: str, text: str, turn: int) -> float:
    """Milliseconds from a written file to a search that finds its new word."""
    word = f"zyzzyva{turn}x"
    memory.store.write(path, f"{text}{word}\n")
    start = time.perf_counter()
    found = passages.rank((word,)).files
    elapsed = (time.perf_counter() - start) * 1000
    assert [file.path for file in found] == [path]
    return elapsed


_count = iter(range(10_000))


def fresh(folder: str) -> Path:
    """A directory name not used before."""
    return Path(folder) / f"index-{next(_count)}"


def median(run: Callable[[], object], *, runs: int) -> float:
    """Milliseconds of the median run."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def each(asked: Sequence[tuple[str, ...]], run: Callable[[tuple[str, ...]], object]) -> float:
    """Median milliseconds over the questions."""
    return statistics.median(median(lambda terms=terms: run(terms), runs=1) for terms in asked)  # type: ignore[misc]


if __name__ == "__main__":
    main()
