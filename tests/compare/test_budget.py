from __future__ import annotations

import asyncio
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from memkit.accounting.prices import Price, Rates
from memkit.compare.budget import MARGIN, NANO, BudgetedModel, Purse, dearest, prompt_tokens
from memkit.compare.control import Control
from memkit.compare.spec import Budget
from memkit.errors import BudgetHit, TransientModelError
from memkit.records import Completion, Message, Request, ToolCall, ToolSpec, Usage

DOLLAR = Decimal(1) / 1_000_000
PRICE = Price(Rates(DOLLAR, DOLLAR / 10, 2 * DOLLAR, 4 * DOLLAR))
ASK = Request((Message("user", "Where is the red kite?"),), "search", max_output_tokens=100)


class Told:
    """A model that replies with a usage, or raises."""

    name = "openai/told"

    def __init__(self, usage: Usage | None, error: Exception | None = None) -> None:
        self.usage, self.error, self.calls = usage, error, 0

    async def complete(self, _: Request) -> Completion:
        """The reply, a turn of the loop later."""
        self.calls += 1
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        return Completion(Message("assistant", "Here."), self.usage or Usage(None, None, None, None, None))


@pytest.fixture
def control(tmp_path: Path) -> Iterator[Control]:
    """Of a run."""
    made = Control(tmp_path)
    yield made
    made.close()


def test_settled_at_what_it_took(control: Control) -> None:
    """A call is booked with its own tokens and price, whatever was reserved."""
    purse = Purse(lambda: control, Budget(usd=1.0, tokens=10_000))
    model = BudgetedModel(Told(Usage(uncached=20, output=7)), purse, PRICE)
    asyncio.run(model.complete(ASK))

    assert (Decimal(20 + 4 * 7) / 1_000_000, 27) == purse.spent()
    assert "openai/told" == model.name


def test_a_call_that_may_not_fit_is_not_made(control: Control) -> None:
    """The budget is never passed: a call whose most does not fit is refused, and the run asked to stop."""
    told = Told(Usage(uncached=20, output=7))
    model = BudgetedModel(told, Purse(lambda: control, Budget(tokens=100)), None)
    with pytest.raises(BudgetHit) as caught:
        asyncio.run(model.complete(ASK))

    most = 100 + -(-prompt_tokens(ASK) * 5 // 4)
    assert f"the budget of 100 tokens has 100 left, and the next call may take {most}" == str(caught.value)
    assert (0, "budget") == (told.calls, control.stopped)


def test_money(control: Control) -> None:
    """The same for money, at the dearest class of tokens."""
    most = dearest(PRICE, 10, 100)
    assert (2 * 10 + 4 * 100) * NANO // 1_000_000 == most
    purse = Purse(lambda: control, Budget(usd=0.0005))
    purse.settle(asyncio.run(purse.reserve(most, 0)), most, 0)
    with pytest.raises(BudgetHit) as caught:
        asyncio.run(purse.reserve(most, 0))
    assert "the budget of 0.0005 USD has 0.0001 left, and the next call may cost 0.0004" == str(caught.value)


def test_waits_for_what_others_have_reserved(tmp_path: Path) -> None:
    """When only what is under way is in the way, the next waits for it to be settled; then it fits, or it does not."""
    one, other = Control(tmp_path), Control(tmp_path)
    purse, rival = Purse(lambda: one, Budget(tokens=100)), Purse(lambda: other, Budget(tokens=100))

    async def both() -> tuple[int, int]:
        ticket = await purse.reserve(0, 90)
        waiting = asyncio.create_task(rival.reserve(0, 50))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        purse.settle(ticket, 0, 30)
        rival.settle(await waiting, 0, 50)
        with pytest.raises(BudgetHit):
            await purse.reserve(0, 21)
        return purse.spent()[1], rival.spent()[1]

    assert (80, 80) == asyncio.run(both())
    one.close()
    other.close()


def test_many_at_once_never_pass_the_limit(control: Control) -> None:
    """However many ask together, what is booked stays within the budget."""
    told = Told(Usage(uncached=20, output=30))
    model = BudgetedModel(told, Purse(lambda: control, Budget(tokens=1000)), None)

    async def ask() -> list[object]:
        return await asyncio.gather(*(model.complete(ASK) for _ in range(40)), return_exceptions=True)

    outcomes = asyncio.run(ask())
    assert {Completion, BudgetHit} == {type(one) for one in outcomes}
    assert told.calls * 50 == model.purse.spent()[1] <= 1000


def test_what_fails_costs_nothing_and_what_is_unsaid_all(control: Control) -> None:
    """A failed call gives back what it reserved; one whose tokens the provider does not tell is booked at its most."""
    purse = Purse(lambda: control, Budget(tokens=10_000))
    with pytest.raises(TransientModelError):
        asyncio.run(BudgetedModel(Told(None, TransientModelError("busy")), purse, PRICE).complete(ASK))
    assert (0, 0) == purse.spent()

    asyncio.run(BudgetedModel(Told(None), purse, PRICE).complete(ASK))
    assert 100 + -(-prompt_tokens(ASK) * 5 // 4) == purse.spent()[1]
    assert 1.25 == MARGIN


def test_prompt_tokens() -> None:
    """Calls and tools are part of a prompt."""
    call = Message("assistant", "", (ToolCall("1", "grep", '{"pattern": "kite"}'),))
    tool = ToolSpec("grep", "Find lines.", {"type": "object"})
    longer = Request((*ASK.messages, call), "search", (tool,))

    assert prompt_tokens(ASK) < prompt_tokens(Request((*ASK.messages, call), "search")) < prompt_tokens(longer)
