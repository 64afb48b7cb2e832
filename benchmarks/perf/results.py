"""What it takes to look at a large run: seconds and peak memory of the whole process, command by command.

The runs are made up: 10,000 questions of 100 streams under 6 arms, with answers, evidence and calls of the size that
real ones have. Run it on an idle machine: `python benchmarks/perf/results.py`
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from memkit.runs.columns import (
    ANSWERED,
    ARM,
    ASKED,
    CALL,
    CALLS_FILE,
    CLASSES,
    ITEMS_FILE,
    MADE,
    MEMORIES_FILE,
    SPEC_FILE,
    SUMMARY_FILE,
)
from memkit.runs.parquet import Schema, write_table

METRICS = ("evidence_recall", "evidence_all", "answer_f1", "citation_recall")
CATEGORIES = ("single-hop", "multi-hop", "temporal", "open", "adversarial")
WORDS = (
    "the",
    "kite",
    "is",
    "red",
    "and",
    "Ana",
    "keeps",
    "it",
    "in",
    "the",
    "shed",
    "behind",
    "her",
    "house",
    "where",
)
CALLS = 3
"""Model calls an answer."""
LIMIT_SECONDS, LIMIT_MB = 5.0, 500.0


def main() -> None:
    """Make two runs, time every command that reads them, and say which are over the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--arms", type=int, default=6)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3, help="runs of each command; the slowest counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "before-1", Path(folder) / "after-2"
        for seed, directory in enumerate((before, after)):
            # In a process of its own: a child starts with its parent's peak of memory.
            shape = (options.questions, options.arms, options.streams)
            maker = get_context("spawn").Process(target=make_run, args=(directory, *shape, seed))
            maker.start()
            maker.join()
        size = sum(file.stat().st_size for file in before.rglob("*.parquet")) / 1e6
        print(
            f"{options.questions:,} questions x {options.arms} arms, {options.streams:,} streams:"
            f" {size:.1f} MB of parquet a run"
        )
        for words in (
            ["show", before],
            ["show", before, "--items"],
            ["show", before, "--flips"],
            ["show", before, "--json"],
            ["show", before, "--items", "--json"],
            ["diff", before, after],
            ["report", before],
            ["gate", before, "--items", "--junit", Path(folder) / "junit.xml"],
        ):
            seconds, busy, megabytes = measure([str(word) for word in words], options.repeats, Path(folder))
            over = " OVER" if seconds > LIMIT_SECONDS or megabytes > LIMIT_MB else ""
            name = " ".join(Path(word).name for word in map(str, words))
            print(f"{name:42} {seconds:6.2f} s {busy:6.2f} s of CPU {megabytes:6.0f} MB{over}")


def measure(words: list[str], repeats: int, cache: Path) -> tuple[float, float, float]:
    """The slowest of the repeats in seconds, and of CPU seconds; the largest peak of resident memory in MB.

    A first run, which is not counted, compiles what an installed memkit has compiled already.
    """
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(cache / "compiled")
    slowest = busiest = largest = 0.0
    for number in range(repeats + 1):
        started = time.perf_counter()
        process = subprocess.Popen(
            [Path(sys.executable).with_name("memkit"), *words],
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env=env,
        )
        _, status, usage = os.wait4(process.pid, 0)
        if number:
            slowest = max(slowest, time.perf_counter() - started)
            busiest = max(busiest, usage.ru_utime + usage.ru_stime)
        largest = max(largest, usage.ru_maxrss / 1000)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 3, 4, 5):
            raise SystemExit(f"memkit {' '.join(words)} ended with {process.returncode}")
    return slowest, busiest, largest


