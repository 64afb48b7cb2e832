"""Builders `ledger` and `annotated-ledger`: a row for each step or turn, by program or annotated by a model."""

from __future__ import annotations

from memkit import Registry, hookimpl
from memkit_plugins.event_ledger.builder import AnnotatedLedger, Ledger


@hookimpl
def memkit_register(registry: Registry) -> None:
    """Register the builders."""
    registry.builder("ledger", Ledger)
    registry.builder("annotated-ledger", AnnotatedLedger)
