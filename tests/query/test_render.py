"""What a reader is shown of results."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.ledger.row import Change, Row
from memkit.query.engine import Engine
from memkit.query.parse import parse_plan
from memkit.query.plan import Plan
from memkit.query.render import RENDER_CHARACTERS, render_results
from memkit.testing.ledgers import ledgers, plans, wrong_plans

SECONDS = {"seconds": 1.5}
OPEN = Change("drawer 1.state", "open")
LOG = [
    Row(0, "[step 0]", "go", "go to", "go to drawer 1", ("drawer 1",), "success"),
    Row(1, "[step 1]", "open", "open", "open drawer 1", ("drawer 1",), "failure", "It is stuck."),
    Row(2, "[step 2]", "open", "open", "open drawer 1", ("drawer 1",), "failure", "It is locked.", numbers=SECONDS),
    Row(3, "[step 3]", "open", "open", "open drawer 1", ("drawer 1",), "failure", "It is stuck."),
    Row(4, "[step 4]", "open", "open", "open drawer 1", ("drawer 1",), "success", changes=(OPEN,)),
    Row(5, "[S1T6]", "Ana", "say", "Hello\n\x1b[31m\u202e", (), "unknown", time="2023-05-08"),
]  # fmt: skip


def render(text: str, log: list[Row] | None = None, characters: int = RENDER_CHARACTERS) -> str:
    """The rendering of what a plan comes to."""
    log = LOG if log is None else log
    return render_results(Engine(log).run(parse_plan(text)), log, characters)


def test_count_shows_confirmed_and_failed_apart() -> None:
    """A count states its filters, matches and steps by outcome, and failures by error text."""
    assert (
        "[1] count = 4\n"
        'query: count where tool: "open" in [, 4]\n'
        "matched: 4 of 5 rows in scope\n"
        "outcomes: success 1, failure 3\n"
        "success steps 4\n"
        'failure "It is stuck." steps 1, 3\n'
        'failure "It is locked." steps 2'
    ) == render("count where tool: open in [, 4]")


def test_group_shows_each_group() -> None:
    """Groups come largest first, with outcomes and steps; rows in none are told."""
    assert (
        '[1] group by target = "drawer 1" 5\n'
        "query: group by target\n"
        "matched: 6 of 6 rows in scope\n"
        "note: 1 of the rows that fit has no target\n"
        "outcomes: success 2, failure 3, unknown 1\n"
        '"drawer 1" 5 (success 2, failure 3) steps 0-4'
    ) == render("group by target")


def test_rows_are_described() -> None:
    """Lists show actions, timelines changes, states their history, sums their numbers; text is escaped to one line."""
    assert 'step 2: "open drawer 1" failure "It is locked."' == render("list where seconds > 1").split("\n")[-1]
    assert 'step 5 [S1T6] at "2023-05-08": "Hello\\n\\u001b[31m\\u202e" unknown' == render("last").split("\n")[-1]
    assert 'step 4: "open" success, "drawer 1.state" -> "open"' == render("timeline in [4, 4]").split("\n")[-1]
    assert 'step 4: "open"' == render("state of drawer 1.state").split("\n")[-1]
    assert "step 2: 1.5" == render("sum of seconds").split("\n")[-1]
    assert '"drawer 1" step 4: "open drawer 1" success' == render("last per target").split("\n")[-1]


def test_zero_and_ungrounded_say_why() -> None:
    """What is not computed says what was checked, or what the log lacks, and its neighbours stay."""
    assert (
        "[1] count (verified zero) = 0\n"
        'query: count where tool: "go" in [1, ]\n'
        'note: none of the 5 rows in scope fits; tool: "go" alone fits 0\n'
        "[2] first (ungrounded) = none\n"
        'query: first where tool: "fly"\n'
        'note: no row has tool: "fly"'
    ) == render('count where tool: go in [1, ]; first where tool: "fly"')


@given(ledgers(), plans() | wrong_plans(), st.integers(0, 700))
def test_bounded_printable_and_whole_lines(log: list[Row], plan: Plan, characters: int) -> None:
    """Within its room, printable, and each line is one of the full rendering, or marked as cut at an item."""
    results = Engine(log).run(plan)
    shown, full = render_results(results, log, characters), render_results(results, log, 10**6)
    assert len(shown) <= characters
    assert all(line.isprintable() for line in shown.split("\n"))
    whole = set(full.split("\n"))
    for line in filter(None, shown.split("\n")):
        kept = re.sub(r"(?:, )?\.\.\. \d+ more$", "", line)
        assert (
            line in whole
            or line == "... more left out"
            or re.match(r"\[\d*(\]( l.*)?)?$", line)
            or any(
                other.startswith(kept) and (kept != line) and not other[len(kept) : len(kept) + 1].isdigit()
                for other in whole
            )
        )


@pytest.mark.parametrize("characters", [100, 500, RENDER_CHARACTERS])
def test_large_results_are_cut_and_marked(characters: int) -> None:
    """Of 5,000 rows as much is shown as fits, with the number left out, and each result keeps its value."""
    log = [Row(2 * step, f"[step {2 * step}]", f"tool {step % 700}", action="x" * 500) for step in range(5000)]
    shown = render("count; group by tool; list; timeline", log, characters)
    assert characters * 0.5 < len(shown) <= characters
    if characters > 100:
        assert "[1] count = 5000" in shown
        assert re.search(r"^\[2\] group by tool = .*, \.\.\. \d+ more$", shown, re.MULTILINE)
        assert re.search(r"^\[3\] list = steps 0, 2, .*, \.\.\. \d+ more$", shown, re.MULTILINE)


def test_consecutive_steps_are_ranges() -> None:
    """Steps that follow one another are one range, and a step that occurs twice is named once."""
    log = [Row(step, f"[step {step}]", "go") for step in (0, 1, 1, 2, 3, 7, 9, 10, 11, 12)]
    assert "[1] list = steps 0-3, 7, 9-12" == render("list", log).split("\n")[0]
