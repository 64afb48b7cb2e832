"""Writing a run down: its tables, its statistics, and what it was made with, beside the JSON results."""

from __future__ import annotations

from pathlib import Path

from attrs import asdict

from memkit.accounting.prices import PriceTable
from memkit.compare.plan import Plan
from memkit.compare.results import Results
from memkit.compare.units import Records, encode
from memkit.runs.analysis import analyse
from memkit.runs.columns import LOCK_FILE, STATS_FILE
from memkit.runs.open import open_run, run_directory
from memkit.runs.provenance import provenance
from memkit.runs.tables import write_tables
from memkit.runs.units import Pricer
from memkit.store.atomic import write_file

SCHEMA = 1
"""Of `stats.json`."""


def record_results(folder: Path, plan: Plan, results: Results, records: Records, prices: PriceTable) -> None:
    """Write the tables and `stats.json` into a folder of results, and `lock.json` into the run's.

    To be handed to `memkit.compare.comparison.compare` and to `rejudge` as `on_results`.
    """
    directory = run_directory(folder)
    write_tables(folder, directory.name, plan, results, records, Pricer(prices))
    write_file(directory / LOCK_FILE, encode(provenance(plan, prices)))
    stats = {"schema": SCHEMA, **asdict(analyse(open_run(folder)))}
    write_file(folder / STATS_FILE, encode(stats))
