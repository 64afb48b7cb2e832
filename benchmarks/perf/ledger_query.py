"""Queries over the event ledger beside a plain loop over its rows and, where they are installed, polars and duckdb.

    python benchmarks/perf/ledger_query.py                       150, 10,000 and 1,000,000 rows
    python benchmarks/perf/ledger_query.py --rows 150 10000 --seconds 0.2

Prints CPU milliseconds, medians of the runs that fit into the seconds: ours from the plan to the result, with
grounding, once the columns it needs are made; what making them takes is the first table. All others search columns
that were lowered beforehand, as substrings: none has token boundaries. The last table is ours in microseconds a row.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any
from xml.etree.ElementTree import SubElement

from rich.console import Console
from rich.table import Table

from memkit.ledger.row import Change, Row
from memkit.query.engine import Engine
from memkit.query.parse import parse_plan
from memkit.report.figures import svg
from memkit.report.figures.chart import HEIGHT, SERIES, WIDTH, Axis, Line, lines
from memkit.report.growth import PAPER
from memkit.report.html import STYLE, TEMPLATES

QUERIES = {
    "count by tool": 'count where tool: "open"',
    "count by target": 'count where target: "drawer 1"',
    "count by a word of distinct actions": 'count where action: "module_17"',
    "count by a word of most actions": 'count where action: "python"',
    "count by two clauses in scope": 'count where tool: "bash" | "go" and outcome: "failure" in [10, ]',
    "count by a number": "count where exit_code != 0",
    "group by tool": "group by tool",
    "group by target where filtered": 'group by target where outcome: "success"',
    "first": 'first where target: "drawer 7" and tool: "open"',
    "last per target": 'last per target where tool: "open"',
    "timeline": 'timeline where tool: "open" and outcome: "success"',
    "sum": 'sum of seconds where tool: "bash"',
    "state": 'state of "drawer 1.state"',
}
LINEAR = (150, 1_000, 10_000, 100_000, 1_000_000)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[150, 10_000, 1_000_000])
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of each figure")
    parser.add_argument("--plot", type=Path, help="draw the time of each query over the rows into this SVG file")
    arguments = parser.parse_args()
    console = Console(width=130)
    for count in arguments.rows:
        log = make_log(count)
        console.print(built(log), compared(log, arguments.seconds))
    counts = [count for count in LINEAR if count <= max(arguments.rows)]
    figures = by_rows(counts, arguments.seconds)
    console.print(linearity(counts, figures))
    if arguments.plot:
        arguments.plot.write_text(draw(counts, figures), encoding="utf-8")


def make_log(count: int) -> list[Row]:
    """A log half of household acts over 60 things, half of commands that are all different."""
    chance = random.Random(0)
    return [_household(step, chance) if chance.random() < 0.5 else _command(step, chance) for step in range(count)]


def _household(step: int, chance: random.Random) -> Row:
    act = chance.choice(("go to", "open", "close", "take", "examine"))
    thing = f"{chance.choice(('drawer', 'cabinet', 'shelf'))} {chance.randint(1, 20)}"
    done = chance.random() < 0.9
    state = (Change(f"{thing}.state", act),) if done and act in ("open", "close") else ()
    outcome, quote = ("success", f"You {act} the {thing}.") if done else ("no effect", "Nothing happens.")
    return Row(step, f"[step {step}]", act.split()[0], act, f"{act} {thing}", (thing,), outcome, quote, changes=state)  # type: ignore[arg-type]


def _command(step: int, chance: random.Random) -> Row:
    path = f"/src/module_{chance.randrange(500)}.py"
    action = f"bash: python {path} --seed {chance.randrange(10**9)}"
    code = chance.choice((0, 0, 0, 1, 2))
    numbers = {"exit_code": float(code), "seconds": chance.random()}
    outcome = "failure" if code else "success"
    return Row(step, f"[step {step}]", "bash", "python", action, (path,), outcome, f"exit code {code}", numbers=numbers)  # type: ignore[arg-type]


def built(log: Sequence[Row]) -> Table:
    """What each column takes to make: the first run less a later one."""
    table = Table("column", "ms", title=f"{len(log):,} rows: columns, once a ledger")
    table.add_row("steps", f"{_time(lambda: Engine(log), 0):.2f}")
    for name, text in (
        *((field, f'count where {field}: "a"') for field in ("tool", "target", "action", "outcome", "change", "quote")),
        ("numbers", "sum of seconds"),
        ("states", 'state of "drawer 1.state"'),
    ):
        plan = parse_plan(text)
        engine = Engine(log)
        first = _once(lambda plan=plan, engine=engine: engine.run(plan))
        table.add_row(name, f"{max(first - _once(lambda plan=plan, engine=engine: engine.run(plan)), 0):.2f}")
    return table


def compared(log: Sequence[Row], seconds: float) -> Table:
    """Each query on each engine, and ours to the best of the others."""
    engine = Engine(log)
    others: dict[str, Callable[[str], Callable[[], Any] | None]] = {"loop": Loop(log).query}
    for name, make in (("polars", Polars), ("duckdb", Duckdb)):
        try:
            others[name] = make(log).query
        except ImportError:
            continue
    table = Table("query", "memkit", *others, "to the best", title=f"{len(log):,} rows: CPU ms")
    for name, text in QUERIES.items():
        plan = parse_plan(text)
        ours = _time(lambda plan=plan: engine.run(plan), seconds)
        theirs = [_time(run, seconds) if (run := query(name)) else None for query in others.values()]
        known = [each for each in theirs if each is not None]
        shown = ["-" if each is None else f"{each:.3f}" for each in theirs]
        table.add_row(name, f"{ours:.3f}", *shown, f"{ours / min(known):.2f}" if known else "-")
    return table


def by_rows(counts: Sequence[int], seconds: float) -> dict[str, list[float]]:
    """CPU ms of each query at so many rows, ours."""
    engines = [Engine(make_log(count)) for count in counts]
    plans = {name: parse_plan(text) for name, text in QUERIES.items()}
    return {
        name: [_time(lambda plan=plan, engine=engine: engine.run(plan), seconds / 3) for engine in engines]
        for name, plan in plans.items()
    }


def linearity(counts: Sequence[int], figures: Mapping[str, Sequence[float]]) -> Table:
    """Microseconds a row."""
    table = Table("query", *(f"{count:,}" for count in counts), title="memkit: CPU µs a row, by rows")
    for name, times in figures.items():
        table.add_row(name, *(f"{ms * 1000 / count:.4f}" for ms, count in zip(times, counts, strict=True)))
    return table


def draw(counts: Sequence[int], figures: Mapping[str, Sequence[float]]) -> str:
    """Both axes by powers of ten: what is linear in the rows rises by one for each power."""
    places = [log10(count) for count in counts]
    heights = [log10(ms) for times in figures.values() for ms in times]
    x = Axis("rows", places[0], places[-1], lambda power: f"{10**power:,.0f}")
    y = Axis("CPU ms", floor(min(heights)), ceil(max(heights)), lambda power: f"{10**power:g}")
    series = [
        Line(number, list(zip(places, map(log10, times), strict=True)), name)
        for number, (name, times) in enumerate(figures.items(), 1)
    ]
    drawn = lines("Time of a query by rows", x, y, series)
    key = 20 * (len(series) + 1)
    whole = svg.canvas(WIDTH, HEIGHT + key, "Time of a query by rows")
    whole.set("xmlns", "http://www.w3.org/2000/svg")
    SubElement(whole, "style").text = (TEMPLATES / STYLE).read_text(encoding="utf-8") + PAPER
    svg.rect(whole, 0, 0, WIDTH, HEIGHT + key, "paper")
    SubElement(whole, "g").extend(list(drawn))
    for number, name in enumerate(figures, 1):
        svg.text(whole, 12, HEIGHT + 20 * number, f"{number}  {name}", f"number s{(number - 1) % SERIES}")
    return svg.markup(whole)


class Loop:
    """A plain loop over the rows, their texts lowered beforehand."""

    def __init__(self, log: Sequence[Row]) -> None:
        self.rows = [
            (row, f"{row.tool} {row.act}".lower(), row.action.lower(), [target.lower() for target in row.targets])
            for row in log
        ]

    def query(self, name: str) -> Callable[[], Any] | None:
        """What answers the query of that name."""
        rows = self.rows
        opened = "open"
        word = re.compile(r"\bdrawer 1\b").search
        return {
            "count by tool": lambda: [p for p, (_, tool, _, _) in enumerate(rows) if opened in tool],
            "count by target": lambda: [p for p, (*_, targets) in enumerate(rows) if any(map(word, targets))],
            "count by a word of distinct actions": lambda: [p for p, r in enumerate(rows) if "module_17" in r[2]],
            "count by a word of most actions": lambda: [p for p, r in enumerate(rows) if "python" in r[2]],
            "count by two clauses in scope": lambda: [
                p
                for p, (row, tool, _, _) in enumerate(rows)
                if row.step >= 10 and row.outcome == "failure" and ("bash" in tool or "go" in tool)
            ],
            "count by a number": lambda: [
                p for p, (row, *_) in enumerate(rows) if row.numbers.get("exit_code", 0) != 0
            ],
            "group by tool": lambda: _grouped((p, (row.tool,)) for p, (row, *_) in enumerate(rows)),
            "group by target where filtered": lambda: _grouped(
                (p, row.targets) for p, (row, *_) in enumerate(rows) if row.outcome == "success"
            ),
            "last per target": lambda: _grouped((p, r[0].targets) for p, r in enumerate(rows) if opened in r[1]),
            "timeline": lambda: [p for p, r in enumerate(rows) if opened in r[1] and r[0].outcome == "success"],
            "sum": lambda: sum(r[0].numbers["seconds"] for r in rows if "bash" in r[1] and "seconds" in r[0].numbers),
        }.get(name)


def _grouped(occurrences: Iterable[tuple[int, Sequence[str]]]) -> dict[str, list[int]]:
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, names in occurrences:
        for name in names:
            groups[name].append(place)
    return groups


def _columns(log: Sequence[Row]) -> dict[str, list[Any]]:
    return {
        "step": [row.step for row in log],
        "tool": [row.tool for row in log],
        "act": [f"{row.tool} {row.act}".lower() for row in log],
        "action": [row.action.lower() for row in log],
        "target": [" | ".join(row.targets).lower() for row in log],
        "targets": [list(row.targets) for row in log],
        "outcome": [row.outcome for row in log],
        "exit_code": [row.numbers.get("exit_code") for row in log],
        "seconds": [row.numbers.get("seconds") for row in log],
    }


class Polars:
    """The same by polars, eager, on one table."""

    def __init__(self, log: Sequence[Row]) -> None:
        import polars as pl

        self.polars = pl
        self.table = pl.DataFrame(_columns(log)).with_row_index()

    def query(self, name: str) -> Callable[[], Any] | None:
        """What answers the query of that name."""
        table, col = self.table, self.polars.col

        def has(field: str, term: str) -> Any:
            return col(field).str.contains(term, literal=True)

        places, exploded = col("index"), ("index", "targets")
        return {
            "count by tool": lambda: table.filter(has("act", "open")).select(places),
            "count by target": lambda: table.filter(has("target", "drawer 1")).select(places),
            "count by a word of distinct actions": lambda: table.filter(has("action", "module_17")).select(places),
            "count by a word of most actions": lambda: table.filter(has("action", "python")).select(places),
            "count by two clauses in scope": lambda: table.filter(
                (has("act", "bash") | has("act", "go")) & (col("outcome") == "failure") & (col("step") >= 10)
            ).select(places),
            "count by a number": lambda: table.filter(col("exit_code") != 0).select(places),
            "group by tool": lambda: table.group_by("tool").agg(places),
            "group by target where filtered": lambda: (
                table.filter(col("outcome") == "success")
                .select(exploded)
                .explode("targets")
                .group_by("targets")
                .agg(places)
            ),
            "first": lambda: table.filter(has("target", "drawer 7") & has("act", "open")).select(places),
            "last per target": lambda: (
                table.filter(has("act", "open"))
                .select(exploded)
                .explode("targets")
                .group_by("targets")
                .agg(places.last())
            ),
            "timeline": lambda: table.filter(has("act", "open") & (col("outcome") == "success")).select(places),
            "sum": lambda: table.filter(has("act", "bash")).select(col("seconds").sum()),
        }.get(name)


class Duckdb:
    """The same by duckdb over an Arrow table."""

    def __init__(self, log: Sequence[Row]) -> None:
        import duckdb
        import pyarrow as pa

        self.connection = duckdb.connect()
        arrow = pa.table({"place": list(range(len(log))), **_columns(log)})
        self.connection.register("arrow", arrow)
        self.connection.execute("create table log as select * from arrow")

    def query(self, name: str) -> Callable[[], Any] | None:
        """What answers the query of that name."""
        sql = {
            "count by tool": "select place from log where contains(act, 'open')",
            "count by target": "select place from log where contains(target, 'drawer 1')",
            "count by a word of distinct actions": "select place from log where contains(action, 'module_17')",
            "count by a word of most actions": "select place from log where contains(action, 'python')",
            "count by two clauses in scope": "select place from log"
            " where (contains(act, 'bash') or contains(act, 'go')) and outcome = 'failure' and step >= 10",
            "count by a number": "select place from log where exit_code <> 0",
            "group by tool": "select tool, list(place) from log group by tool",
            "group by target where filtered": "select t, list(place) from (select place, unnest(targets) as t from log"
            " where outcome = 'success') group by t",
            "first": "select place from log where contains(target, 'drawer 7') and contains(act, 'open')",
            "last per target": "select t, max(place) from (select place, unnest(targets) as t from log"
            " where contains(act, 'open')) group by t",
            "timeline": "select place from log where contains(act, 'open') and outcome = 'success'",
            "sum": "select sum(seconds) from log where contains(act, 'bash')",
        }.get(name)
        return (lambda: self.connection.sql(sql).to_arrow_table()) if sql else None


def _once(run: Callable[[], object]) -> float:
    started = process_time()
    run()
    return (process_time() - started) * 1000


def _time(run: Callable[[], object], seconds: float) -> float:
    """The median of the runs that fit, at least three, in milliseconds; short ones are timed many at a time."""
    gc.collect()
    many = max(1, int(2 / max(_once(run), 0.001)))
    times: list[float] = []
    while sum(times) < seconds * 1000 or len(times) < 3:
        times.append(_once(lambda: [run() for _ in range(many)]))
    return median(times) / many


if __name__ == "__main__":
    main()
