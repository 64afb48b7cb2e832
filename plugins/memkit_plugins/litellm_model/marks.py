"""Marks in a request that ask its provider to cache the prompt: some do so only when asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

CLAUDE_ELSEWHERE = frozenset({"azure_ai", "bedrock", "openrouter", "vertex_ai"})
"""Providers other than Anthropic whose Claude models cache what is marked; what else they serve needs no marks."""
MARK = {"type": "ephemeral"}
"""The cache of five minutes. Writing to it costs 1.25 of the plain input, reading 0.1 (Anthropic, "Prompt caching")."""


def must_be_asked(litellm: Any, provider: str, model: str) -> bool:
    """Whether the provider caches a prompt of the model, and only where it is marked."""
    if provider == "anthropic":
        return True
    claude = provider in CLAUDE_ELSEWHERE and "claude" in model.lower()
    return claude and bool(litellm.utils.supports_prompt_caching(model=model, custom_llm_provider=provider))


def mark(messages: Sequence[dict[str, Any]]) -> None:
    """Mark, in place, chat messages of a loop: at most three marks, of the four that a request may have.

    Marked are the system prompt with the tools before it, the end of the request before this one, and
    the end of this one. The provider reads up to the second, which it wrote a round ago, and writes up to
    the third. Without the second it would look back from the third for 20 blocks only, which a round of
    many parallel calls exceeds. An empty text cannot be marked.
    """
    last_of = {message["role"]: place for place, message in enumerate(messages)}
    ends = {last_of.get("system", -1), last_of.get("assistant", 0) - 1, len(messages) - 1}
    for place in ends - {-1}:
        message = messages[place]
        if message["role"] != "assistant" and (message["content"] or "").strip():
            message["cache_control"] = dict(MARK)
