"""The tool-round loop: every role of every model runs through here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from time import perf_counter

from attrs import evolve, field, frozen, mutable

from memkit.contracts import Model, Tool
from memkit.errors import ContentRefused, ContextOverflow
from memkit.locators import Locator, find_locators
from memkit.records import Completion, Effort, End, Message, Request, Role, ToolCall, Usage
from memkit.runtime.context import Context, Dropped
from memkit.runtime.limits import Limits
from memkit.tokens import count_tokens
from memkit.tools.dispatch import call_all
from memkit.tools.output import CLIPPED


@frozen
class Transcript:
    """A finished loop: `messages` are the whole exchange, `text` the final reply (empty when there was none).

    `dropped` are the tool results that later requests lacked, in the order they were left out to fit the window.
    """

    messages: tuple[Message, ...] = field(repr=False)
    text: str
    end: End
    effort: Effort
    dropped: tuple[Dropped, ...] = ()


async def run_loop(
    model: Model, messages: Sequence[Message], tools: Sequence[Tool], *, role: Role, limits: Limits = Limits()
) -> Transcript:
    """Let `model` reply and call tools until it answers or a limit is met.

    A round is one reply with any number of calls. An empty reply is asked for once more. A call that
    cannot be done goes back as an error text. Old tool results are left out of requests that would not fit
    the window. ModelError alone leaves this function.
    """
    granted = {tool.spec.name: tool for tool in tools}
    loop = _Loop(model, granted, role, limits, list(messages), _context(messages, granted, limits))
    started = perf_counter()
    end = await loop.run()
    text = loop.messages[-1].content if end in ("answered", "tokens") else ""
    effort = evolve(loop.effort(), seconds=perf_counter() - started)
    return Transcript(tuple(loop.messages), text, end, effort, tuple(loop.context.dropped))


def _context(messages: Sequence[Message], tools: Mapping[str, Tool], limits: Limits) -> Context:
    specs = json.dumps([[tool.spec.name, tool.spec.description, tool.spec.parameters] for tool in tools.values()])
    return Context.of_window(messages, limits.context_tokens, count_tokens(specs) + _reply_tokens(limits))


def _reply_tokens(limits: Limits) -> int:
    return min(limits.reply_tokens, max(limits.context_tokens // 2, 1))


@mutable
class _Loop:
    model: Model
    tools: dict[str, Tool]
    role: Role
    limits: Limits
    messages: list[Message]
    context: Context
    usages: list[Usage] = field(factory=list)
    results: list[Message] = field(factory=list)

    async def run(self) -> End:
        emptied, repeat = False, 0
        while len(self.usages) < self.limits.rounds:
            try:
                reply = await self._complete(repeat)
            except ContentRefused:
                return "refused"
            calls = reply.message.tool_calls
            if not calls and not reply.message.content.strip():
                if emptied:
                    return "empty"
                emptied, repeat = True, 1
                continue
            repeat = 0
            self._record([reply.message])
            if not calls:
                return "tokens" if reply.finish == "length" else "answered"
            if (end := self._exceeded(calls)) is not None:
                return end
            results = await call_all(self.tools, calls)
            self.results += results
            self._record(results)
        return "rounds"

    def _record(self, messages: Sequence[Message]) -> None:
        self.messages += messages
        self.context.add(messages)

    async def _complete(self, repeat: int) -> Completion:
        self.context.fit()
        while True:
            try:
                reply = await self.model.complete(self._request(repeat))
            except ContextOverflow:  # by the provider's count, which is not ours
                if not self.context.shrink():
                    raise
            else:
                self.usages.append(reply.usage)
                return reply

    def _request(self, repeat: int) -> Request:
        return Request(
            messages=tuple(self.context.messages),
            role=self.role,
            tools=tuple(tool.spec for tool in self.tools.values()),
            max_output_tokens=_reply_tokens(self.limits),
            repeat=repeat,
        )

    def _exceeded(self, calls: Sequence[ToolCall]) -> End | None:
        if len(self.results) + len(calls) > self.limits.calls:
            return "calls"
        if sum(usage.output or 0 for usage in self.usages) > self.limits.output_tokens:
            return "tokens"
        return None

    def effort(self) -> Effort:
        sizes = [count_tokens(result.content) for result in self.results]
        located = [tuple(_whole_locators(result)) for result in self.results]
        return Effort(
            model_calls=tuple(self.usages),
            tool_calls=len(self.results),
            tool_errors=sum(result.is_error for result in self.results),
            tool_tokens=sum(sizes),
            served_tokens=sum(size for size, found in zip(sizes, located, strict=True) if found),
            served=tuple(dict.fromkeys(locator for found in located for locator in found)),
        )


def _whole_locators(result: Message) -> list[Locator]:
    if result.is_error or "[" not in result.content:
        return []
    if CLIPPED not in result.content:
        return list(find_locators(result.content))
    return [loc for line in result.content.split("\n") if CLIPPED not in line for loc in find_locators(line)]
