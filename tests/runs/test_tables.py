"""What the tables hold: the columns that docs/reference/results.md lists, and null where nothing is known."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from memkit.compare.comparison import Comparison
from memkit.errors import UserError
from memkit.runs.columns import CALLS_FILE, CLASSES, ITEMS_FILE, MEMORIES_FILE, SCORE, STATS_FILE
from memkit.runs.open import Run
from memkit.runs.parquet import read_table, write_table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "results.md"
FILES = (ITEMS_FILE, MEMORIES_FILE, CALLS_FILE)
TYPES = {
    "text": pl.String(),
    "texts": pl.List(pl.String()),
    "whole": pl.Int64(),
    "number": pl.Float64(),
    "yes": pl.Boolean(),
}


def documented(file: str) -> dict[str, str]:
    """Column -> type, as the page's table under the heading of a file has them, in order."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## `{file}`\n")[1].split("\n## ")[0]
    found: dict[str, str] = {}
    for names, kind in re.findall(r"^\| (`[^|]*`) \| (\w+) \|", section, re.MULTILINE):
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", names), kind)
    return found


@pytest.mark.parametrize("file", FILES)
def test_columns_are_documented(file: str, whole: Run) -> None:
    """The page lists each column with its type, in the order of the file; scores are one entry."""
    schema = pl.read_parquet_schema(whole.results / file)
    scores = {name for name in schema if name.startswith(SCORE)}
    expected = {name: kind for name, kind in documented(file).items() if name != f"{SCORE}METRIC"}

    assert list(expected) == [name for name in schema if name not in scores]
    assert {name: TYPES[kind] for name, kind in expected.items()} == {
        name: kind for name, kind in schema.items() if name not in scores
    }
    assert all(schema[name] == pl.Float64() for name in scores)


def test_rows_are_those_of_the_results(whole: Run, done: Comparison) -> None:
    """A row an answer, in the order of the results, with the question, the gold and the keys."""
    rows = whole.items.to_dicts()
    assert [(one.arm, one.stream, one.question, one.attempt) for one in done.results.rows] == [
        (row["arm"], row["stream"], row["question"], row["attempt"]) for row in rows
    ]
    questions = {item.question.id: item.question for cell in done.plan.cells for item in cell.items}
    assert all(questions[row["question"]].text == row["question_text"] for row in rows)
    assert all(questions[row["question"]].gold == row["gold"] for row in rows)
    assert {row["answer_key"] for row in rows} == set(done.outcome.records.answer)
    assert {row["build_key"] for row in rows} - {None} == set(done.outcome.records.build)


def test_what_is_missing_is_null(gappy: Run) -> None:
    """A missing row has its question, and nothing of an answer; never 0."""
    rows = gappy.items.filter(pl.col("status") == "missing")
    measured = [name for name in rows.columns if name.startswith(SCORE)]
    measured += [*CLASSES, "usd_logical", "usd_billed", "rounds", "seconds", "retries", "answer"]

    assert len(rows) > 10
    assert [] == [name for name in measured if rows[name].null_count() < len(rows)]
    assert 0 == rows["question_text"].null_count()


def test_scores_that_do_not_apply_are_null(whole: Run) -> None:
    """A question the stream cannot answer has no F1, and one without options no choice to be right in."""
    none = whole.items.filter(pl.col("category") == "none")
    facts = whole.items.filter(pl.col("category") == "fact")

    assert (len(none), len(facts)) == (none["score_answer_f1"].null_count(), facts["score_exact"].null_count())
    assert 0 == facts["score_answer_f1"].null_count()


def test_calls_add_up(whole: Run) -> None:
    """The tokens of an answer are those of its calls, each unit's calls stand there once."""
    calls = whole.calls.filter(pl.col("stage") == "answer").group_by("unit").agg(pl.col("uncached", "output").sum())
    totals = {unit: (uncached, output) for unit, uncached, output in calls.iter_rows()}
    rows = whole.items.unique("answer_key")

    assert {row["answer_key"]: (row["uncached"], row["output"]) for row in rows.to_dicts()} == totals


def test_memories(whole: Run) -> None:
    """A row a memory and arm: null rows build nothing, arms that share a memory have the same one."""
    rows = whole.memories
    assert {"verbatim / center", "verbatim / center+bm25", "chunk-bm25 / chunks"} == set(rows["arm"])
    keys = {label: sorted(part["build_key"]) for (label,), part in rows.partition_by("arm", as_dict=True).items()}
    assert keys["verbatim / center"] == keys["verbatim / center+bm25"] != keys["chunk-bm25 / chunks"]
    assert all(files > 0 for files in rows["files"])


def test_the_same_log_gives_the_same_bytes(done: Comparison, tmp_path: Path) -> None:
    """Written again from the same records, every file is the same to the byte."""
    from memkit.accounting.prices import load_prices
    from memkit.compare.export import write_results
    from memkit.runs.record import record_results

    folder = done.outcome.directory / "results"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    write_results(folder, done.plan, done.results)
    record_results(folder, done.plan, done.results, done.outcome.records, load_prices())

    assert {*FILES, STATS_FILE, "items.jsonl", "summary.json"} <= before.keys()
    assert before == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_half_a_surrogate(tmp_path: Path) -> None:
    """What no UTF-8 file can hold is a question mark, as in the JSON files."""
    write_table(tmp_path / "t.parquet", {"a": "text", "b": "texts"}, {"a": ["x\ud800", None], "b": [["\udfff"], []]})

    assert [("x?", ["?"]), (None, [])] == read_table(tmp_path / "t.parquet").rows()


def test_another_schema(tmp_path: Path) -> None:
    """A table of another schema, or of somebody else, is refused and not misread."""
    pl.DataFrame({"arm": ["a"]}).write_parquet(tmp_path / "t.parquet", metadata={"memkit_schema": "99"})
    with pytest.raises(UserError, match="has schema 99, this version of memkit reads 1; run the comparison again"):
        read_table(tmp_path / "t.parquet")
    pl.DataFrame({"arm": ["a"]}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(UserError, match="has schema None"):
        read_table(tmp_path / "t.parquet")
