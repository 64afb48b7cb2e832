"""Datasets `jsonl`, memkit's own format for anyone's data, and `demo`, a file in that format."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.jsonl.demo import Demo
from memkit_plugins.jsonl.jsonl import Jsonl


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register both datasets."""
    registry.dataset("jsonl", Jsonl)
    registry.dataset("demo", Demo)
