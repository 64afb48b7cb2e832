"""A comparison as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from memkit.cli.console import count, say, say_table
from memkit.compare.comparison import Comparison
from memkit.compare.plan import Plan
from memkit.compare.results import ArmSummary, ContrastResult, Results, shown_metrics
from memkit.compare.spec import FACTORS
from memkit.compare.stopping import Reason
from memkit.metrics.stats import Difference

NOTES_SHOWN = 5
_STOPPED: dict[Reason, str] = {
    "": "incomplete: run the same command again",
    "interrupt": "interrupted: run the same command again",
    "budget": "the budget is used up: run the same command with a larger one",
    "wall": "the time of the budget is up: run the same command again",
    "errors": "more answers failed than errors.max_rate allows: run the same command again",
}


def print_comparison(done: Comparison) -> None:
    """The arms, the contrasts, what was left out and remarked, and how the run went."""
    _print_arms(done.plan, done.results)
    _print_loads(done.plan, done.results)
    _print_contrasts(done.results.contrasts)
    for line in _notes(done):
        say(line)
    outcome = done.outcome
    for run in outcome.reused:
        taken = f"{count(run.builds, 'memory', 'memories')} and {count(run.answers, 'answer')}"
        say(f"took over {taken} of {run.name}")
    did = f"built {count(outcome.built, 'memory', 'memories')}, answered {count(outcome.answered, 'question')}"
    say(f"{did}; results in {outcome.directory}")
    if not done.complete:
        say(f"{_STOPPED[outcome.stopped]} to go on")


def _print_arms(plan: Plan, results: Results) -> None:
    """Scores, effort, memories, tokens and costs, a row an arm."""
    arms, metrics = results.arms, shown_metrics(plan, results.arms)
    streams = len({cell.case.stream.id for cell in plan.cells})
    shape = f"{count(streams, 'stream')}, {count(len(results.rows) // len(plan.arms), 'answer')} an arm"
    say_table(
        f"{plan.spec.name}: {shape}; mean scores",
        ["arm", "answered", *(name.replace("_", " ") for name in metrics)],
        [_scores(arm, metrics) for arm in arms],
    )
    say_table(
        "What a question took, on average, and the mean size of a memory",
        ["arm", "served tokens", "input tokens", "rounds", "calls", "ms", "files", "kB"],
        [_effort(arm) for arm in arms],
    )
    say_table(
        "What a memory took to build, and the share of the stream's details it kept",
        ["arm", "build s", "rounds", "calls", "locators", "numbers", "dates", "names", "defects"],
        [_build(arm) for arm in arms if not arm.null],
    )
    say_table(
        "The mean shape of a store, as a tree of folders, files and headings",
        [
            *("arm", "folders", "files", "sections", "kB", "cross references", "dangling"),
            *("mean depth", "max depth", "fanout", "size Gini"),
        ],
        [_shape(arm) for arm in arms if not arm.null],
    )
    say_table(
        "How far a store keeps the taxonomy contract; descriptors, not scores",
        [
            *("arm", "B1 labels differ", "B1 least", "B2 cohesion", "B3 leakage", "B4 distance"),
            "label consistency",
        ],
        [_order(arm) for arm in arms if not arm.null],
    )
    say_table(
        "Tokens a question took by class, and the bounds of a perfect and of no cache",
        ["arm", "uncached", "cache read", "cache write", "output", "reasoning", "floor", "ceiling"],
        [_tokens(arm) for arm in arms],
    )
    say_table(
        f"What it costs in US cents, and after how many questions a build dearer than {plan.baseline.label} has paid",
        ["arm", "cents", "floor cents", "ceiling cents", "build tokens", "build cents", "break even"],
        [_cost(arm) for arm in arms],
    )


def _print_loads(plan: Plan, results: Results) -> None:
    if results.loads:
        say_table(
            f"{plan.spec.metrics.primary.replace('_', ' ')} by load: how many events contribute to the answer",
            ["arm", *(f"{one.label} ({one.questions})" for one in results.loads)],
            [[_name(arm), *(_number(one.means[arm.label], 3) for one in results.loads)] for arm in results.arms],
        )


def _print_contrasts(contrasts: Sequence[ContrastResult]) -> None:
    if contrasts:
        columns = ["metric", "difference", "95\u00a0% interval", "p", "questions", "streams"]
        say_table("Paired differences", columns, list(_contrasts(contrasts)))
        for method in dict.fromkeys(one.difference.method for one in contrasts):
            say(f"  {method}")


def _notes(done: Comparison) -> Iterator[str]:
    """What was left out and why, what is remarked on, and the first of the data's notes and of the failures."""
    plan, errors = done.plan, done.outcome.errors
    yield from (f"left out: {one.label}: {one.reason}" for one in plan.excluded)
    yield from _defective(plan)
    yield from (f"note: {remark}" for remark in (*_unpaid(done.results.arms), *done.results.remarks))
    yield from (f"not comparable: {fact.sentence}" for fact in done.breaches)
    if unequal := [fact.name for fact in done.facts if fact.verdict == "unequal" and fact.name not in FACTORS]:
        yield f"note: not equal over the arms, so a difference may come of it: {', '.join(unequal)}"
    yield from (f"data: {note}" for note in plan.notes[:NOTES_SHOWN])
    if len(plan.notes) > NOTES_SHOWN:
        yield f"data: {len(plan.notes) - NOTES_SHOWN} more notes with --json"
    yield from (f"failed: {error}" for error in errors[:NOTES_SHOWN])
    if len(errors) > NOTES_SHOWN:
        yield f"failed: {len(errors) - NOTES_SHOWN} more in {done.outcome.directory}/events.jsonl"


