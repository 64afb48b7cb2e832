"""From a model's tool call to the message that answers it: no call raises, none answers without bound."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from memkit.contracts import Tool
from memkit.errors import StoreError, ToolError
from memkit.records import Message, ToolCall
from memkit.tools.arguments import fit_arguments, parse_arguments
from memkit.tools.output import CLIPPED, OUTPUT_CAP, cut

__all__ = ["CLIPPED", "OUTPUT_CAP", "call_all", "call_tool"]

LOGGER = logging.getLogger("memkit")


async def call_tool(tools: Mapping[str, Tool], call: ToolCall, *, cap: int = OUTPUT_CAP) -> Message:
    """Run `call` and give its result, or what went wrong in words a model can act on, in at most `cap` characters.

    Results are tool messages, so text inside them that looks like a delimiter is only text.
    """
    try:
        content, is_error = cut(await _run(tools, call), cap), False
    except (ToolError, StoreError) as error:
        content, is_error = cut(str(error), cap), True
    except Exception as error:
        # A bug of the tool, not of the model: the log gets the traceback, the model does not.
        LOGGER.exception("tool %r failed", call.name)
        content, is_error = f"The tool failed: {type(error).__name__}", True
    return Message("tool", content, tool_call_id=call.id, is_error=is_error)


async def call_all(tools: Mapping[str, Tool], calls: Sequence[ToolCall], *, cap: int = OUTPUT_CAP) -> list[Message]:
    """The results of `calls` in their order: writes run one after another, the reads between two writes together."""
    results: list[Message] = []
    for writes, group in groupby(calls, key=lambda call: getattr(tools.get(call.name), "writes", False)):
        if writes:
            results += [await call_tool(tools, call, cap=cap) for call in group]
        else:
            results += await asyncio.gather(*(call_tool(tools, call, cap=cap) for call in group))
    return results


async def _run(tools: Mapping[str, Tool], call: ToolCall) -> str:
    tool = tools.get(call.name)
    if tool is None:
        raise ToolError(_unknown(call.name, tools))
    return await tool(fit_arguments(tool.spec, parse_arguments(call.arguments)))


def _unknown(name: str, tools: Mapping[str, Tool]) -> str:
    def likeness(known: str) -> float:
        return SequenceMatcher(None, name.lower(), known.lower()).ratio()

    names = sorted(tools, key=likeness, reverse=True)
    shown = name if len(name) <= 60 else name[:57] + "..."
    return f"There is no tool {shown!r}; the tools are: {', '.join(names) or 'none'}."
