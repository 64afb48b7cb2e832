"""Evidence recall against served tokens: plain BM25 beside `bm25_search`, chunk retrieval and whole arms.

    python benchmarks/perf/recall_curve.py DIR [--dataset locomo]

A question's recall is the share of its gold turns whose locators stand in what was served; tokens are those of all the
text served, headers included. The first rows are asked for as much as fits the budget; plain BM25 is tantivy over units
of whole turns, served are the best units that fit. The whole arms (builder, harness, and `memkit/extractive` searching)
choose for themselves how much to read, so they are rows of tokens and recall at several of its settings.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

from memkit import (
    Analyzer,
    Case,
    Locator,
    Memory,
    Question,
    Session,
    build_memory,
    build_registry,
    count_tokens,
    find_locators,
    render_turn,
    split_lines,
)
from memkit_plugins.bm25.engine import BUILD_HEAP_BYTES, Engine
from memkit_plugins.bm25.harness import index_of
from memkit_plugins.bm25.index import Options
from memkit_plugins.bm25.passages import Passages

BUDGETS = (250, 500, 1000, 1500, 2000, 3000)
UNITS = (1, 5, 10, 20)
READ = (300, 600, 1200, 1900)
"""Settings of the embedded model: about how much it reads for a question."""
MOST_LINES = 200

Serve: TypeAlias = Callable[[Question, int], str]
"""What an arm serves for a question within a budget of tokens."""
Prepare: TypeAlias = Callable[[Case, Path], Serve]
"""Makes an arm ready for the stream of a case, in an empty folder."""


def main() -> None:
    """Measure every arm and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, metavar="DIR")
    parser.add_argument("--dataset", default="locomo")
    arguments = parser.parse_args()
    cases = list(build_registry().make("dataset", arguments.dataset).load(arguments.data))
    table = Table("arm", *(f"{budget:,}" for budget in BUDGETS), "as called: tokens", "recall")
    for name, prepare in arms():
        table.add_row(name, *measure(prepare, cases))
    questions = sum(len(asked(case)) for case in cases)
    Console(width=140).print(
        f"{arguments.dataset}: {questions} questions with evidence; recall at tokens served", table
    )


def arms() -> Iterator[tuple[str, Prepare]]:
    """Every row of the table."""
    for stemming in (False, True):
        for size in UNITS:
            words = "stemmed" if stemming else "not stemmed"
            yield f"plain, {size} turn{'s' * (size > 1)}, {words}", plain(size, stemming=stemming)
    yield "memkit's ranking, lines alone", ranking
    yield "bm25_search", search
    for target in (200, 400, 700):
        yield f"chunks of {target} tokens", chunks(target)
    for builder, harness in (("verbatim", "center"), ("verbatim", "center+bm25"), ("chunk-bm25", "chunks")):
        for tokens in READ if harness != "chunks" else READ[-1:]:
            yield f"arm {builder} / {harness}, served_tokens={tokens}", arm(builder, harness, tokens)


def measure(prepare: Prepare, cases: Sequence[Case]) -> list[str]:
    """Mean recall at each budget, then mean tokens and recall of the arm as an agent calls it."""
    rows = []
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            serve = prepare(case, Path(folder))
            for question in asked(case):
                served = [serve(question, budget) for budget in (*BUDGETS, 0)]
                rows.append([*(recall(question, text) for text in served), count_tokens(served[-1])])
    means = [statistics.mean(column) for column in zip(*rows, strict=True)]
    *at_budgets, as_called, tokens = means
    return [
        *(f"{value:.3f}" if value else "" for value in at_budgets),
        f"{tokens:,.0f}" if as_called else "",
        f"{as_called:.3f}" if as_called else "",
    ]


def asked(case: Case) -> list[Question]:
    """The questions that can be answered and whose evidence is known."""
    return [question for question in case.questions if question.answerable and question.evidence]


def recall(question: Question, text: str) -> float:
    """Share of the gold locators that stand in the text."""
    gold: set[Locator] = set(question.evidence)
    return len(gold & set(find_locators(text))) / len(gold)


