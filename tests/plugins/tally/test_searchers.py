"""What is computed over the ledger reaches the reader as the router says, and is in the answer with its rows."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from memkit import (
    Answer,
    ConfigError,
    Finding,
    Locator,
    Memory,
    PermanentModelError,
    Question,
    Route,
    Searcher,
    build_registry,
    compose,
)
from memkit.testing.scripted import USAGE, Reply, ScriptedModel
from memkit_plugins.tally.arms import Compiler, lite_searcher, plan_searcher, tally_searcher, view_searcher

OFTEN = Question("often", "How many times did the agent go to drawer 1?")
PLAN = '{"applicable": true, "queries": [{"operation": "count", "where": {"tool": ["go to"], "target": ["drawer 1"]}}]}'
COUNTED = Finding(
    'count where tool: "go to" and target: "drawer 1"', "computed", "2", (Locator("step", 0, 1), Locator("step", 0, 6))
)


def asked(searcher: Searcher, memory: Memory, question: Question = OFTEN) -> Answer:
    """The answer to one question."""
    return asyncio.run(searcher.answer(memory, question))


def at(*steps: int) -> tuple[Locator, ...]:
    """Where those steps are."""
    return tuple(Locator("step", 0, step) for step in steps)


def test_a_model_compiles_and_another_call_reads(kitchen: Memory) -> None:
    """Two calls: the plan at temperature 0 over the catalogue, then the question with view and result."""
    model = ScriptedModel([PLAN, "Twice [step 1] [step 6]."])
    answer = asked(tally_searcher(model, route="always"), kitchen)
    assert ("Twice [step 1] [step 6].", (COUNTED,), (USAGE, USAGE)) == (
        answer.text,
        answer.findings,
        answer.effort.model_calls,
    )
    compiling, reading = model.requests
    assert (0.0, "search") == (compiling.temperature, compiling.role)
    assert '"drawer 10"' in compiling.messages[1].content
    assert "<computed>\n[1] count = 2\n" in reading.messages[1].content
    assert at(*range(7)) == answer.effort.served


def test_drawer_1_is_not_drawer_10(kitchen: Memory) -> None:
    """Terms match at token borders: the paper's own misreading."""
    answer = asked(tally_searcher(ScriptedModel(["Twice."]), compiler="rules", route="always"), kitchen)
    assert [at(1, 6)] == [finding.rows for finding in answer.findings]


@pytest.mark.parametrize(("route", "computed"), [("always", True), ("above", False), ("never", False)])
def test_routes(kitchen: Memory, route: Route, computed: bool) -> None:  # noqa: FBT001
    """A load of two is below the router's 15; the finding is in the answer in any case."""
    model = ScriptedModel(["Twice."])
    answer = asked(tally_searcher(model, compiler="rules", route=route), kitchen)
    assert (computed, (COUNTED,)) == ("<computed>" in model.requests[0].messages[1].content, answer.findings)


def test_no_block_is_the_view_alone(kitchen: Memory) -> None:
    """Without results the request is TM's to the letter, so that its recorded answer serves again."""
    why = Question("why", "Why did the agent open drawer 1?")
    alone, beside = ScriptedModel(["To look."]), ScriptedModel(["To look."])
    asked(view_searcher(alone), kitchen, why)
    answer = asked(tally_searcher(beside, compiler="rules", route="always"), kitchen, why)
    assert (alone.requests, ()) == (beside.requests, answer.findings)


@pytest.mark.parametrize("reply", ["I cannot say.", '{"applicable": true, "queries": [{"operation": "sing"}]}', "{"])
def test_a_reply_that_is_no_plan(kitchen: Memory, reply: str) -> None:
    """It computes nothing; the call is booked and the question answered from the view."""
    model = ScriptedModel([reply, "Twice."])
    answer = asked(tally_searcher(model, route="always"), kitchen)
    assert ("Twice.", (), (USAGE, USAGE)) == (answer.text, answer.findings, answer.effort.model_calls)
    assert compose("roles/in-context").text == model.requests[1].messages[0].content


