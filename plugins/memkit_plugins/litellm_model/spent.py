"""From the usage block of a reply to memkit's four classes of tokens."""

from __future__ import annotations

from typing import Any

from memkit import Usage


def read_usage(usage: Any, *, said: bool, thought: bool) -> Usage:
    """The tokens of a reply as litellm gives them, `None` where the provider did not say.

    OpenAI's prompt count includes cached tokens. Anthropic's raw count does not; litellm adds them, so
    that both arrive here as one total with its cached parts. litellm writes 0 for what is missing. A
    prompt of 0 tokens cannot be, nor can an output of 0 when something was `said`, nor 0 tokens of
    reasoning when the model `thought`: these are unknown. When a prompt count is there and no cached
    parts are, the provider bills all of it as uncached, and so is it counted.
    """
    prompt, output = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    reasoning = _count(getattr(usage, "completion_tokens_details", None), "reasoning_tokens")
    uncached, read, write = _split(prompt or 0, getattr(usage, "prompt_tokens_details", None))
    if output == 0 and (said or not prompt):
        output = None
    if thought and not reasoning:
        reasoning = None
    return Usage(uncached=uncached, cache_read=read, cache_write=write, output=output, reasoning=reasoning)


def _split(prompt: int, details: Any) -> tuple[int | None, int | None, int | None]:
    """The prompt's tokens as uncached, read from a cache, written to one."""
    read = _count(details, "cached_tokens") or 0
    write = max(_count(details, name) or 0 for name in ("cache_write_tokens", "cache_creation_tokens"))
    if not prompt:
        return None, read or None, write or None
    # More cached tokens than the total: an endpoint that counts them beside it, as Anthropic does.
    return (prompt - read - write if read + write <= prompt else prompt), read, write


def _count(block: Any, name: str) -> int | None:
    value = getattr(block, name, None)
    return value if type(value) is int and value >= 0 else None
