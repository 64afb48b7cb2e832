"""Datasets of software agents' logs: `swe-agent`, `openhands` and `mini-swe-agent`. They hold no questions."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.trajectories.mini_swe_agent import MiniSweAgent
from memkit_plugins.trajectories.openhands import OpenHands
from memkit_plugins.trajectories.swe_agent import SweAgent


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the datasets."""
    registry.dataset("swe-agent", SweAgent)
    registry.dataset("openhands", OpenHands)
    registry.dataset("mini-swe-agent", MiniSweAgent)
