"""The searcher `agent`: a model with the tools of a harness."""

from __future__ import annotations

from memkit import Registry, hookimpl


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.agent.searcher import PROMPTS, Agent

    registry.searcher("agent", Agent, layouts=PROMPTS)