def make_run(directory: Path, questions: int, arms: int, streams: int, seed: int) -> None:
    """Write a run as a finished comparison would have left it."""
    rng = np.random.default_rng(seed)
    results = directory / "results"
    results.mkdir(parents=True)
    labels = [f"builder-{number} / center" for number in range(arms)]
    rows = [(label, question) for label in labels for question in range(questions)]
    write_table(results / ITEMS_FILE, *items_table(rng, rows, streams, seed))
    write_table(results / CALLS_FILE, *calls_table(rng, rows, streams))
    write_table(results / MEMORIES_FILE, MADE, {name: [] for name in MADE})
    (directory / SPEC_FILE).write_text(
        "name: large\nmetrics: {primary: evidence_recall, also: [evidence_all, answer_f1, citation_recall]}\n"
        f"gate: [{{metric: evidence_recall, vs: baseline, noninferior: 0.02}}]\nseed: {seed}\n"
    )
    summary = {
        "schema": 1,
        "primary": "evidence_recall",
        "baseline": labels[0],
        "pairs": [[label, labels[0]] for label in labels[1:]],
        "arms": [
            {"label": label, "factors": {"builder": label}, "null": False, "items": questions, "answered": questions}
            for label in labels
        ],
    }
    (results / SUMMARY_FILE).write_text(json.dumps(summary))


def items_table(
    rng: np.random.Generator, rows: list[tuple[str, int]], streams: int, seed: int
) -> tuple[Schema, dict[str, list[Any]]]:
    """A row an answer; one in a hundred is missing."""
    schema: dict[str, Any] = {**ARM, **ASKED, **{f"score_{name}": "number" for name in METRICS}, **ANSWERED}
    size = len(rows)
    there = rng.random(size) > 0.01
    columns: dict[str, list[Any]] = {name: [None] * size for name in schema}
    columns |= {
        "run": ["large"] * size,
        "arm": [label for label, _ in rows],
        "builder": [label for label, _ in rows],
        "null": [False] * size,
        "stream": [f"stream-{question % streams}" for _, question in rows],
        "question": [f"question-{question}" for _, question in rows],
        "question_text": [f"Question {question}: {' '.join(WORDS[: 5 + question % 12])}?" for _, question in rows],
        "gold": [f"gold {question}" for _, question in rows],
        "category": [CATEGORIES[question % len(CATEGORIES)] for _, question in rows],
        "answerable": [True] * size,
        "evidence": [[f"[S{question % 30 + 1}T{question % 17 + 1}]"] for _, question in rows],
        "attempt": [0] * size,
        "status": ["ok" if one else "missing" for one in there],
        "served": [[f"[S{n + 1}T{question % 40 + 1}]" for n in range(12)] for _, question in rows],
        "cited": [[f"[/memories/session_{question % 30:02}.md:L{question % 90 + 1}]"] for _, question in rows],
        "answer": [" ".join(rng.choice(WORDS, 30)) for _ in rows],
        "defect": [""] * size,
        "build_key": [f"{seed:064x}"] * size,
        "answer_key": [f"{place:064x}" for place in range(size)],
    }
    for number, name in enumerate(METRICS):
        scores = rng.integers(0, 2, size) if number < 2 else rng.random(size)
        columns[f"score_{name}"] = [float(score) if one else None for score, one in zip(scores, there, strict=True)]
    for name in ("rounds", "tool_calls", "tool_errors", "served_tokens", "tool_tokens", *CLASSES, "retries"):
        columns[name] = [int(value) for value in rng.integers(0, 4000, size)]
    for name in ("seconds", "usd_logical", "usd_billed"):
        columns[name] = [float(value) for value in rng.random(size)]
    return schema, columns


def calls_table(
    rng: np.random.Generator, rows: list[tuple[str, int]], streams: int
) -> tuple[Schema, dict[str, list[Any]]]:
    """A few calls a row."""
    size = len(rows) * CALLS
    columns: dict[str, list[Any]] = {name: [None] * size for name in CALL}
    columns |= {
        "run": ["large"] * size,
        "stage": ["answer"] * size,
        "unit": [f"{place // CALLS:064x}" for place in range(size)],
        "stream": [f"stream-{rows[place // CALLS][1] % streams}" for place in range(size)],
        "question": [f"question-{rows[place // CALLS][1]}" for place in range(size)],
        "model": ["provider/model"] * size,
        "usd": [float(value) for value in rng.random(size)],
    }
    for name in CLASSES:
        columns[name] = [int(value) for value in rng.integers(0, 4000, size)]
    return CALL, columns


if __name__ == "__main__":
    main()
