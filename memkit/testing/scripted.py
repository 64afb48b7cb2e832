"""A model that replies from a script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from attrs import field, mutable

from memkit.errors import ModelError
from memkit.records import Completion, Message, Request, ToolCall, Usage

Reply: TypeAlias = str | Sequence[tuple[str, Any]] | Completion | ModelError
"""Text; calls as (tool, arguments) with arguments as data or as raw text; a whole completion; or an error to raise."""

USAGE = Usage(uncached=10, output=5)
"""What each scripted reply takes, unless it is a whole completion."""


@mutable
class ScriptedModel:
    """Gives `script`'s replies in order and keeps every request; running out is a bug of the test."""

    script: list[Reply]
    name: str = "scripted"
    requests: list[Request] = field(factory=list, init=False)

    async def complete(self, request: Request) -> Completion:
        """The next reply of the script."""
        self.requests.append(request)
        reply = self.script.pop(0)
        if isinstance(reply, ModelError):
            raise reply
        if isinstance(reply, Completion):
            return reply
        if isinstance(reply, str):
            return Completion(Message("assistant", reply), USAGE)
        number = len(self.requests)
        calls = tuple(
            ToolCall(f"{number}-{n}", name, arguments if isinstance(arguments, str) else json.dumps(arguments))
            for n, (name, arguments) in enumerate(reply)
        )
        return Completion(Message("assistant", "", calls), USAGE, "tool_calls")
