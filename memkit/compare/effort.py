"""What an answer took, as the columns of a table."""

from __future__ import annotations

from memkit.records import Effort

EFFORT = (
    "served_tokens",
    "tool_tokens",
    "input_tokens",
    "output_tokens",
    "rounds",
    "tool_calls",
    "tool_errors",
    "seconds",
)
"""Columns beside the scores: tokens, counts and seconds of one question. None where the provider did not say."""


def effort_columns(effort: Effort) -> dict[str, float | None]:
    """`effort` under the names of `EFFORT`."""
    usage = effort.usage
    values = (
        effort.served_tokens,
        effort.tool_tokens,
        usage.input,
        usage.output,
        effort.rounds,
        effort.tool_calls,
        effort.tool_errors,
        effort.seconds,
    )
    return dict(zip(EFFORT, values, strict=True))
