"""The rows of a run, chosen: of some arms, or those that did not end in order."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import TYPE_CHECKING

from memkit.errors import UserError
from memkit.runs.open import Run

if TYPE_CHECKING:
    import polars as pl

BRIEF = ("arm", "stream", "question", "category", "attempt", "status", "rounds", "tool_calls", "answer")
"""Columns of a list for people, beside the primary score."""


def choose_items(run: Run, arms: Collection[str] = (), *, failed: bool = False) -> pl.DataFrame:
    """The rows of `arms` (of all, when none is named); of those that `failed`, where asked, any whose status is not ok.

    A wrong answer has not failed. UserError for an arm that there is not.
    """
    import polars as pl

    frame = run.items
    check_arms(run, arms)
    if arms:
        frame = frame.filter(pl.col("arm").is_in(list(arms)))
    return frame.filter(pl.col("status") != "ok") if failed else frame


def check_arms(run: Run, arms: Collection[str]) -> None:
    """UserError for a label that no arm of the run has."""
    labels = [arm["label"] for arm in run.summary["arms"]]
    for arm in arms:
        if arm not in labels:
            near = get_close_matches(arm, labels, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(labels)}"
            raise UserError(f"no arm of {run.name} is labelled {arm!r}; {hint}")
