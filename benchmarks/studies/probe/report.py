"""Tables of a probe run by template and by load bin.

Run `python benchmarks/studies/probe/report.py RUN QUESTIONS`, where RUN is the folder of a run of `probe.yaml` and
QUESTIONS the `probe.jsonl` it was asked. The load of a question is the number of its events.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

SCORES = ("event_exact", "event_f1", "value", "evidence_recall")
"""What is tabled: events selected, values answered, and the share of the events whole in what the reader saw."""
BINS = ((0, 0), (1, 5), (6, 15), (16, 50), (51, 100), (101, None))
"""Loads from and to, both included. The ends 5, 15 and 100 are in the ledger paper's text, 50 is ours."""


def main(arguments: list[str]) -> None:
    """Print a table for each score: a row for each template and load bin, a column for each arm."""
    if len(arguments) != 2:
        sys.exit("usage: report.py RUN QUESTIONS")
    rows = list(read(Path(arguments[0]) / "results" / "items.jsonl"))
    loads = {one["id"]: len(one["evidence"]) for one in read(Path(arguments[1])) if one.get("type") == "question"}
    kinds: list[tuple[str, Callable[[Mapping[str, Any]], str]]] = [
        ("template", lambda row: str(row["category"])),
        ("load", lambda row: bin_of(loads[row["question"]])),
        ("", lambda _: "all"),
    ]
    for score in SCORES:
        print(f"\n{score} in %")
        for kind, key in kinds:
            print_table(kind, table(rows, score, key))


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file with one a line."""
    with path.open("rb") as lines:
        yield from map(json.loads, lines)


def bin_of(load: int) -> str:
    """The name of the bin a load is in."""
    low, high = next((low, high) for low, high in BINS if low <= load and (high is None or load <= high))
    if high is None:
        return f"{low}+"
    return f"{low}" if low == high else f"{low}-{high}"


def table(
    rows: Iterable[Mapping[str, Any]], score: str, key: Callable[[Mapping[str, Any]], str]
) -> dict[str, dict[str, list[float]]]:
    """The scores by the key of their row and by arm; rows without the score are left out."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if score in row["scores"]:
            found[key(row)][row["arm"].split(" / ")[-1]].append(row["scores"][score])
    return found


def print_table(kind: str, found: Mapping[str, Mapping[str, list[float]]]) -> None:
    """Means in percent, with the number of questions."""
    arms = list(dict.fromkeys(arm for by_arm in found.values() for arm in by_arm))
    print(f"{kind:10}{'n':>5}" + "".join(f"{arm:>15}" for arm in arms))
    for name in sorted(found, key=_rank):
        means = [100 * fmean(found[name][arm]) if found[name].get(arm) else float("nan") for arm in arms]
        print(f"{name:10}{max(map(len, found[name].values())):>5}" + "".join(f"{mean:>15.1f}" for mean in means))


def _rank(name: str) -> tuple[int, str]:
    """Bins by their lower end, templates by name."""
    low = re.match(r"\d+", name)
    return (int(low[0]) if low else 0, name)


if __name__ == "__main__":
    main(sys.argv[1:])