def _defective(plan: Plan) -> Iterator[str]:
    """How many golds do not stand, and, where they are left out, which and why."""
    number = count(len(plan.defective), "question")
    if plan.without_defective:
        yield f"left out: {number} with a gold that the stream contradicts"
        yield from (f"  {one.stream}, {one.question}: {one.reason}" for one in plan.defective)
    elif plan.defective:
        yield f"note: {number} with a gold that the stream contradicts; --without-defective restates this without"


def _unpaid(arms: Sequence[ArmSummary]) -> Iterator[str]:
    """What the column of break-even leaves blank, and why; a line for all arms of one reason."""
    reasons: dict[str, list[str]] = {}
    for arm in arms:
        if (paid := arm.break_even) and _own_break_even(arm) is None:
            after = f"the build of {paid.against} is the dearer, and has paid after {paid.questions} questions"
            reasons.setdefault(paid.reason or after, []).append(arm.label)
    for reason, labels in reasons.items():
        more = f" and {len(labels) - NOTES_SHOWN} more" if len(labels) > NOTES_SHOWN else ""
        yield f"no break even of {', '.join(labels[:NOTES_SHOWN])}{more}: {reason}"


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


def _shape(arm: ArmSummary) -> list[str]:
    memory = arm.memory
    return [
        _name(arm),
        *(_number(memory[name], 1) for name in ("folders", "files", "sections")),
        _number(memory["bytes"], 1, scale=0.001),
        *(_number(memory[name], 1) for name in ("references", "dangling")),
        *(_number(memory[name], 2) for name in ("mean_depth", "max_depth", "fanout", "size_gini")),
    ]


def _order(arm: ArmSummary) -> list[str]:
    names = ("distinguishability", "least_distinguishability", "cohesion", "leakage", "distance_correlation")
    return [_name(arm), *(_number(arm.memory[name], 2) for name in (*names, "label_consistency"))]


def _tokens(arm: ArmSummary) -> list[str]:
    names = ("uncached", "cache_read", "cache_write", "output", "reasoning", "floor_tokens", "ceiling_tokens")
    return [_name(arm), *(_number(arm.query_cost[name], 0) for name in names)]


def _cost(arm: ArmSummary) -> list[str]:
    query, build = arm.query_cost, arm.build_cost
    return [
        _name(arm),
        *(_number(query[name], 3, scale=100) for name in ("usd_logical", "usd_floor", "usd_ceiling")),
        _number(build["ceiling_tokens"], 0),
        _number(build["usd_logical"], 2, scale=100),
        _number(_own_break_even(arm), 0),
    ]


def _own_break_even(arm: ArmSummary) -> int | None:
    """The questions after which the arm's own build has paid, where that is the dearer one."""
    paid = arm.break_even
    return paid.questions if paid and paid.dearer == arm.label else None


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
