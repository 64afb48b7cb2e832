"""Dataset `ama-bench`: agent trajectories of six families with questions about them (AMA-Bench)."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.ama_bench.ama_bench import AmaBench


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the dataset."""
    registry.dataset("ama-bench", AmaBench)
