"""`summary.md`: what a run found, for a pull request. Text of the run stands in code, where it is inert."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memkit.report.document import Report
from memkit.report.numbers import count, interval, number, percent, probability, title_of
from memkit.report.text import clean, cut
from memkit.report.verdicts import Verdict
from memkit.runs.arms import ArmStats
from memkit.runs.contrasts import Contrast

SIGNS = {"good": "▲", "bad": "▼", "open": "○", "warn": "⚠"}
LABEL_CHARACTERS = 120
ROWS = 40
"""Of a table; a pull request is no place for more."""
_TICKS = re.compile("`+")


def render_markdown(report: Report) -> str:
    """The verdicts, the arms, the declared contrasts, and the commands that make the run again."""
    return "\n".join(_lines(report)) + "\n"


def code(words: str) -> str:
    """`words` as a code span: no markup, link, mention, HTML or break of a table gets out of it.

    The fence is longer than any run of backticks within (CommonMark, 6.1); a bar is escaped for tables (GFM, 4.10).
    """
    text = cut(" ".join(clean(words).split()), LABEL_CHARACTERS).replace("|", "\\|")
    if not text:
        return "``-``"
    fence = "`" * (1 + max(map(len, _TICKS.findall(text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _lines(report: Report) -> Iterator[str]:
    found = report.found
    shape = f"{count(found.questions, 'question')} of {count(found.streams, 'stream')}"
    yield f"### memkit: {code(found.name)}"
    yield ""
    yield f"{shape}, {count(len(found.arms), 'arm')}; primary metric {code(found.primary)}."
    yield ""
    yield from (_verdict(one) for one in report.verdicts)
    yield ""
    heads = ["arm", title_of("mean"), "95 % interval", "answered", "coverage", "tokens a question", "may be best"]
    spent = {cost.label: cost.question.total for cost in report.costs}
    yield from _table(heads, [_arm(report, arm, spent[arm.label]) for arm in found.arms])
    declared = [one for one in found.contrasts if not one.exploratory]
    if declared:
        heads = ["contrast", "difference", "95 % interval", "adjusted p", "questions", "streams"]
        yield from _table(heads, [_contrast(one) for one in declared])
    yield "Again, in the directory where it ran:"
    yield ""
    yield from (f"    {' '.join(line.split())}" for line in report.rerun)


def _verdict(one: Verdict) -> str:
    arm = f"{code(one.arm)} " if one.arm else ""
    against = f" {code(one.against)}" if one.against else ""
    return f"- {SIGNS[one.tone]} {arm}{_plain(one.words)}{against}{_plain(one.rest)}"


def _plain(words: str) -> str:
    """Our own words, in which brackets could begin a link."""
    return words.replace("[", "\\[")


def _arm(report: Report, arm: ArmStats, tokens: float | None) -> list[str]:
    score = arm.scores.get(report.found.primary)
    best = "yes" if arm.label in report.found.leaders else "null row" if arm.null else "no"
    return [
        code(arm.label),
        number(score.mean if score else None, 3),
        interval(score.low, score.high) if score else number(None),
        f"{arm.answered:,} of {arm.rows:,}",
        percent(score.coverage if score else None, 1),
        number(tokens),
        best,
    ]


def _contrast(one: Contrast) -> list[str]:
    found = one.difference
    return [
        f"{code(one.arm)} against {code(one.against)}",
        number(found.mean, 3, sign=True),
        interval(found.low, found.high, sign=True),
        probability(one.p_adjusted),
        f"{found.items:,}",
        f"{found.clusters:,}",
    ]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|---|{'---:|' * (len(heads) - 1)}"
    yield from (f"| {' | '.join(row)} |" for row in rows[:ROWS])
    yield ""
    if len(rows) > ROWS:
        yield f"{len(rows) - ROWS:,} more rows are in the report."
        yield ""
