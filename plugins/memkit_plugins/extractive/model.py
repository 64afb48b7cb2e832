"""A model without weights: it emits tool calls and text through the same loop as any other."""

from __future__ import annotations

import json

from attrs import field, frozen, validators

from memkit import Completion, Message, Request, ToolCall, Usage, count_tokens
from memkit_plugins.extractive.answering import compose_answer
from memkit_plugins.extractive.computing import compile_asked
from memkit_plugins.extractive.hands import Call
from memkit_plugins.extractive.managing import manage
from memkit_plugins.extractive.probing import next_calls, write_arguments
from memkit_plugins.extractive.reading import read_exchange

MESSAGE_TOKENS = 4
"""What chat formats add to each message for its role and its borders."""


@frozen
class Extractive:
    """Deterministic rules in place of a model: an honest baseline, and the default without a key.

    `served_tokens` is about how much of the store it reads for a question. It has no cache, so its
    input is all uncached; its tokens are counted as a provider would count them.
    """

    served_tokens: int = field(default=1_900, validator=validators.ge(1))
    name: str = field(default="memkit/extractive", init=False)

    async def complete(self, request: Request) -> Completion:
        """The next calls with the tools granted, or the reply that ends the loop."""
        move = manage(request) if request.role == "manage" else self._search(request)
        if isinstance(move, str):
            message = Message("assistant", move)
        else:
            first = 1 + sum(len(message.tool_calls) for message in request.messages)
            calls = tuple(
                ToolCall(f"call_{number}", name, write_arguments(arguments))
                for number, (name, arguments) in enumerate(move, first)
            )
            message = Message("assistant", "", calls)
        return Completion(message, _usage(request, message), "tool_calls" if message.tool_calls else "stop")

    def _search(self, request: Request) -> list[Call] | str:
        """Probe until the rules are content, then answer; a plan where one is asked for."""
        asked = next((message.content for message in request.messages if message.role == "user"), "")
        if (plan := compile_asked(asked)) is not None:
            return plan
        exchange = read_exchange(request.messages)
        probes = next_calls(exchange, [tool.name for tool in request.tools], self.served_tokens)
        return probes or compose_answer(exchange)


def _usage(request: Request, reply: Message) -> Usage:
    specs = [[tool.name, tool.description, tool.parameters] for tool in request.tools]
    prompt = count_tokens(json.dumps(specs)) if specs else 0
    return Usage(uncached=prompt + sum(map(_size, request.messages)), output=_size(reply))


def _size(message: Message) -> int:
    calls = sum(count_tokens(call.name) + count_tokens(call.arguments) for call in message.tool_calls)
    return MESSAGE_TOKENS + count_tokens(message.content) + calls
