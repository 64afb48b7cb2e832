"""Two runs side by side, also of two commits: what changed in what they were made with, and in their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from memkit.errors import UserError
from memkit.metrics.inference import benjamini_hochberg
from memkit.metrics.stats import holm
from memkit.runs.contrasts import Contrast, Flip, adjust, flips, make_contrast, pair_up
from memkit.runs.open import Run
from memkit.runs.sheet import Item, Sheet, read_sheet

Facts: TypeAlias = Mapping[Item, tuple[str, str | None]]
"""Question -> its text and its gold."""


@frozen
class Change:
    """A value that is not the same in both; None where there is none."""

    where: str
    before: Any
    after: Any


@frozen
class ArmFlips:
    """The questions that an arm has right in one run and wrong in the other."""

    arm: str
    gained: tuple[Flip, ...]
    lost: tuple[Flip, ...]


@frozen
class RunDifference:
    """`after` minus `before`, arm by arm of the same label, on the questions both ask and score.

    `altered` questions have the same name but another text or gold: they are other questions, and in no figure. In
    `contrasts` both labels are the arm's; those on the primary metric are one family (Holm), the others are
    exploratory. `changes` are of the spec and of what the runs were made with.
    """

    before: str
    after: str
    primary: str
    changes: tuple[Change, ...]
    arms: tuple[str, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    questions: int
    questions_only_before: int
    questions_only_after: int
    altered: tuple[Item, ...]
    contrasts: tuple[Contrast, ...]
    flips: tuple[ArmFlips, ...]


def compare_runs(before: Run, after: Run) -> RunDifference:
    """How `after` differs from `before`. UserError when they have no arm, or no question, in common."""
    old, new = read_sheet(before), read_sheet(after)
    arms = tuple(label for label in new.arms if label in old.arms)
    if not arms:
        have = f"{before.name} has {_listed(old.arms)}, {after.name} has {_listed(new.arms)}"
        raise UserError(f"the two runs have no arm of the same label ({have}); give the arms the same labels")
    asked, asked_now = _facts(before), _facts(after)
    common = asked.keys() & asked_now.keys()
    altered = tuple(sorted(item for item in common if asked[item] != asked_now[item]))
    same = frozenset(common - set(altered))
    if not same:
        raise UserError(f"{before.name} and {after.name} have no question in common; compare runs over the same data")
    primary = new.design.primary
    return RunDifference(
        before=before.name,
        after=after.name,
        primary=primary,
        changes=tuple(_changes(before, after)),
        arms=arms,
        only_before=tuple(label for label in old.arms if label not in new.arms),
        only_after=tuple(label for label in new.arms if label not in old.arms),
        questions=len(same),
        questions_only_before=len(asked.keys() - common),
        questions_only_after=len(asked_now.keys() - common),
        altered=altered,
        contrasts=tuple(_contrasts(old, new, arms, same)),
        flips=tuple(_flips(old, new, label, primary, same) for label in arms),
    )


def _facts(run: Run) -> Facts:
    frame = run.read_items(["stream", "question", "question_text", "gold"]).unique(maintain_order=True)
    return {(stream, question): (text, gold) for stream, question, text, gold in frame.iter_rows()}


def _contrasts(old: Sheet, new: Sheet, arms: Sequence[str], same: frozenset[Item]) -> Iterator[Contrast]:
    primary = new.design.primary
    yield from adjust(list(_of_metric(old, new, arms, primary, same, exploratory=False)), holm)
    rest = [metric for metric in new.design.metrics if metric != primary]
    found = [one for metric in rest for one in _of_metric(old, new, arms, metric, same, exploratory=True)]
    yield from adjust(found, benjamini_hochberg)


def _of_metric(
    old: Sheet, new: Sheet, arms: Sequence[str], metric: str, same: frozenset[Item], *, exploratory: bool
) -> Iterator[Contrast]:
    for label in arms:
        pairs = [one for one in pair_up(new.arms[label], old.arms[label], metric) if one[0] in same]
        if pairs:
            yield make_contrast(metric, label, label, pairs, exploratory=exploratory)


def _flips(old: Sheet, new: Sheet, label: str, metric: str, same: frozenset[Item]) -> ArmFlips:
    found = [one for one in flips(new.arms[label], old.arms[label], metric) if (one.stream, one.question) in same]
    gained = tuple(one for one in found if one.score > one.other)
    return ArmFlips(label, gained, tuple(one for one in found if one.score < one.other))


def _changes(before: Run, after: Run) -> Iterator[Change]:
    for name, old, new in (("spec", before.spec, after.spec), ("made with", before.lock, after.lock)):
        left, right = dict(_leaves(old, name)), dict(_leaves(new, name))
        for where in dict.fromkeys((*left, *right)):
            if left.get(where) != right.get(where):
                yield Change(where, left.get(where), right.get(where))


def _leaves(data: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Every value in nested maps and lists with the path to it; an empty map or list is a value."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from _leaves(value, f"{where}.{key}")
    elif isinstance(data, list) and data:
        for place, value in enumerate(data):
            yield from _leaves(value, f"{where}[{place}]")
    else:
        yield where, data


def _listed(labels: Mapping[str, Any]) -> str:
    return ", ".join(map(repr, labels))
