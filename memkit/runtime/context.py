"""Compaction: what a long loop leaves out of its requests so that they fit the model's window.

When the estimated tokens of the next request near the window, the results of older tool calls are each replaced
by one line that names the call, oldest first, until the request is well below it again. Should these lines and the
calls themselves be too much, whole rounds go, from the second on; a line in the first one counts them. The system
message, what the user said and the last two rounds are never touched, so a window must hold these. Several are
dropped at once, since each time changes the prefix that a provider has cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from attrs import evolve, field, frozen, mutable

from memkit.records import Message, ToolCall
from memkit.tokens import count_tokens
from memkit.tools.output import clip

MESSAGE_TOKENS = 4
"""What chat formats add to a message for its role and its borders."""
USABLE = 0.9
"""Share of the window that is filled by our count: models count with encodings of their own."""
RELIEF = 0.75
"""Share of the budget down to which results are dropped once it is exceeded."""
KEPT_ROUNDS = 2
NOTICE = "[dropped to make room: "
"""Begins what stands in place of a result."""
SHOWN_ARGUMENTS = 200
"""Characters of a dropped call's arguments that its line shows."""


@frozen
class Dropped:
    """A tool result that later requests lacked: the call it answered and its size; or, when `call` is set, the call."""

    tool: str
    arguments: str
    tokens: int
    call: bool = False


@mutable
class Context:
    """The messages as they are sent; `budget` is their tokens at most, tools and reply not counted."""

    messages: list[Message]
    budget: int
    dropped: list[Dropped] = field(factory=list, init=False)
    _rounds_gone: int = field(default=0, init=False)

    @classmethod
    def of_window(cls, messages: Sequence[Message], window: int, taken: int) -> Context:
        """For a model that reads `window` tokens, of which `taken` are spoken for by tools and reply."""
        return cls(list(messages), max(int(window * USABLE) - taken, 1))

    def add(self, messages: Iterable[Message]) -> None:
        """Go on with these."""
        self.messages += messages

    def fit(self) -> None:
        """Drop old results when the budget is exceeded."""
        if self._size() > self.budget:
            self._drop(int(self.budget * RELIEF))

    def shrink(self) -> bool:
        """Halve the size after a provider refused the messages as too long; False when nothing is left to drop."""
        before = len(self.dropped)
        self.budget = min(self.budget, self._size() // 2)
        self._drop(self.budget)
        return len(self.dropped) > before

    def _size(self) -> int:
        return sum(map(message_tokens, self.messages))

    def _drop(self, target: int) -> None:
        self._drop_results(target)
        if self._size() > self.budget:
            self._drop_rounds(target)

    def _drop_results(self, target: int) -> None:
        size = self._size()
        calls = {call.id: call for message in self.messages for call in message.tool_calls}
        for place in range(self._rounds()[-1]):
            if size <= target:
                return
            message = self.messages[place]
            call = calls.get(message.tool_call_id)
            if message.role != "tool" or call is None:
                continue
            tokens = count_tokens(message.content)
            short = evolve(message, content=_notice(call, tokens))
            saved = message_tokens(message) - message_tokens(short)
            if saved > 0:  # A result no longer than its notice, or that is one, stays.
                self.messages[place] = short
                self.dropped.append(Dropped(call.name, call.arguments, tokens))
                size -= saved

    def _drop_rounds(self, target: int) -> None:
        """Remove old rounds after the first, whose last result then says how many are gone."""
        size, rounds = self._size(), self._rounds()
        if len(rounds) < 3:
            return
        end = second = rounds[1]
        for start, end in pairwise(rounds[1:]):
            for message in self.messages[start:end]:
                size -= message_tokens(message)
                self.dropped += [
                    Dropped(call.name, call.arguments, count_tokens(call.arguments), call=True)
                    for call in message.tool_calls
                ]
            self._rounds_gone += 1
            if size <= target:
                break
        note = f"{NOTICE}this result and {self._rounds_gone} rounds that followed it]"
        self.messages[second - 1] = evolve(self.messages[second - 1], content=note)
        del self.messages[second:end]

    def _rounds(self) -> list[int]:
        """Where each round before the last ones begins, and then where the last ones do."""
        starts = [place for place, message in enumerate(self.messages) if message.tool_calls]
        return starts[: 1 - KEPT_ROUNDS] if len(starts) >= KEPT_ROUNDS else [0]


def message_tokens(message: Message) -> int:
    """About what a message costs in a request, its calls included."""
    calls = sum(count_tokens(call.name) + count_tokens(call.arguments) for call in message.tool_calls)
    return MESSAGE_TOKENS + count_tokens(message.content) + calls


def _notice(call: ToolCall, tokens: int) -> str:
    shown = clip(" ".join(call.arguments.split()), SHOWN_ARGUMENTS)
    return f"{NOTICE}the result of {call.name} {shown}, {tokens:,} tokens; call again if you need it]"
