"""Sets of events compared: exactness, precision, recall and F1 (ledger paper, appendix H)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from memkit import Finding, Locator


def score_events(findings: Sequence[Finding], marked: Collection[Locator]) -> dict[str, float]:
    """The four scores of the candidate with the highest F1, which is an exact one where there is one."""
    wanted = frozenset(marked)
    scored = [(*_scores(candidate, wanted), candidate == wanted) for candidate in _candidates(findings)]
    f1, precision, recall, exact = max(scored, default=(0.0, 0.0, 0.0, False))
    return {"event_exact": float(exact), "event_precision": precision, "event_recall": recall, "event_f1": f1}


def _candidates(findings: Sequence[Finding]) -> Iterator[frozenset[Locator]]:
    """The rows of each finding, and of each of its groups."""
    for finding in findings:
        yield frozenset(finding.rows)
        for rows in finding.groups.values():
            yield frozenset(rows)


def _scores(candidate: frozenset[Locator], wanted: frozenset[Locator]) -> tuple[float, float, float]:
    """F1, precision and recall of a candidate."""
    right = len(candidate & wanted)
    if not right:
        return 0.0, 0.0, 0.0
    precision, recall = right / len(candidate), right / len(wanted)
    return 2 * precision * recall / (precision + recall), precision, recall