def test_zeros(kitchen: Memory) -> None:
    """A zero that was verified is a result, and is dropped where the paper's way is asked for."""
    never = Question("never", "How many times did the agent take pen 2 before step 2?")
    for zeros, status in ((True, ["verified zero"]), (False, [])):
        answer = asked(tally_searcher(ScriptedModel(["Never."]), compiler="rules", zeros=zeros), kitchen, never)
        assert status == [finding.status for finding in answer.findings]


def test_lite_needs_no_ledger(kitchen: Memory) -> None:
    """The program's rows come from the archive of any memory."""
    (kitchen.path / "ledger" / "rows.jsonl").unlink()
    answer = asked(lite_searcher(ScriptedModel(["Twice."]), compiler="rules", route="always"), kitchen)
    assert (COUNTED,) == answer.findings


def test_counter_counts_in_the_bounds(kitchen: Memory) -> None:
    """The fixed counter groups by tool up to the bound, whatever is asked."""
    registry = build_registry()
    model = registry.make("model", "memkit/extractive")
    searcher = registry.make("searcher", "fixed-counter", model=model)
    answer = asked(searcher, kitchen, Question("q", "Up to and including step 4, how often was drawer 1 opened?"))
    (found,) = answer.findings
    assert ("group by tool in [, 4]", '"go" 2, "look" 1, "open" 1, "take" 1') == (found.query, found.value)


def test_a_vote_keeps_what_three_agree_on(kitchen: Memory) -> None:
    """Five plans, the greedy one first; an output that three share is kept once, the others are not."""
    other = PLAN.replace('"count"', '"first"')
    searcher = build_registry().make("searcher", "voting", {"route": "always"}, model=ScriptedModel([]))
    model = searcher.planner.model
    model.script += [PLAN, other, PLAN, "no plan", PLAN, "Twice."]
    answer = asked(searcher, kitchen)
    assert ((COUNTED,), 6) == (answer.findings, len(answer.effort.model_calls))
    assert [0.0, 0.7, 0.7, 0.7, 0.7] == [request.temperature for request in model.requests[:5]]
    assert 4 == len({request.seed for request in model.requests[1:5]})


def test_given_plans(kitchen: Memory, tmp_path: Path) -> None:
    """The plan written for a question is executed; a question without one is answered from the view."""
    plans = tmp_path / "plans.json"
    plans.write_text(json.dumps({"often": COUNTED.query}))
    searcher = plan_searcher(ScriptedModel(["Twice.", "So."]), plans=str(plans))
    assert ((COUNTED,), ()) == (
        asked(searcher, kitchen).findings,
        asked(searcher, kitchen, Question("other", "Why?")).findings,
    )


def test_a_wrong_plan_file(tmp_path: Path) -> None:
    """A plan that cannot be read is told with its question and place before anything is asked."""
    plans = tmp_path / "plans.json"
    plans.write_text('{"often": "count were"}')
    with pytest.raises(ConfigError, match=r"plans.json: plan of 'often': line 1, column 7: "):
        plan_searcher(ScriptedModel([]), plans=str(plans))


@pytest.mark.parametrize("compiler", ["model", "rules"])
def test_the_embedded_model_plays_both_parts(kitchen: Memory, compiler: Compiler) -> None:
    """It compiles by the rules, over the catalogue it is sent, and gives the value as its answer."""
    model = build_registry().make("model", "memkit/extractive")
    answer = asked(tally_searcher(model, compiler=compiler, route="always"), kitchen)
    assert ("2.", (COUNTED,)) == (answer.text.splitlines()[0], answer.findings)


def test_model_errors_are_the_callers(kitchen: Memory) -> None:
    """A provider that fails for good fails the question."""
    script: list[Reply] = [PermanentModelError("no such model")]
    with pytest.raises(PermanentModelError):
        asked(tally_searcher(ScriptedModel(script)), kitchen)