def plain(size: int, *, stemming: bool) -> Prepare:
    """Plain BM25 of tantivy over units of `size` turns of one session."""

    def prepare(case: Case, folder: Path) -> Serve:
        analyzer = Analyzer(stemming=stemming)
        turns = [[render_turn(turn) for turn in unit.turns] for unit in case.stream.units if isinstance(unit, Session)]
        units = ["\n".join(session[at : at + size]) for session in turns for at in range(0, len(session), size)]
        engine = Engine.create(folder)
        engine.update(
            (), ((0, at, analyzer.terms(analyzer.words(unit))) for at, unit in enumerate(units)), heap=BUILD_HEAP_BYTES
        )

        def serve(question: Question, budget: int) -> str:
            chosen: list[str] = []
            left = budget
            for _, at in engine.hits(analyzer.query(question.text), MOST_LINES, within=None):
                left -= count_tokens(units[at]) + 1
                if left < 0:
                    break
                chosen.append(units[at])
            return "\n".join(chosen)

        return serve

    return prepare


def ranking(case: Case, folder: Path) -> Serve:
    """The lines in the order `bm25_search` takes them, without its file headings, line numbers and notice."""
    memory = built("verbatim", {}, case, folder)
    passages = Passages(index_of(memory, Options()))

    def serve(question: Question, budget: int) -> str:
        files = passages.rank(passages.terms(question.text)).files
        texts = [split_lines(memory.store.read(file.path)) for file in files]
        lines = sorted((-score, at, line) for at, file in enumerate(files) for line, score in file.lines)
        chosen: list[str] = []
        left = budget
        for _, at, line in lines:
            left -= count_tokens(texts[at][line - 1]) + 1
            if left < 0:
                break
            chosen.append(texts[at][line - 1])
        return "\n".join(chosen)

    return serve


def search(case: Case, folder: Path) -> Serve:
    """`bm25_search` over the verbatim dump: as many lines, of as many files as it gives, as fit the budget."""
    memory = built("verbatim", {}, case, folder)
    tool = build_registry().make("harness", "center+bm25").tools("search", memory)[-1]

    def serve(question: Question, budget: int) -> str:
        if budget == 0:
            return asyncio.run(tool({"query": question.text}))
        low, high, best = 0, MOST_LINES, ""
        while low < high:
            middle = (low + high + 1) // 2
            text = asyncio.run(tool({"query": question.text, "max_results": min(middle, 40), "max_lines": middle}))
            if count_tokens(text) <= budget:
                low, best = middle, text
            else:
                high = middle - 1
        return best

    return serve


def chunks(target: int) -> Prepare:
    """`bm25_chunk_retrieve` as it is: its size is that of three chunks, whatever the budget."""

    def prepare(case: Case, folder: Path) -> Serve:
        memory = built("chunk-bm25", {"target_tokens": target}, case, folder)
        (tool,) = build_registry().make("harness", "chunks").tools("search", memory)

        def serve(question: Question, budget: int) -> str:
            return asyncio.run(tool({"query": question.text})) if budget == 0 else ""

        return serve

    return prepare


def arm(builder: str, harness: str, served_tokens: int) -> Prepare:
    """A whole arm of a comparison: what its searcher was served with a locator in it."""

    def prepare(case: Case, folder: Path) -> Serve:
        memory = built(builder, {}, case, folder)
        registry = build_registry()
        model = registry.make("model", "memkit/extractive", {"served_tokens": served_tokens})
        agent = registry.make("searcher", "agent", model=model, harness=registry.make("harness", harness))

        def serve(question: Question, budget: int) -> str:
            if budget:
                return ""
            answer = asyncio.run(agent.answer(memory, question))
            results = (message.content for message in answer.messages if message.role == "tool")
            return "\n".join(text for text in results if any(find_locators(text)))

        return serve

    return prepare


def built(builder: str, options: dict[str, int], case: Case, folder: Path) -> Memory:
    """A memory of the case's stream, opened for reading."""
    made = build_registry().make("builder", builder, options)
    memory = Memory.create(folder / "memory", builder=builder, plugin="benchmark", layout=made.layout)
    asyncio.run(build_memory(memory, made, case.stream.units))
    return memory.frozen()


if __name__ == "__main__":
    main()
