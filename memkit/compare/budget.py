"""Keeping a run within its budget: what a call may take is reserved before it is made, and settled after."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from decimal import Decimal
from math import ceil
from uuid import uuid4

from attrs import frozen

from memkit.accounting.bills import USD_CENTS, cents
from memkit.accounting.prices import Price
from memkit.compare.control import Control
from memkit.compare.spec import Budget
from memkit.contracts import Model
from memkit.errors import BudgetHit
from memkit.records import Completion, Request, Usage
from memkit.tokens import count_tokens

NANO = 1_000_000_000
"""Money is counted in whole billionths of a dollar, so that sums are exact."""
MARGIN = 1.25
"""Providers count other tokens than we do: what is reserved for a prompt is so much more than our count."""
WAIT_SECONDS = 0.05
"""Between two looks at what others have settled."""


@frozen
class Purse:
    """What the processes of a run may still take together. `open_control` gives the run's, each time it is used: a
    purse lives as long as the model it pays for, which may be longer than one run in this process.
    """

    open_control: Callable[[], Control]
    budget: Budget

    async def reserve(self, nano: int, tokens: int) -> str:
        """Set aside what a call may take at most; returns what `settle` wants.

        Waits while what others have set aside may still come back. Raises BudgetHit, and asks the whole run to stop,
        when it would not fit with nothing else under way.
        """
        ticket = uuid4().hex
        while not self._reserved(ticket, nano, tokens):  # noqa: ASYNC110 - it is other processes that settle
            await asyncio.sleep(WAIT_SECONDS)
        return ticket

    def settle(self, ticket: str, nano: int, tokens: int) -> None:
        """Book what a call did take, in place of what was reserved for it."""
        with self.open_control().changing() as connection:
            connection.execute("DELETE FROM reservations WHERE id = ?", (ticket,))
            connection.execute("UPDATE spent SET nano = nano + ?, tokens = tokens + ?", (nano, tokens))

    def spent(self) -> tuple[Decimal, int]:
        """US dollars and tokens booked so far, by every run in this directory."""
        with self.open_control().changing() as connection:
            nano, tokens = connection.execute("SELECT nano, tokens FROM spent").fetchone()
        return Decimal(nano) / NANO, int(tokens)

    def _reserved(self, ticket: str, nano: int, tokens: int) -> bool:
        """Whether it was reserved; when not, others have to settle first."""
        control = self.open_control()
        with control.changing() as connection:
            control.sweep(connection)
            spent = connection.execute("SELECT nano, tokens FROM spent").fetchone()
            count, *held = connection.execute(
                "SELECT count(*), coalesce(sum(nano), 0), coalesce(sum(tokens), 0) FROM reservations"
            ).fetchone()
            if self._fits(spent[0] + held[0] + nano, spent[1] + held[1] + tokens):
                row = (ticket, control.name, nano, tokens)
                connection.execute("INSERT INTO reservations VALUES (?, ?, ?, ?)", row)
                return True
        if count:
            return False
        control.stop("budget")
        raise BudgetHit(self._hit(spent[0], spent[1], nano, tokens))

    def _fits(self, nano: int, tokens: int) -> bool:
        usd, most = self.budget.usd, self.budget.tokens
        return (usd is None or nano <= usd * NANO) and (most is None or tokens <= most)

    def _hit(self, spent_nano: int, spent: int, nano: int, tokens: int) -> str:
        most = self.budget.tokens
        if most is not None and spent + tokens > most:
            return f"the budget of {most:,} tokens has {most - spent:,} left, and the next call may take {tokens:,}"
        usd = self.budget.usd or 0.0
        left, next_ = usd - spent_nano / NANO, nano / NANO
        return f"the budget of {usd:g} USD has {left:.4f} left, and the next call may cost {next_:.4f}"


@frozen
class BudgetedModel:
    """`model`, whose calls are paid out of a purse. Without a price they cost nothing."""

    model: Model
    purse: Purse
    price: Price | None

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    async def complete(self, request: Request) -> Completion:
        """The model's reply. Raises what the model raises, and BudgetHit."""
        prompt = ceil(MARGIN * prompt_tokens(request))
        most = dearest(self.price, prompt, request.max_output_tokens), prompt + request.max_output_tokens
        ticket = await self.purse.reserve(*most)
        took = (0, 0)
        try:
            reply = await self.model.complete(request)
            took = self._took(reply.usage) or most
        finally:
            self.purse.settle(ticket, *took)
        return reply

    def _took(self, usage: Usage) -> tuple[int, int] | None:
        """Money and tokens of a call; None where the provider did not say."""
        if usage.input is None or usage.output is None:
            return None
        cost = cents(usage, self.price) if self.price else Decimal(0)
        return None if cost is None else (_nano(cost), usage.input + usage.output)


def dearest(price: Price | None, prompt: int, output: int) -> int:
    """The most that a call with so many tokens can cost, in billionths of a dollar; 0 without a price."""
    usages = (
        Usage(uncached=prompt, output=output),
        Usage(cache_write=prompt, output=output),
        Usage(uncached=prompt, output=output, reasoning=output),
    )
    return max((_nano(cost) for usage in usages if (cost := cents(usage, price)) is not None), default=0)


def _nano(cost: Decimal) -> int:
    return ceil(cost * NANO / USD_CENTS)


def prompt_tokens(request: Request) -> int:
    """Tokens of messages and tools, by our count."""
    texts = [
        message.content + "".join(call.name + call.arguments for call in message.tool_calls)
        for message in request.messages
    ]
    tools = [f"{tool.name}{tool.description}{tool.parameters}" for tool in request.tools]
    return sum(map(count_tokens, (*texts, *tools)))
