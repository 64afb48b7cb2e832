"""An answer's exchange with its model and tools, as a page shows it: each call with what came back, cut to size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from memkit.records import Message
from memkit.report.text import clean, cut, cut_middle

Kind: TypeAlias = Literal["system", "user", "assistant", "call"]
MESSAGE_CHARACTERS = 6_000
"""Of one message or result; longer ones lose their middle."""
STEPS = 80
"""Of one exchange; a longer one loses its end, whose last step is the answer shown above it."""
LINE_CHARACTERS = 90


@frozen
class Step:
    """A message; or a call, whose `name` and `arguments` are the model's and whose `text` is the result."""

    kind: Kind
    text: str
    name: str = ""
    arguments: str = ""
    is_error: bool = False

    @property
    def line(self) -> str:
        """A call in one line."""
        return cut(" ".join(f"{self.name} {self.arguments}".split()), LINE_CHARACTERS)

    @property
    def size(self) -> int:
        """Bytes in HTML, where a quote takes five and what is no ASCII up to four."""
        parts = self.text, self.name, self.arguments
        return sum(len(part.encode("utf-8", "replace")) + 5 * sum(map(part.count, "&<>\"'")) for part in parts)


def steps_of(messages: Sequence[Message]) -> tuple[Step, ...]:
    """The steps in order; texts are cleaned and cut. The first of them where there are too many."""
    return tuple(step for step, _ in zip(_steps(messages), range(STEPS), strict=False))


def _steps(messages: Sequence[Message]) -> Iterator[Step]:
    results = {message.tool_call_id: message for message in messages if message.role == "tool"}
    for message in messages:
        if message.role == "tool":
            continue
        if message.content.strip():
            yield Step(message.role, _shown(message.content))
        for call in message.tool_calls:
            result = results.get(call.id)
            text, failed = (_shown(result.content), result.is_error) if result else ("", False)
            yield Step("call", text, clean(call.name), _shown(call.arguments), failed)


def _shown(text: str) -> str:
    return cut_middle(clean(text), MESSAGE_CHARACTERS)
