"""The least and the most that the calls of a conversation could have taken, and where they lie between.

A provider's cache share moves with scheduling, not only with the variant under test; the bounds do not
(filesystem paper, sections 4 and C.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from memkit.accounting.call import Call
from memkit.records import Message, Request, ToolSpec, Usage
from memkit.tokens import count_tokens


@frozen
class Bounds:
    """What calls took, between two bounds, each as tokens by class.

    `floor` is the perfect cache: every token is sent once, so what a call shares with an earlier one of
    its conversation is read from the cache, and nothing else is. `ceiling` is no cache: all input is
    uncached. Output is the same in all three. Bounds of several calls add up.
    """

    measured: Usage = Usage()
    floor: Usage = Usage()
    ceiling: Usage = Usage()

    def __add__(self, other: Bounds) -> Bounds:
        return Bounds(self.measured + other.measured, self.floor + other.floor, self.ceiling + other.ceiling)

    @property
    def share(self) -> float | None:
        """How much of the saving that caching allows was realised; None when unknown or when there is none to have.

        Above 1 when the provider's cache reaches further than one conversation, to a shared system prompt or a reply.
        """
        low, measured, high = computed(self.floor), computed(self.measured), computed(self.ceiling)
        if low is None or measured is None or high is None or low == high:
            return None
        return (high - measured) / (high - low)


def computed(usage: Usage) -> int | None:
    """Tokens the model had to work through: uncached and cache-write input, and output."""
    parts = (usage.uncached, usage.cache_write, usage.output)
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def ceiling_of(usage: Usage) -> Usage:
    """The same tokens without any cache."""
    return evolve(usage, uncached=usage.input, cache_read=0, cache_write=0)


def bounds(calls: Iterable[Call]) -> Bounds:
    """The bounds of all calls together."""
    return sum(call_bounds(calls), Bounds())


def call_bounds(calls: Iterable[Call]) -> list[Bounds]:
    """The bounds of each call, given in the order they were made.

    What a call shares with an earlier one of its conversation and model is the longest run of equal
    parts from the start, where the parts of a request are its tool definitions, then its messages, each
    equal as a whole or not at all. Where that run is the whole earlier request, it is as many tokens as the
    provider counted for it. Where it is not, it is that number times the share of the run in the
    earlier request, rounded down, with `memkit.count_tokens` over the rendering of each part: a message is its
    content and the names and arguments of its calls, a tool its name and description. A reply is
    output of its call and counts as sent for the first time by the next. Unknown tokens make a bound unknown.
    """
    earlier: dict[tuple[str, str], list[Call]] = {}
    found: list[Bounds] = []
    for call in calls:
        before = earlier.setdefault((call.conversation, call.model), [])
        found.append(_bounds(call.usage, _most_shared(call, before)))
        before.append(call)
    return found


def _bounds(usage: Usage, shared: int | None) -> Bounds:
    total, ceiling = usage.input, ceiling_of(usage)
    if total is None or shared is None:
        return Bounds(usage, evolve(ceiling, uncached=None, cache_read=None), ceiling)
    shared = min(shared, total)
    return Bounds(usage, evolve(ceiling, uncached=total - shared, cache_read=shared), ceiling)


def _most_shared(call: Call, earlier: Sequence[Call]) -> int | None:
    """Tokens shared with the earlier call that shares the most; None when one of them is unknown."""
    most = 0
    for other in reversed(earlier):
        if other.usage.input is None:
            return None
        most = max(most, _shared(call.request, other.request, other.usage.input))
    return most


def _shared(request: Request, earlier: Request, tokens: int) -> int:
    """Tokens of `earlier`, which has `tokens` of them, that begin `request` too."""
    if request.tools != earlier.tools:
        return 0
    length = _common(request.messages, earlier.messages)
    if length == len(earlier.messages):
        return tokens
    sizes = [_tools_size(earlier.tools), *map(_message_size, earlier.messages)]
    whole = sum(sizes)
    return tokens * sum(sizes[: 1 + length]) // whole if whole else 0


def _common(messages: Sequence[Message], others: Sequence[Message]) -> int:
    length = 0
    for message, other in zip(messages, others, strict=False):
        if message is not other and message != other:
            break
        length += 1
    return length


def _message_size(message: Message) -> int:
    calls = sum(count_tokens(call.name) + count_tokens(call.arguments) for call in message.tool_calls)
    return count_tokens(message.content) + calls


def _tools_size(tools: Sequence[ToolSpec]) -> int:
    return sum(count_tokens(tool.name) + count_tokens(tool.description) for tool in tools)
