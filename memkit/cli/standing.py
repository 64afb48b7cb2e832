"""The figures of a run as tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from memkit.cli.console import count, say, say_table
from memkit.cli.figures import interval, number, say_contrasts, title_of
from memkit.runs.analysis import Analysis
from memkit.runs.arms import ArmStats
from memkit.runs.contrasts import Contrast


def say_analysis(found: Analysis, arms: Collection[str] = ()) -> None:
    """Print the arms (those named, or all), their contrasts, and what is to be remarked on."""
    chosen = [arm for arm in found.arms if not arms or arm.label in arms]
    shape = f"{count(found.streams, 'stream')}, {count(found.questions, 'question')}, {count(len(found.arms), 'arm')}"
    gaps = any(score.missing for arm in chosen if (score := arm.scores.get(found.primary)))
    say_table(
        f"{found.name}: {shape}; {title_of(found.primary)}",
        ["arm", "mean", "95\u00a0% interval", "answered", "coverage", *(["if missing"] if gaps else []), "may be best"],
        [_score(arm, found, gaps=gaps) for arm in chosen],
    )
    others = list(dict.fromkeys(name for arm in chosen for name in arm.scores if name != found.primary))
    if others:
        say_table("Other scores, means", ["arm", *map(title_of, others)], [_others(arm, others) for arm in chosen])
    say_table(
        f"What an answer took, on average, and what a right one does (a whole point of {title_of(found.primary)})",
        ["arm", "served tokens", "input", "output", "rounds", "calls", "ms", "cents",
         "tokens a right one", "95\u00a0% interval", "cents a right one"],
        [_took(arm) for arm in chosen],
    )  # fmt: skip
    main = [one for one in _of(found.contrasts, arms) if not one.exploratory]
    say_contrasts(f"Contrasts: {title_of(found.primary)}", main)
    say_contrasts("Other metrics, exploratory", [one for one in _of(found.contrasts, arms) if one.exploratory])
    say_contrasts(f"{title_of(found.primary)} by category, exploratory", _of(found.slices, arms))
    for line in _remarks(found):
        say(line)


def _of(contrasts: Sequence[Contrast], arms: Collection[str]) -> list[Contrast]:
    return [one for one in contrasts if not arms or one.arm in arms or one.against in arms]


def _score(arm: ArmStats, found: Analysis, *, gaps: bool) -> list[str]:
    score = arm.scores.get(found.primary)
    best = "yes" if arm.label in found.leaders else "null row" if arm.null else "no"
    answered = f"{arm.answered}/{arm.rows}"
    if score is None:
        return [arm.label, "-", "-", answered, "-", *(["-"] if gaps else []), best]
    bounds = [interval(score.worst, score.best)] if gaps else []
    coverage = number(score.coverage, 1, scale=100) + " %"
    return [arm.label, number(score.mean, 3), interval(score.low, score.high), answered, coverage, *bounds, best]


def _others(arm: ArmStats, metrics: Sequence[str]) -> list[str]:
    return [arm.label, *(number(arm.scores[name].mean if name in arm.scores else None, 3) for name in metrics)]


def _took(arm: ArmStats) -> list[str]:
    means, tokens, usd = arm.means, arm.tokens_per_right, arm.usd_per_right
    parts = [means[name] for name in ("uncached", "cache_read", "cache_write")]
    return [
        arm.label,
        number(means["served_tokens"], 0),
        number(None if None in parts else sum(part or 0 for part in parts), 0),
        number(means["output"], 0),
        number(means["rounds"], 1),
        number(means["tool_calls"], 1),
        number(means["seconds"], 1, scale=1000),
        number(means["usd_logical"], 3, scale=100),
        number(tokens.value if tokens else None, 0),
        interval(tokens.low, tokens.high, 0) if tokens else "-",
        number(usd.value if usd else None, 3, scale=100),
    ]


def _remarks(found: Analysis) -> Iterator[str]:
    if len(found.leaders) > 1:
        yield f"not told apart from the best on {title_of(found.primary)}: {', '.join(found.leaders)}"
    if found.answered < found.rows:
        yield f"missing: {found.rows - found.answered} of {found.rows} answers; they count as neither right nor wrong"
    detectable = [one.detectable for one in found.contrasts if not one.exploratory and one.detectable is not None]
    if detectable:
        yield f"a true difference of {max(detectable):.3f} would be found with a power of 80 % in every contrast"
    for pair, factors in found.audit.confounded.items():
        yield f"note: {pair} differ in {' and '.join(map(title_of, factors))}: the difference is of all of these"
