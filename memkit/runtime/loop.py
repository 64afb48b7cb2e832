"""The tool-round loop: every role of every model runs through here."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from attrs import evolve, field, frozen, mutable

from memkit.contracts import Model, Tool
from memkit.errors import ContentRefused
from memkit.locators import Locator, find_locators
from memkit.records import Completion, Effort, End, Message, Request, Role, ToolCall, Usage
from memkit.runtime.limits import Limits
from memkit.tokens import count_tokens
from memkit.tools.dispatch import call_all
from memkit.tools.output import CLIPPED


@frozen
class Transcript:
    """A finished loop: `messages` are the whole exchange, `text` the final reply (empty when there was none)."""

    messages: tuple[Message, ...] = field(repr=False)
    text: str
    end: End
    effort: Effort


async def run_loop(
    model: Model, messages: Sequence[Message], tools: Sequence[Tool], *, role: Role, limits: Limits = Limits()
) -> Transcript:
    """Let `model` reply and call tools until it answers or a limit is met.

    A round is one reply with any number of calls. An empty reply is asked for once more. A call that
    cannot be done goes back as an error text; ModelError alone leaves this function.
    """
    loop = _Loop(model, {tool.spec.name: tool for tool in tools}, role, limits, list(messages))
    started = perf_counter()
    end = await loop.run()
    text = loop.messages[-1].content if end in ("answered", "tokens") else ""
    effort = evolve(loop.effort(), seconds=perf_counter() - started)
    return Transcript(tuple(loop.messages), text, end, effort)


@mutable
class _Loop:
    model: Model
    tools: dict[str, Tool]
    role: Role
    limits: Limits
    messages: list[Message]
    usages: list[Usage] = field(factory=list)
    results: list[Message] = field(factory=list)

    async def run(self) -> End:
        emptied = False
        while len(self.usages) < self.limits.rounds:
            try:
                reply = await self._complete()
            except ContentRefused:
                return "refused"
            calls = reply.message.tool_calls
            if not calls and not reply.message.content.strip():
                if emptied:
                    return "empty"
                emptied = True
                continue
            self.messages.append(reply.message)
            if not calls:
                return "tokens" if reply.finish == "length" else "answered"
            if (end := self._exceeded(calls)) is not None:
                return end
            results = await call_all(self.tools, calls)
            self.results += results
            self.messages += results
        return "rounds"

    async def _complete(self) -> Completion:
        request = Request(
            messages=tuple(self.messages),
            role=self.role,
            tools=tuple(tool.spec for tool in self.tools.values()),
            max_output_tokens=self.limits.reply_tokens,
        )
        reply = await self.model.complete(request)
        self.usages.append(reply.usage)
        return reply

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
