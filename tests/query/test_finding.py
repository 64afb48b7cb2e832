"""Results as findings, their support and their load."""

from __future__ import annotations

import pytest

from memkit.errors import UserError
from memkit.ledger.row import Change, Row
from memkit.locators import Locator
from memkit.query.engine import Engine
from memkit.query.finding import finding
from memkit.query.parse import parse_plan
from memkit.query.result import compiled_load
from memkit.records import Finding

LOG = [
    Row(0, "[step 0]", "go", targets=("sink",), outcome="success", numbers={"seconds": 2}),
    Row(1, "[step 1]", "open", targets=("sink",), outcome="success", changes=(Change("sink.state", "open"),)),
    Row(2, "[step 2]", "go", targets=("bed",), outcome="success", numbers={"seconds": 1}),
]


def steps(*numbers: int) -> tuple[Locator, ...]:
    """Their locators."""
    return tuple(Locator("step", 0, number) for number in numbers)


@pytest.mark.parametrize(
    ("text", "value", "rows", "groups"),
    [
        ("count", "3", steps(0, 1, 2), {}),
        ('first where tool: "go"', "step 0", steps(0), {}),
        ("last", "step 2", steps(2), {}),
        ('list where tool: "go"', "steps 0, 2", steps(0, 2), {}),
        ("min of seconds", "1", steps(2), {}),
        ("sum of seconds", "3", steps(0, 2), {}),
        ('state of "sink.state"', '"open"', steps(1), {}),
        ("group by target", '"sink" 2, "bed" 1', steps(0, 1, 2), {"sink": steps(0, 1), "bed": steps(2)}),
        ("last per target", '"sink" step 1, "bed" step 2', steps(1, 2), {"sink": steps(1), "bed": steps(2)}),
    ],
)
def test_finding_carries_what_it_rests_on(
    text: str, value: str, rows: tuple[Locator, ...], groups: dict[str, tuple[Locator, ...]]
) -> None:
    """A finding has its query, its value as text, and the places of the rows that the value rests on."""
    (result,) = Engine(LOG).run(parse_plan(text))
    assert Finding(text, "computed", value, rows, groups) == finding(result, LOG)


def test_unreadable_locator() -> None:
    """A row whose place cannot be read is a user's error, not another exception."""
    log = [Row(0, "nowhere", "go")]
    (result,) = Engine(log).run(parse_plan("count"))
    with pytest.raises(UserError):
        finding(result, log)


def test_load_is_summed_over_what_survived() -> None:
    """Matched rows of the sub-queries together; a verified zero adds none; nothing where none survived."""
    engine = Engine(LOG)

    def load(text: str) -> int | None:
        return compiled_load(engine.run(parse_plan(text)))

    assert 5 == load('count; list where tool: "go"; count where tool: "fly"')
    assert 0 == load('count where tool: "go" and target: "bed" in [0, 1]')
    assert load('count where tool: "fly"') is None
