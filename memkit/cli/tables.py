"""A comparison as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from memkit.cli.console import count, say, say_table
from memkit.compare.comparison import Comparison
from memkit.compare.results import ArmSummary, ContrastResult, shown_metrics
from memkit.metrics.stats import Difference

NOTES_SHOWN = 5


def print_comparison(done: Comparison) -> None:
    """The leaderboard, the contrasts, what was left out, and how the run went."""
    plan, results, outcome = done.plan, done.results, done.outcome
    metrics = shown_metrics(plan, results.arms)
    streams = len({cell.case.stream.id for cell in plan.cells})
    shape = f"{count(streams, 'stream')}, {count(len(results.rows) // len(plan.arms), 'answer')} an arm"
    say_table(
        f"{plan.spec.name}: {shape}; mean scores",
        ["arm", "answered", *(name.replace("_", " ") for name in metrics)],
        [_scores(arm, metrics) for arm in results.arms],
    )
    columns = ["arm", "served tokens", "input tokens", "rounds", "calls", "ms", "files", "kB"]
    say_table(
        "What a question took, on average, and the mean size of a memory", columns, list(map(_effort, results.arms))
    )
    columns = ["arm", "build s", "rounds", "calls", "locators", "numbers", "dates", "names", "defects"]
    say_table(
        "What a memory took to build, and the share of the stream's details it kept",
        columns,
        [_build(arm) for arm in results.arms if not arm.null],
    )
    columns = ["arm", "uncached", "cached", "output", "floor", "ceiling", "cents", "build tokens", "build cents"]
    say_table(
        "What it costs: tokens and US cents a question, and to build a memory", columns, list(map(_cost, results.arms))
    )
    if results.contrasts:
        columns = ["metric", "difference", "95\u00a0% interval", "p", "questions", "streams"]
        say_table("Paired differences", columns, list(_contrasts(results.contrasts)))
        for method in dict.fromkeys(one.difference.method for one in results.contrasts):
            say(f"  {method}")
    for one in plan.excluded:
        say(f"left out: {one.label}: {one.reason}")
    for remark in results.remarks:
        say(f"note: {remark}")
    for note in plan.notes[:NOTES_SHOWN]:
        say(f"data: {note}")
    if len(plan.notes) > NOTES_SHOWN:
        say(f"data: {len(plan.notes) - NOTES_SHOWN} more notes with --json")
    for error in outcome.errors[:NOTES_SHOWN]:
        say(f"failed: {error}")
    if len(outcome.errors) > NOTES_SHOWN:
        say(f"failed: {len(outcome.errors) - NOTES_SHOWN} more in {outcome.directory}/events.jsonl")
    did = f"built {count(outcome.built, 'memory', 'memories')}, answered {count(outcome.answered, 'question')}"
    say(f"{did}; results in {outcome.directory}")
    if not done.complete:
        how = "interrupted" if outcome.interrupted else "incomplete"
        say(f"{how}: run the same command again to go on")


def _scores(arm: ArmSummary, metrics: list[str]) -> list[str]:
    scores = (_number(arm.scores.get(name), 3) for name in metrics)
    return [_name(arm), f"{arm.answered}/{arm.items}", *scores]


def _effort(arm: ArmSummary) -> list[str]:
    effort, memory = arm.effort, arm.memory
    return [
        _name(arm),
        _number(effort["served_tokens"], 0),
        _number(effort["input_tokens"], 0),
        _number(effort["rounds"], 1),
        _number(effort["tool_calls"], 1),
        _number(effort["seconds"], 1, scale=1000),
        _number(memory["files"], 0),
        _number(memory["bytes"], 0, scale=0.001),
    ]


def _build(arm: ArmSummary) -> list[str]:
    memory = arm.memory
    defects = [memory[name] for name in ("frontmatter_defects", "reference_defects")]
    return [
        _name(arm),
        _number(memory["seconds"], 1),
        _number(memory["rounds"], 0),
        _number(memory["tool_calls"], 0),
        *(_number(memory[f"kept_{name}"], 2) for name in ("locators", "numbers", "dates", "names")),
        _number(None if None in defects else sum(value or 0 for value in defects), 1),
    ]


def _cost(arm: ArmSummary) -> list[str]:
    query, build = arm.query_cost, arm.build_cost
    return [
        _name(arm),
        _number(query["uncached"], 0),
        _number(query["cache_read"], 0),
        _number(query["output"], 0),
        _number(query["floor_tokens"], 0),
        _number(query["ceiling_tokens"], 0),
        _number(query["usd_logical"], 3, scale=100),
        _number(build["ceiling_tokens"], 0),
        _number(build["usd_logical"], 2, scale=100),
    ]


def _name(arm: ArmSummary) -> str:
    return f"{arm.label} (null row)" if arm.null else arm.label


def _contrasts(contrasts: Sequence[ContrastResult]) -> Iterator[list[str]]:
    for (arm, against), group in groupby(contrasts, key=lambda one: (one.arm, one.against)):
        yield [f"{arm} against {against}", "", "", "", "", ""]
        for one in group:
            yield [f"  {one.metric.replace('_', ' ')}", *_difference(one.difference)]


def _difference(one: Difference) -> list[str]:
    interval = "-" if one.low is None or one.high is None else f"{one.low:+.3f} to {one.high:+.3f}"
    return [f"{one.mean:+.3f}", interval, _number(one.p, 4), str(one.items), str(one.clusters)]


def _number(value: float | None, digits: int, *, scale: float = 1) -> str:
    return "-" if value is None else f"{value * scale:,.{digits}f}"
