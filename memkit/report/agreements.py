"""How far other judges agreed, where a run was judged anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

from memkit.compare.rejudging import GRADES
from memkit.errors import UserError
from memkit.metrics.agreement import Agreement, agreement
from memkit.runs.columns import ITEMS_FILE, SCORE
from memkit.runs.open import Run, open_run
from memkit.runs.parquet import column_names

OURS = frozenset(
    (
        "score_evidence_recall", "score_evidence_all", "score_details_shown",
        "score_citation_recall", "score_citation_precision", "score_citation_resolvable",
    )
)  # fmt: skip
"""Scores that no judge gives: memkit works them out from locators."""
Answer: TypeAlias = tuple[str, str, str, int]
"""Arm, stream, question, attempt."""


@frozen
class JudgeAgreement:
    """The run's judge and another, on a score that both grade."""

    judge: str
    metric: str
    agreement: Agreement


def judge_agreements(run: Run) -> tuple[JudgeAgreement, ...]:
    """The other judges by name, and their scores by name. Nothing of a folder that holds another judge's results."""
    folders = sorted(run.results.glob(f"judge-*/{ITEMS_FILE}"))
    return tuple(one for file in folders for one in _agreements(run, file.parent))


def _agreements(run: Run, folder: Path) -> Iterator[JudgeAgreement]:
    try:
        other = open_run(folder)
    except UserError:  # half written
        return
    names = set(column_names(run.results / ITEMS_FILE)) & set(column_names(folder / ITEMS_FILE))
    for name in sorted(name for name in names - OURS if name.startswith(SCORE)):
        first, second = _scores(run, name), _scores(other, name)
        if first.keys() & second.keys() and {*first.values(), *second.values()} <= GRADES:
            judge = folder.name.removeprefix("judge-")
            yield JudgeAgreement(judge, name.removeprefix(SCORE), agreement(first, second))


def _scores(run: Run, column: str) -> Mapping[Answer, float]:
    frame = run.read_items(["arm", "stream", "question", "attempt", column])
    return {(*row[:4],): row[4] for row in frame.iter_rows() if row[4] is not None}
